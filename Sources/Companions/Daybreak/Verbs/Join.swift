internal import ArgumentParser
import DaybreakInterfaces

struct Join: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "join", abstract: Wording.About.join)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Join()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
