internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "cancel",
        abstract: "Give the task up for now; nothing is completed, and the breaths drawn are kept.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Cancel()) { Wording.outcome($0.assignment) + "\n" }
    }
}
