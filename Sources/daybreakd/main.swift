import DaybreakDaemon
import Glibc

exit(Program.main(CommandLine.arguments))
