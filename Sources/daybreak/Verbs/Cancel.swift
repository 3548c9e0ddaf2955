internal import ArgumentParser
import Control

struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: Wording.About.cancel)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(HomeworkInterface.Cancel()) { Wording.outcome($0.assignment) + "\n" }
    }
}
