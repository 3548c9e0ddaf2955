internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Leave: ParsableCommand {
    static let configuration = CommandConfiguration.verb("leave", abstract: "Leave the session.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Leave()) { Wording.step($0) + "\n" }
    }
}
