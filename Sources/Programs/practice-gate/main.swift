import Glibc
import PracticeGate

exit(GateProgram.main(CommandLine.arguments))
