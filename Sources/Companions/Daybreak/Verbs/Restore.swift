internal import ArgumentParser
import DaybreakInterfaces
import Glibc
import Varlink

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: Wording.About.restore)

    @Argument(help: ArgumentHelp(Wording.About.restoreFile)) var file: String
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection: DaemonConnection
        let path = try daemon.path
        do throws(Failure) {
            connection = try DaemonConnection(to: path)
        } catch {
            guard error.status == Failure.noDaemonStatus, isOwn(path) else { throw error }
            return try restoreAlone()
        }
        try connection.checkNamesOwnFiles(in: "restore FILE")
        let folder = try connection.call(Service.GetStorage()).folder
        let name = "restore-\(getpid())"
        let laid = folder + "/" + name
        KeptFile.remove(laid)
        try KeptFile.copy(file, to: laid)
        defer { KeptFile.remove(laid) }
        try daemon.ask(Service.Restore(file: name), over: connection) { Wording.restored($0) + "\n" }
    }

    /// Neither named nor the system's: the daemon's program, run by hand, looks where that daemon would.
    private func isOwn(_ path: String) -> Bool {
        DaemonSocket.named(daemon.socket, Standard.environment) == nil && !path.hasPrefix("/run/daybreak/")
    }

    /// Without a daemon: its program does the same.
    private func restoreAlone() throws {
        let document = try DaemonProgram.output(of: ["--restore", file])
        guard !daemon.json else { return Standard.output(document) }
        let frame = Array("{\"parameters\":".utf8) + document.dropLast() + Array("}".utf8)
        let reply = try Reply(frame: frame).decode(Service.Restore.Reply.self)
        Standard.output(Wording.restored(reply) + "\n")
    }
}
