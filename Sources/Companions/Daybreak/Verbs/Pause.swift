internal import ArgumentParser
import DaybreakInterfaces

struct Pause: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: Wording.About.pause)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Pause()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
