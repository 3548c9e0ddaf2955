import ArgumentParser
import CMemory
import DaybreakInterfaces
import Glibc

/// `daybreak`, the companion of daybreakd: every verb is one call or a few over the control socket.
struct Daybreak: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybreak", abstract: Wording.About.daybreak, version: Product.version,
        groupedSubcommands: [
            CommandGroup(
                name: Wording.About.today,
                subcommands: [
                    List.self, Start.self, Mood.self, Note.self, Notes.self, Status.self, Snooze.self, Reminders.self,
                ]),
            CommandGroup(
                name: Wording.About.stepByStep,
                subcommands: [
                    Breathe.self, Pause.self, Resume.self, Restart.self, Join.self, Leave.self, Cancel.self,
                    ProviderVerb.self,
                ]),
            CommandGroup(name: Wording.About.lookingBack, subcommands: [Show.self, Moods.self]),
            CommandGroup(
                name: Wording.About.lookingAhead, subcommands: [Schedule.self, Explain.self, Simulate.self]),
            CommandGroup(
                name: Wording.About.upkeep,
                subcommands: [
                    Doctor.self, Backup.self, Restore.self, Export.self, Erase.self, Reload.self,
                ]),
        ],
        defaultSubcommand: List.self)

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_TIME, "")
        leaveNoCoreDump()
        do {
            var verb = try Verbs.command(Array(CommandLine.arguments.dropFirst()), of: Daybreak.self)
            try verb.run()
        } catch let failure as Failure {
            Standard.end(by: failure)
        } catch {
            if exitCode(for: error) == .validationFailure, CommandLine.arguments.contains("--json") {
                Standard.end(by: .misused(message(for: error)))
            }
            exit(withError: error)
        }
    }

    /// A mood or a note may be in this program's memory: nobody but root looks into it, and the kernel writes no core dump of
    /// it, nor pipes one to a collector (man 2 PR_SET_DUMPABLE). The programs that it runs, the pager among them, have the
    /// limit: with one byte nothing is piped either, with none it is (man 5 core), and from none nobody gets back to one.
    private static func leaveNoCoreDump() {
        _ = cmemory_set_undumpable()
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}

/// The program `daybreak`: runs what its command line asks for, and ends with its exit status.
public func daybreak() { Daybreak.main() }
