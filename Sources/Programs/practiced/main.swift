import Glibc
import PracticeDaemon

exit(PracticeProgram.main(CommandLine.arguments))
