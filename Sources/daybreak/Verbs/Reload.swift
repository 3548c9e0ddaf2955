internal import ArgumentParser
import Control

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "reload", abstract: Wording.About.reload)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(ServiceInterface.Reload()) { _ in Wording.reloaded + "\n" }
    }
}
