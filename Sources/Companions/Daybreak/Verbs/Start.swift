internal import ArgumentParser
import DaybreakInterfaces
import Glibc
import Varlink

struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "start", abstract: Wording.About.start)

    @Argument(help: ArgumentHelp(Wording.About.startTask)) var task: String?
    @Option(help: ArgumentHelp(Wording.About.pattern)) var pattern: String?
    @Flag(help: ArgumentHelp(Wording.About.plain)) var plain = false
    @Flag(help: ArgumentHelp(Wording.About.noCountdown)) var noCountdown = false
    @Flag(help: ArgumentHelp(Wording.About.reducedMotion)) var reducedMotion = false
    @Flag(help: ArgumentHelp(Wording.About.sound)) var sound = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let task = try task.map { try TaskName($0).assignment(over: connection) }
        guard !daemon.json else {
            let start = Homework.Start(assignment: task, pattern: pattern)
            return try daemon.ask(start, over: connection) { _ in "" }
        }
        let liked = try preferences(over: connection)
        let manner = Manner(
            isPlain: plain || liked.plain || !isScreen, countsDown: liked.countdown && !noCountdown,
            moves: liked.motion && !reducedMotion)
        let cue = sound || liked.sound ? Cue(command: liked.soundCommand) : nil
        let (conversation, walk) = try Conversation.begin(
            path: daemon.path, task: task, pattern: pattern, manner: manner)
        let said =
            try manner.isPlain
            ? PlainWalk(conversation, walk, cue: cue).run()
            : GuidedScreen(conversation, walk, palette: .of(Standard.environment), cue: cue).run()
        if !said.isEmpty { Standard.output(said + "\n") }
    }

    /// How the client likes it, as the settings say; their command is only run where the daemon is the client's own.
    private func preferences(over connection: DaemonConnection) throws -> Service.Preferences {
        let reply = try connection.reply(to: Service.GetPreferences())
        guard reply.error == nil else { return Service.Preferences() }  // A daemon of before they were.
        var liked = try connection.decode(Service.GetPreferences.self, from: reply).preferences
        if !connection.isOurs { liked.soundCommand = [] }
        return liked
    }

    private var isScreen: Bool {
        let dumb = (Standard.environment["TERM"] ?? "dumb") == "dumb"
        return !dumb && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }
}
