internal import ArgumentParser
import Control
import Glibc

/// `daybreak`, the companion of daybreakd: every verb is one call or a few over the control socket.
@main
struct Daybreak: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybreak", abstract: Wording.About.daybreak, version: Product.version,
        subcommands: [
            List.self, Start.self, Breathe.self, Pause.self, Resume.self, Restart.self, Join.self, Leave.self,
            Mood.self, Note.self, Notes.self, Cancel.self, Status.self, Reminders.self, Snooze.self, Provider.self,
            Schedule.self, Explain.self, Simulate.self, Reload.self,
        ],
        defaultSubcommand: List.self)

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        do {
            var verb = try parseAsRoot()
            try verb.run()
        } catch let failure as Failure {
            Standard.error((CommandLine.arguments.contains("--json") ? failure.json : failure.sentence) + "\n")
            Glibc.exit(failure.status)
        } catch {
            exit(withError: error)
        }
    }
}
