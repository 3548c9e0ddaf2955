internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "export", abstract: "Print everything that happened, one JSON object a line; or write it to FILE.")

    @Argument(
        help: "A file, which no other can read; left out or -: standard output.",
        completion: .file())
    var file: String?
    @Flag(help: "Write over a file that is there already.") var force = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let file = file == "-" ? nil : file
        let isThere = file.map(PrivateFile.existsUnlessForced)
        if let file { try PrivateFile.checkFree(file, replacing: force, orSaying: isThere) }
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "export")
        let text = try connection.call(Service.Export()).file
        guard let file else { return try HistoryFile.print(movingJSON: text) }
        try HistoryFile.move(text, to: file, replacing: force, orSaying: isThere)
        guard !daemon.json else { return Streams.output(object: Service.Export.Reply(file: file)) }
        Streams.output("Everything that happened is in \(file.shown), readable by you alone.\n")
    }
}
