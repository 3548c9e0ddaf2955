internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the whole history into FILE, as it is now.")

    @Argument(help: "A file that does not exist yet; - is standard output.") var file: String
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        if file != "-" { try PrivateFile.checkFree(file) }
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "backup FILE")
        let reply = try connection.reply(to: Service.Backup())
        let copy = try connection.decode(Service.Backup.self, from: reply).file
        if file == "-" { return try HistoryFile.print(moving: copy) }
        try HistoryFile.move(copy, to: file)
        try daemon.answer(reply, of: Service.Backup.self, over: connection) { _ in
            "The whole history is in \(file.shown), readable by you alone. `daybreak restore` brings it back.\n"
        }
    }
}
