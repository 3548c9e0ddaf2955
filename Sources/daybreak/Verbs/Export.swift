internal import ArgumentParser
import Control

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "export", abstract: Wording.About.export)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        try connection.checkNamesOwnFiles(in: "export")
        let copy = try connection.call(ServiceInterface.Export()).file
        defer { KeptFile.remove(copy) }
        try KeptFile.print(copy)
    }
}
