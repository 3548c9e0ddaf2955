internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Glibc

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "backup", abstract: "Copy the whole history into FILE, as it is now.")

    @Argument(help: "A file, which no other can read; - is standard output.", completion: .file()) var file: String
    @Flag(help: "Write over a file that is there already.") var force = false
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard file == "-", isatty(STDOUT_FILENO) == 1 else { return }
        throw ValidationError("A backup is no text for a terminal: name a file, or send it through a pipe.")
    }

    func run() throws {
        let isThere = PrivateFile.existsUnlessForced(file)
        if file != "-" { try PrivateFile.checkFree(file, replacing: force, orSaying: isThere) }
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "backup FILE")
        let copy = try connection.call(Service.Backup()).file
        if file == "-" { return try HistoryFile.print(moving: copy) }
        try HistoryFile.move(copy, to: file, replacing: force, orSaying: isThere)
        guard !daemon.json else { return Streams.output(object: Service.Backup.Reply(file: file)) }
        Streams.output(
            "The whole history is in \(file.shown), readable by you alone. `daybreak restore` brings it back.\n")
    }
}

extension Backup: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Service.CannotCopy) in "No copy was made. \(Wording.sentence(error.reason))" }
    ]
}
