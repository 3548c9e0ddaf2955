internal import ArgumentParser
import DaybreakInterfaces

struct Resume: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: Wording.About.resume)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Resume()) { Wording.standing(of: $0.flow) + "\n" }
    }
}
