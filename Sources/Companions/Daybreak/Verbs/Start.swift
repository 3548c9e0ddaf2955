internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Glibc
import Varlink

struct Start: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "start", abstract: "Go through today's task, guided from the breathing to the mood.")

    @Argument(help: ArgumentHelp(TaskName.helpText + " Left out: the one that is open.")) var task: String?
    @Option(help: "How each breath goes: a pattern's name, or seconds such as 4-0-6-0.") var pattern: String?
    @Flag(help: "Lines of text instead of a full screen, fit for a screen reader.") var plain = false
    @Flag(help: "Show no seconds, neither of the phase nor of the time left.") var noCountdown = false
    @Flag(help: "Only the words change; nothing moves.") var reducedMotion = false
    @Flag(help: "A cue at each phase, for closed eyes: the settings' command, or the terminal's bell.")
    var sound = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let task = try task.map { try TaskName($0).assignment(over: connection) }
        guard !daemon.json else {
            let start = Homework.Start(assignment: task, pattern: pattern)
            return try daemon.ask(start, over: connection) { _ in "" }
        }
        let preferences = try Self.preferences(over: connection)
        let presentation = Presentation(
            isPlain: plain || preferences.plain || !isScreen, countsDown: preferences.countdown && !noCountdown,
            moves: preferences.motion && !reducedMotion)
        let cue = sound || preferences.sound ? Cue(command: preferences.soundCommand) : nil
        let (conversation, begun) = try Conversation.begin(
            path: daemon.path, task: task, pattern: pattern, presentation: presentation)
        var walk = begun
        walk.isLinked = Self.isLinked
        let said: String
        let ending: Walk.Ending?
        if presentation.isPlain {
            let lines = PlainWalk(conversation, walk, cue: cue)
            (said, ending) = (try lines.run(), lines.ending)
        } else {
            let screen = GuidedScreen(conversation, walk, palette: .of(Environment.variables), cue: cue)
            (said, ending) = (try screen.run(), screen.ending)
        }
        if !said.isEmpty { Streams.output(said + "\n") }
        // As of a program that SIGINT ended, such as `daybreak breathe`.
        if ending == .interrupted { throw ExitCode(128 + SIGINT) }
    }

    /// The client's preferences from the settings. Their sound command is only run where the daemon is the client's own.
    static func preferences(over connection: DaemonConnection) throws -> Service.Preferences {
        let reply = try connection.reply(to: Service.GetPreferences())
        guard reply.error == nil else { return Service.Preferences() }  // An older daemon has no such method.
        var preferences = try connection.decode(Service.GetPreferences.self, from: reply).preferences
        if !connection.isOurs { preferences.soundCommand = [] }
        return preferences
    }

    /// A link was set up on this machine, and a person can be asked.
    private static var isLinked: Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        // Without a folder that can be read, there is none.
        return (try? LinkFolder.ofThisUser().practice()) != nil
    }

    private var isScreen: Bool {
        let dumb = (Environment.variables["TERM"] ?? "dumb") == "dumb"
        return !dumb && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }
}

extension Start: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Homework.Locked) in
            "This task is still locked: it unlocks \(Wording.time(error.unlocksAt, today: nil))."
        },
        Refusal.on { (error: Homework.NotEligible) in
            let reason = Wording.reason(error.cause, else: error.reason)
            return error.eligible == nil
                ? "This task cannot be started. \(reason)"
                : "This task cannot be started now. \(reason) `daybreak start` takes up the one that is open."
        },
        Refusal.on { (error: Homework.NothingEligible) in
            let problem = error.problem.map { " " + Wording.sentence($0) } ?? ""
            guard let next = error.nextUnlock else {
                return "There is no task to do now, and none is scheduled after it." + problem
            }
            return "There is no task to do now; the next one unlocks \(Wording.time(next, today: nil))." + problem
        },
        Refusal.on { (error: Homework.InvalidPattern) in Wording.sentence(error.reason) },
        Refusal.on { (error: Homework.PatternStands) in
            "The exercise was begun with the pattern \(error.pattern.shown), and goes on with it. "
                + "`daybreak start` without a pattern goes on."
        },
    ]
}
