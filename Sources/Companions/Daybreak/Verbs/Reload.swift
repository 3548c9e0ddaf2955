internal import ArgumentParser
import DaybreakInterfaces

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "reload", abstract: Wording.About.reload)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Service.Reload()) { _ in Wording.reloaded + "\n" }
    }
}
