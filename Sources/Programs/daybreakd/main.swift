import Glibc
import HomeworkDaemon

exit(Program.main(CommandLine.arguments))
