internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Have daybreakd read its configuration and schedule again.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Service.Reload()) { _ in "The configuration and the schedule were read again.\n" }
    }
}
