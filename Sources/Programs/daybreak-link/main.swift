import DaybreakLink
import Glibc

exit(LinkProgram.main(CommandLine.arguments))
