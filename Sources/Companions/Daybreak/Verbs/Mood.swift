internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Varlink

struct Mood: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "mood", abstract: "Log the mood of the task in progress, or list its choices.")

    @Argument(
        help: ArgumentHelp(
            """
            One of the task's moods, or the number beside it; - reads it from standard input; left out: list them. With --correct: \
            the task that is meant.
            """, valueName: "word"))
    var words: [String] = []
    @Option(
        help: ArgumentHelp(
            "Correct the mood that was logged last, or that of the task named, to this word or number.",
            valueName: "word"))
    var correct: String?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if correct != nil, words.count > 1 {
            throw ValidationError("With --correct, name at most one task; a mood of several words needs quotes.")
        }
    }

    func run() throws {
        if let correct { return try change(to: correct) }
        return words.isEmpty ? try listChoices() : try log()
    }

    private func listChoices() throws {
        let connection = try daemon.connection()
        let status = try connection.call(Homework.GetStatus()).status
        guard let assignment = status.flow?.assignment ?? status.eligible?.id else {
            // Throws if the daemon knows no task, because the history is damaged.
            _ = try connection.call(Homework.List())
            throw Failure.refused(
                Homework.NoFlow.name,
                saying: "No task is open now, so there is no mood to choose. "
                    + "`daybreak mood --correct WORD` changes the last one.")
        }
        try daemon.ask(Homework.Get(assignment: assignment), over: connection) {
            Wording.numbered($0.assignment.moods) + Self.next(of: $0.assignment, in: status)
        }
    }

    /// The next step with the choices; empty while the task waits for one of them.
    private static func next(of assignment: Homework.Assignment, in status: Homework.Status) -> String {
        if assignment.mood != nil { return loggedAlready(assignment.mood) + "\n" }
        guard status.flow == nil else { return "" }
        let task = Wording.task(due: assignment.due, today: status.today)
        let (state, does) =
            assignment.startedAt == nil ? ("is not begun yet", "begins it") : ("was begun", "goes on with it")
        return "\(task) \(state): `daybreak start` \(does), and asks for the mood at its end.\n"
    }

    private func log() throws {
        let mood = try TextInput.word(words.joined(separator: " "))
        let connection = try daemon.connection()
        let reply = try Self.reply(to: { Homework.LogMood(mood: $0) }, with: mood, over: connection)
        if reply.decodeError(Homework.NoFlow.self) != nil {
            throw Failure(
                refusal: reply,
                saying: "No task is in progress; `daybreak start` begins one. "
                    + "`daybreak mood --correct WORD` changes the last mood.")
        }
        if reply.decodeError(Homework.MoodAlreadyLogged.self) != nil {
            throw Failure(refusal: reply, saying: Self.loggedAlready(try logged(over: connection)))
        }
        try daemon.answer(reply, of: Homework.LogMood.self, over: connection) { reply in
            guard let flow = reply.flow else { return Wording.outcome(reply.assignment) + "\n" }
            let mood = reply.assignment.mood.map { "“\($0.shown)”" } ?? "The mood"
            return "\(mood) is logged. \(Wording.standing(of: flow))\n"
        }
    }

    /// The mood of the task in progress; nil if it was erased.
    private func logged(over connection: DaemonConnection) throws -> String? {
        guard let flow = try connection.call(Homework.GetStatus()).status.flow else { return nil }
        return try connection.call(Homework.Get(assignment: flow.assignment)).assignment.mood
    }

    private static func loggedAlready(_ mood: String?) -> String {
        let mood = mood.map { ": “\($0.shown)”" } ?? ""
        return "The mood of this task is logged already\(mood). `daybreak mood --correct WORD` changes it."
    }

    private func change(to given: String) throws {
        let mood = try TextInput.word(given)
        let connection = try daemon.connection()
        let task = try words.first.map { try TaskName($0).assignment(over: connection) }
        let reply = try Self.reply(
            to: { Homework.CorrectMood(mood: $0, assignment: task) }, with: mood, over: connection)
        try daemon.answer(reply, of: Homework.CorrectMood.self, over: connection) {
            "The mood is corrected. \(Wording.outcome($0.assignment))\n"
        }
    }

    /// Calls with the word. If it is none of the choices, and the number of one, calls with that choice, as the guided way does.
    private static func reply<Call: Method>(
        to call: (String) -> Call, with mood: String, over connection: DaemonConnection
    ) throws(Failure) -> Reply {
        let reply = try connection.reply(to: call(mood))
        guard let choices = reply.decodeError(Homework.MoodNotOffered.self)?.moods, Wording.countsChoices(choices),
            let place = choices.index(numbered: Int(mood))
        else { return reply }
        return try connection.reply(to: call(choices[place]))
    }
}

extension Mood: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Homework.MoodNotOffered) in
            "That mood is not among this task's choices; type \(Wording.oneOf(error.moods)):\n"
                + Wording.numbered(error.moods).split(separator: "\n").joined(separator: "\n")
        },
        Refusal.on { (_: Homework.MoodAlreadyLogged) in loggedAlready(nil) },
        Refusal.on { (error: Homework.NotCompleted) in
            error.assignment == nil
                ? "No mood is logged yet, so there is none to correct."
                : "This task has no mood yet that could be corrected."
        },
    ]
}
