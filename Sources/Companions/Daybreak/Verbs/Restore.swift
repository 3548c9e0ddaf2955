internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Files
import Varlink

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "restore", abstract: "Put a backup, or an export, in the history's place; the one before is kept.")

    @Argument(
        help: "A file that `daybreak backup` or `daybreak export` wrote; - is standard input.", completion: .file())
    var file: String
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection: DaemonConnection
        let path = try daemon.path
        do throws(Failure) {
            connection = try DaemonConnection(to: path)
        } catch {
            guard error.status == Failure.noDaemonStatus, isOwn(path) else { throw error }
            return try restoreWithoutDaemon()
        }
        try connection.checkNamesOwnFiles(in: "restore FILE")
        let folder = try connection.call(Service.GetStorage()).folder
        let name = try makeDraft(in: folder)
        defer { Backups(in: folder).removeDraft(name) }
        try daemon.ask(Service.Restore(file: name), over: connection) { Self.text($0) + "\n" }
    }

    private func makeDraft(in folder: String) throws(Failure) -> String {
        do { return try Backups(in: folder).makeDraft(of: file) } catch {
            throw .refused("Unreadable", saying: "Nothing was replaced. \(Wording.sentence(error.description))")
        }
    }

    /// True if the daemon's program, run by hand, finds the same history as the daemon at `path`.
    private func isOwn(_ path: String) -> Bool {
        DaemonSocket.named(daemon.socket, Environment.variables) == nil && !path.hasPrefix("/run/daybreak/")
    }

    private func restoreWithoutDaemon() throws {
        let document = try ChildProcess.output(of: "daybreakd", ["--restore", file])
        guard !daemon.json else { return Streams.output(document) }
        let frame = Array("{\"parameters\":".utf8) + document.dropLast() + Array("}".utf8)
        Streams.output(Self.text(try Reply(frame: frame).decode(Service.Restore.Reply.self)) + "\n")
    }

    static func text(_ reply: Service.Restore.Reply) -> String {
        let restored = "The history was restored: \(reply.events) events."
        let kept = reply.kept.isEmpty ? "" : " The one before is kept as \(reply.kept.shown)."
        return restored + kept + (reply.link.map { "\n\($0.shown)" } ?? "")
    }
}

extension Restore: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Service.CannotRestore) in "Nothing was replaced. \(Wording.sentence(error.reason))" }
    ]
}
