internal import ArgumentParser
import Control
import Glibc

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: Wording.About.restore)

    @Argument(help: ArgumentHelp(Wording.About.restoreFile)) var file: String
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let folder = try connection.call(ServiceInterface.GetStorage()).folder
        let name = "restore-\(getpid())"
        let laid = folder + "/" + name
        KeptFile.remove(laid)
        try KeptFile.copy(file, to: laid)
        defer { KeptFile.remove(laid) }
        try daemon.ask(ServiceInterface.Restore(file: name), over: connection) { Wording.restored($0) + "\n" }
    }
}
