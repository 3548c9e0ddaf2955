internal import ArgumentParser
import Control

struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restart", abstract: Wording.About.restart)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(HomeworkInterface.Restart()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
