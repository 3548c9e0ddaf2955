internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Glibc
import PracticeInterfaces

/// The link with a practice: `daybreak link` and its verbs.
struct LinkVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Link this machine with your practice, and say what your therapist may see.",
        subcommands: [SetUp.self, Status.self, Now.self, Shares.self, End.self, Run.self],
        defaultSubcommand: Status.self)
}

extension LinkVerb {
    struct Now: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "now", abstract: "Ask the practice at once, not at the next look.")

        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            try LinkVerb.checkLinked(connection)
            LinkUnit.start()
            try daemon.ask(Link.LookNow(), over: connection) { _ in
                "The practice is asked now. `daybreak link status` shows what came of it.\n"
            }
        }
    }

    struct End: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "end", abstract: "End the link; your history stays with you.")

        @Flag(help: "Do not ask first.") var yes = false
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let folder = try LinkFolder.ofThisUser()
            let linked = try connection.call(Link.Get()).practice
            guard let practice = try linked ?? folder.practice() else { throw LinkVerb.notLinked }
            try confirm(practice)
            if linked != nil { _ = try connection.call(Link.End()) }
            LinkUnit.disable()
            let isTold = tell(folder, practice)
            try folder.remove()
            let rest =
                isTold
                ? "The practice was told, and has what it heard before."
                : "The practice could not be told now; it hears nothing more. Ask it to remove this machine's key."
            try daemon.answer("The link is ended. \(rest) Your history stays with you.\n")
        }

        /// A practice that is out of reach is no reason to go on with the link.
        private func tell(_ folder: LinkFolder, _ practice: String) -> Bool {
            do throws(Failure) {
                let connection = try folder.connection(to: practice)
                connection.longestAnswer = LinkVerb.patience
                _ = try connection.call(Care.SetShares(shares: []))
                return true
            } catch {
                return false
            }
        }

        private func confirm(_ practice: String) throws {
            guard !yes else { return }
            guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
                throw Failure.refused(
                    "NotConfirmed",
                    saying: "The link goes on, because nobody could be asked. Say --yes to end it without a question.")
            }
            Streams.error(
                "This ends the link with \(practice.shown): your therapist sees nothing more of this machine, and no homework "
                    + "comes from there.\nType yes to go on: ")
            guard readLine() == "yes" else { throw Failure.refused("NotConfirmed", saying: "The link goes on.") }
        }
    }

    /// Runs `daybreak-link`, which links less and so takes less memory.
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "run", abstract: "Carry news and happenings, as daybreak-link.service does, until it is ended.")

        @Option(help: DaemonOptions.socketHelp) var socket: String?

        func run() throws {
            let path = try DaemonSocket.path(explicit: socket, environment: Environment.variables)
            do throws(Failure) { try LinkVerb.checkLinked(try DaemonConnection(to: path)) } catch {
                // A person who runs it by hand sees nothing else until there is a link.
                Streams.error("\(error.sentence)\nThis waits until that has changed.\n")
            }
            throw ChildProcess.replaceThisOne(by: "daybreak-link", [path, try LinkFolder.ofThisUser().path])
        }
    }

    /// Seconds in which the practice answers a call, all of it. Longer, and the client would wait for a hostile one for ever.
    static let patience = 20.0

    static let notLinked = Failure.refused(
        Link.NotLinked.name,
        saying:
            "This machine is linked with no practice; `daybreak link set-up`, with the invitation of one, does that.")

    /// The address of the practice.
    @discardableResult static func checkLinked(_ connection: DaemonConnection) throws(Failure) -> String {
        guard let practice = try connection.call(Link.Get()).practice else { throw notLinked }
        return practice
    }
}

extension DaemonOptions {
    /// Prints the sentence; with --json, an empty object.
    func answer(_ sentence: String) throws { Streams.output(json ? "{}\n" : sentence) }
}

/// daybreak-link.service, where a service manager runs for this user.
enum LinkUnit {
    private static let name = "daybreak-link.service"

    /// True if the service manager has it running.
    @discardableResult static func start() -> Bool { systemctl("start", name) }
    static func enable() -> Bool { systemctl("enable", "--now", name) }
    static func disable() { _ = systemctl("disable", "--now", name) }

    private static func systemctl(_ words: String...) -> Bool {
        do throws(Failure) {
            _ = try ChildProcess.output(of: "systemctl", ["--user", "--quiet"] + words)
            return true
        } catch {
            return false
        }
    }
}

extension LinkVerb: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (_: Link.NotLinked) in LinkVerb.notLinked.sentence },
        Refusal.on { (error: Link.LinkedAlready) in
            "This machine is linked with \(error.practice.shown) already; `daybreak link end` ends that."
        },
        Refusal.on { (_: Link.OtherDevice) in "The history has another name for the practice by now." },
        Refusal.on { (_: Link.HistoryReplaced) in "The history was replaced since the practice last heard of it." },
        Refusal.on { (_: Link.TooMuchToday) in "The practice changes its news too often: the rest is taken tomorrow." },
        Refusal.on { (error: Link.NoAnnouncement) in
            "There is no announcement “\(error.announcement.shown)” (any more)."
        },
        Refusal.on { (_: Link.AnnouncementStays) in "The practice keeps this announcement on show until it ends." },
        Refusal.on { (_: Link.ScheduleFromFile) in "The settings let tasks.json count, not the practice's schedule." },
    ]
}
