internal import ArgumentParser
import Control

struct Leave: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "leave", abstract: Wording.About.leave)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(HomeworkInterface.Leave()) { Wording.step($0) + "\n" }
    }
}
