internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Resume: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "resume", abstract: "Go on with the exercise, with the interrupted breath from its beginning.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Resume()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
