internal import ArgumentParser
import DaybreakInterfaces

struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: Wording.About.cancel)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Cancel()) { Wording.outcome($0.assignment) + "\n" }
    }
}
