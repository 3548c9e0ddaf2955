internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Pause: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause the exercise.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Pause()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
