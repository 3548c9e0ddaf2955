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
            let arguments = Array(CommandLine.arguments.dropFirst())
            var verb = try Everyday.verb(arguments) ?? parse(optionsAfterVerb(arguments))
            try verb.run()
        } catch let failure as Failure {
            Standard.end(by: failure)
        } catch {
            exit(withError: error)
        }
    }

    /// A word that is no verb would be taken for one too many after the one that is left out.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        do { return try parseAsRoot(arguments) } catch {
            guard let word = unknownVerb(in: arguments) else { throw error }
            throw Failure.misused(Wording.noVerb(word))
        }
    }

    /// The first word, where it is no verb.
    static func unknownVerb(in arguments: [String]) -> String? {
        guard let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return nil }
        return configuration.subcommands.contains { $0.configuration.commandName == word } ? nil : word
    }

    /// A mood or a note may be in this program's memory: nobody but root looks into it, and the kernel writes no core dump of
    /// it, nor pipes one to a collector (man 2 PR_SET_DUMPABLE). The programs that it runs, the pager among them, have the
    /// limit: with one byte nothing is piped either, with none it is (man 5 core), and from none nobody gets back to one.
    private static func leaveNoCoreDump() {
        _ = cmemory_set_undumpable()
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    /// `daybreak --json status` means `daybreak status --json`: what every verb takes may stand before it.
    static func optionsAfterVerb(_ arguments: [String]) -> [String] {
        var count = 0
        while count < arguments.count {
            switch arguments[count] {
            case "--json": count += 1
            case "--socket": count += 2
            case let option where option.hasPrefix("--socket="): count += 1
            default:
                guard count > 0, !arguments[count].hasPrefix("-") else { return arguments }
                let rest = arguments[count...]
                let end = rest.firstIndex(of: "--") ?? rest.endIndex
                return Array(rest[..<end] + arguments[..<count] + rest[end...])
            }
        }
        return arguments
    }
}

/// The program `daybreak`: runs what its command line asks for, and ends with its exit status.
public func daybreak() { Daybreak.main() }
