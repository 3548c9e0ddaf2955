internal import ArgumentParser
import Control

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: Wording.About.status)

    @Flag(help: ArgumentHelp(Wording.About.follow)) var follow = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard follow else {
            return try daemon.ask(HomeworkInterface.GetStatus()) { Wording.status($0.status, ink: Standard.ink) }
        }
        var shown = false
        try daemon.follow(HomeworkInterface.GetStatus()) { reply in
            defer { shown = true }
            return (shown ? "\n" : "") + Wording.status(reply.status, ink: Standard.ink)
        }
    }
}
