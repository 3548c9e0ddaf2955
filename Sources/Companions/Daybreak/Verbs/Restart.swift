internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "restart", abstract: "Begin the exercise again, from its first breath.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Restart()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
