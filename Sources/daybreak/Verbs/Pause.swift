internal import ArgumentParser
import Control

struct Pause: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: Wording.About.pause)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(HomeworkInterface.Pause()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
