internal import ArgumentParser
import DaybreakInterfaces

struct Leave: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "leave", abstract: Wording.About.leave)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Leave()) { Wording.step($0) + "\n" }
    }
}
