internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print everything that happened, one JSON object a line.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "export")
        try HistoryFile.print(moving: try connection.call(Service.Export()).file)
    }
}
