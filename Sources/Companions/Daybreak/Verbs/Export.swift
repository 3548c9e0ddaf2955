internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print everything that happened, one JSON object a line; or write it to FILE.")

    @Argument(
        help: "A file that does not exist yet, and that only you can read; left out or -: standard output.",
        completion: .file())
    var file: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let file = file == "-" ? nil : file
        if let file { try PrivateFile.checkFree(file) }
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "export")
        let text = try connection.call(Service.Export()).file
        guard let file else { return try HistoryFile.print(moving: text) }
        try HistoryFile.move(text, to: file)
        guard !daemon.json else { return Streams.output(object: Service.Export.Reply(file: file)) }
        Streams.output("Everything that happened is in \(file.shown), readable by you alone.\n")
    }
}
