internal import ArgumentParser
import DaybreakInterfaces

struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restart", abstract: Wording.About.restart)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Restart()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
