internal import ArgumentParser
import DaybreakInterfaces

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "export", abstract: Wording.About.export)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "export")
        try KeptFile.print(taking: try connection.call(Service.Export()).file)
    }
}
