import DaybreakNotify
import Glibc

exit(NotifyProgram.main(CommandLine.arguments))
