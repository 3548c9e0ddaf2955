internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Varlink

struct Schedule: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Take in a schedule of tasks, or check one.",
        subcommands: [Import.self, Check.self])

    private static let fileHelp: ArgumentHelp =
        "A schedule: a JSON array of [breath count, mood choices, due date]. - is standard input."

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "import", abstract: "Replace the schedule by the one in FILE, whole or not at all.",
            discussion:
                "It is refused while your tasks come from your practice: two schedules would contradict each other.")

        @Argument(help: Schedule.fileHelp, completion: .file()) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: false, to: daemon) }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "check", abstract: "Say what importing FILE would change, or what is wrong with it.")

        @Argument(help: Schedule.fileHelp, completion: .file()) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: true, to: daemon) }
    }

    /// In bytes: the daemon's own limit.
    private static let longest = 16 * 1024 * 1024

    private static func hand(_ file: String, dryRun: Bool, to daemon: DaemonOptions) throws {
        let schedule = try TextInput.text(of: file, limit: longest)
        let connection: DaemonConnection
        let path = try daemon.path
        do throws(Failure) {
            connection = try DaemonConnection(to: path)
        } catch {
            guard dryRun, error.status == Failure.noDaemonStatus else { throw error }
            return try checkWithoutDaemon(file, json: daemon.json, failure: error)
        }
        let reply = try connection.reply(to: Homework.Import(schedule: schedule, dryRun: dryRun ? true : nil))
        if let error = reply.decodeError(Homework.InvalidSchedule.self) {
            throw Failure(refusal: reply, saying: text(error, file: file))
        }
        try daemon.answer(reply, of: Homework.Import.self, over: connection) { text($0, dryRun: dryRun) + "\n" }
    }

    /// Checks whether the file is a schedule. Only a daemon can tell what importing it would change.
    private static func checkWithoutDaemon(_ file: String, json: Bool, failure: Failure) throws {
        guard file != "-" else { throw failure }
        _ = try ChildProcess.output(of: "daybreakd", ["--check-schedule", file])
        Streams.output(
            verbatim:
                json
                ? "{\"sound\":true}\n"
                : "The schedule is good. Only a running daybreakd can say what it would change.\n")
    }

    /// The error in the form of a compiler's, so that an editor finds the place.
    static func text(_ error: Homework.InvalidSchedule, file: String) -> String {
        let entry = error.entry.map { "entry \($0): " } ?? ""
        return "\(file.shown):\(error.line):\(error.column): \(entry)\(error.reason.shown)"
    }

    static func text(_ reply: Homework.Import.Reply, dryRun: Bool) -> String {
        let parts = [
            (reply.added, "added"), (reply.changed, "changed"), (reply.withdrawn, "withdrawn"),
            (reply.kept, "kept, because \(reply.kept == 1 ? "it was" : "they were") started or missed"),
            (reply.unchanged, "unchanged"),
        ]
        let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let changes = said.isEmpty ? "no tasks in it" : said
        if dryRun { return "The schedule is good. It would mean: \(changes)." }
        return "The schedule was taken in: \(changes)." + (reply.fileDiffers == true ? "\n" + fileDiffers : "")
    }

    private static let fileDiffers =
        """
        tasks.json still has another text: a restart or `daybreak reload` leaves it alone; once it is saved with a change, \
        it takes the place of what was imported.
        """
}

extension Schedule: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (_: Homework.ScheduleFromPractice) in
            "Nothing was taken in. Your tasks come from your practice, and a second schedule would contradict it. "
                + "`[schedule] from = \"file\"` in daybreak.toml lets your own count."
        },
        Refusal.on { (error: Homework.InvalidSchedule) in Schedule.text(error, file: "-") },
    ]
}
