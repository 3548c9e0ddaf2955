internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Glibc
import Varlink

struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "erase",
        abstract: "Erase the mood and the notes of a task, the notes for the next session, or everything, for good.",
        discussion:
            "With a task go the notes for its session. With the open one those are the notes for the next session.")

    @Argument(help: TaskName.help) var task: String?
    @Flag(help: "The notes for the next session.") var next = false
    @Flag(help: "The whole history, and every copy that Daybreak keeps.") var everything = false
    @Flag(help: "Do not ask first.") var yes = false
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard [everything, next, task != nil].count(where: { $0 }) == 1 else {
            throw ValidationError(
                "Say what: `daybreak erase TASK`, `daybreak erase --next`, or `daybreak erase --everything`.")
        }
    }

    func run() throws {
        let connection = try daemon.connection()
        let task = try task.map { try TaskName($0).assignment(over: connection) }
        let words =
            try task.map { try Words(of: $0, over: connection) } ?? Words(isNone: next && Self.isNoneNext(connection))
        try confirm(task, words, over: connection)
        do { try erase(task, words, over: connection) } catch let failure as Failure
            where failure.status == Failure.noDaemonStatus
        {
            throw failure.adding(
                "Perhaps nothing is erased, or not every copy: once daybreakd runs again, erase it again.")
        }
    }

    private func erase(_ task: String?, _ words: Words, over connection: DaemonConnection) throws {
        if next {
            try daemon.ask(Service.Erase(), over: connection) { reply in
                Self.erasedNext(isNone: words.isNone) + Self.removed(reply) + Self.heard(by: reply.practice)
            }
        } else if let task {
            try daemon.ask(Service.Erase(assignment: task), over: connection) { Self.erased(task, words, $0) }
        } else {
            try daemon.ask(Service.EraseEverything(), over: connection) { reply in
                "Everything is erased. \(Self.tasks(over: connection))\n"
                    + Self.heard(
                        by: reply.practice, adding: " The link is ended; `daybreak link end` also removes its key.")
            }
        }
    }

    /// The words that are there to erase.
    private struct Words {
        var isNone: Bool
        /// ` and the 2 notes for the next session`; empty if there are none.
        var session = ""

        init(isNone: Bool) { self.isNone = isNone }

        /// Throws if there is no such task, before anybody is asked.
        init(of task: String, over connection: DaemonConnection) throws(Failure) {
            let reply = try connection.reply(to: Homework.Show(assignment: task))
            isNone = false
            guard reply.decodeError(Homework.NoSuchAssignment.self) == nil else {
                throw Failure(reply, from: .daybreakd, at: connection.path).adding(
                    "If a history that was replaced has it: `daybreak erase --everything` erases those, too.")
            }
            // The erasure itself meets any other error, and says what it means.
            guard reply.error == nil else { return }
            let shown = try connection.decode(Homework.Show.self, from: reply)
            isNone = shown.assignment.mood == nil && shown.notes.isEmpty
            let count = shown.notes.count { $0.assignment == nil }
            guard count > 0 else { return }
            let isOver = shown.steps.contains { $0.what == .left }
            session =
                " and the " + (count == 1 ? "note" : "\(count) notes")
                + (isOver ? " for its session" : " for the next session")
        }
    }

    /// True if no note waits for the next session.
    private static func isNoneNext(_ connection: DaemonConnection) throws(Failure) -> Bool {
        let reply = try connection.reply(to: Homework.Notes())
        // The erasure itself meets the error, and says what it means.
        guard reply.error == nil else { return false }
        return try connection.decode(Homework.Notes.self, from: reply).notes.allSatisfy { $0.assignment != nil }
    }

    private static func erasedNext(isNone: Bool) -> String {
        isNone
            ? "There were no notes for the next session to erase here; what Daybreak's own copies had of them is erased.\n"
            : "The notes for the next session are erased, here and in Daybreak's own backups.\n"
    }

    /// The tasks that there are after everything was erased. Nothing is wrong if the daemon no longer answers.
    private static func tasks(over connection: DaemonConnection) -> String {
        do throws(Failure) {
            let list = try connection.call(Homework.List())
            if let problem = list.problem { return Wording.sentence(problem) }
            guard list.assignments.isEmpty, max(list.earlier, list.later) == 0 else {
                return "The schedule file was taken in anew."
            }
        } catch {}  // The sentence holds in any case.
        return "Tasks that were imported, or came from a practice, are erased, too."
    }

    private static func erased(_ task: String, _ words: Words, _ reply: Service.Erase.Reply) -> String {
        let said =
            words.isNone
            ? "Task “\(task.shown)” had no mood and no notes to erase here; what Daybreak's own copies had of it is erased."
            : "The mood and the notes of task “\(task.shown)”\(words.session) are erased, here and in Daybreak's own backups."
        return said + "\n" + removed(reply) + heard(by: reply.practice)
    }

    private static func removed(_ reply: Service.Erase.Reply) -> String {
        (reply.removed ?? []).map { "Removed, because it could not be read: \($0.shown)\n" }.joined()
    }

    private static func heard(by practice: String?, adding more: String = "") -> String {
        practice.map { "\(heard($0))\(more)\n" } ?? ""
    }

    private static func heard(_ practice: String) -> String {
        "\(practice.shown) keeps what it has heard already: ask your therapist about that."
    }

    /// Asks the person at the terminal; a program has to pass `--yes`.
    private func confirm(_ task: String?, _ words: Words, over connection: DaemonConnection) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure.refused(
                "NotConfirmed",
                saying: "Nothing was erased, because nobody could be asked. Say --yes to erase without a question.")
        }
        let heard = try connection.call(Link.Get()).practice.map { " " + Self.heard($0) } ?? ""
        let warning = next ? Self.warningOfNext : Self.warning(task, words)
        let columns = min(80, max(20, Streams.columns(of: STDERR_FILENO) ?? 80))
        let lines = (warning + heard).wrapped(to: columns - 1).joined(separator: "\n")
        Streams.error(lines + "\nType yes to go on: ")
        guard readLine() == "yes" else { throw Failure.refused("NotConfirmed", saying: "Nothing was erased.") }
    }

    private static let warningOfNext =
        "This erases the notes for the next session for good, and with them every backup of the history that Daybreak keeps by "
        + "itself. Histories that you replaced are kept without them. Backups that you made are yours to remove."

    private static func warning(_ task: String?, _ words: Words) -> String {
        guard let task else {
            return "This erases all that ever happened, for good, with every backup that Daybreak keeps by itself and "
                + "every history that you replaced. The schedule file, tasks.json, stays, and is taken in anew; tasks "
                + "that you imported, or that came from a practice, are erased, and a link is ended. Backups that you made "
                + "are yours to remove."
        }
        let erases =
            words.isNone
            ? "Task “\(task.shown)” has no mood and no notes here. This erases those that earlier copies may have of it "
            : "This erases the mood and the notes of task “\(task.shown)”\(words.session) "
        return erases + "for good, and with them every backup of the history that Daybreak keeps by itself. "
            + "Histories that you replaced are kept without them. Backups "
            + "that you made are yours to remove."
    }
}

extension Erase: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Service.CannotErase) in "Nothing was erased. \(Wording.sentence(error.reason))" }
    ]
}
