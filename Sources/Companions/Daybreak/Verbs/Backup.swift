internal import ArgumentParser
import DaybreakInterfaces

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "backup", abstract: Wording.About.backup)

    @Argument(help: ArgumentHelp(Wording.About.backupFile)) var file: String
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try PrivateFile.checkFree(file, orSaying: Wording.isThere(file))
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "backup FILE")
        let reply = try connection.reply(to: Service.Backup())
        let copy = try connection.decode(Service.Backup.self, from: reply).file
        try KeptFile.take(copy, to: file)
        try daemon.answer(reply, of: Service.Backup.self, over: connection) { _ in
            Wording.backedUp(file) + "\n"
        }
    }
}
