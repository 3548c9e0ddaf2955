internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Note: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "note", abstract: "Write something down: kept with the task, or for the next session.",
        discussion:
            "While a task is in progress, and once it is completed until the day ends, a note is kept with it. Else it waits for "
            + "the next session; it belongs to the task whose session is the next to be left, and is shown with the open task "
            + "until then.")

    @Argument(
        help: ArgumentHelp(
            "The note; - reads it from standard input, left out, from the terminal.", valueName: "text"))
    var words: [String] = []
    @Option(help: ArgumentHelp("The task to keep it with. " + TaskName.helpText)) var task: String?
    @Flag(help: "Keep it for the next session.") var next = false
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if next, task != nil { throw ValidationError("Say --task or --next, not both.") }
    }

    func run() throws {
        let connection = try daemon.connection()
        let assignment = try task.map { try TaskName($0).assignment(over: connection) }
        let note = Homework.AddNote(text: try text(), assignment: assignment, nextSession: next ? true : nil)
        // It may have been restarted while the note was written.
        try connection.renewIfEnded()
        try daemon.ask(note, over: connection) { reply in
            Self.kept(reply, isToday: isToday(reply.note.assignment, over: connection)) + "\n"
        }
    }

    /// True if it is the only task of today. False also if the daemon no longer answers: the note is kept already, and the message
    /// names its task.
    private func isToday(_ task: String?, over connection: DaemonConnection) -> Bool {
        guard let task else { return false }
        do throws(Failure) {
            let today = try connection.call(Homework.GetStatus()).status.today
            return try connection.call(Homework.List(day: today)).assignments.map(\.id) == [task]
        } catch {
            return false
        }
    }

    /// Other users see the words of a command line in the list of processes, but not standard input.
    private func text() throws -> String {
        guard words.isEmpty || words == ["-"] else { return words.joined(separator: " ") }
        return try TextInput.word("-", asking: "Write the note.")
    }

    /// - Parameter isToday: whether the note's task is the only one of today.
    static func kept(_ reply: Homework.AddNote.Reply, isToday: Bool) -> String {
        let shared = reply.shared.map { $0 ? " Your therapist hears of it." : " It is not shared." }
        return place(of: reply.note, isToday: isToday) + (shared ?? "")
    }

    private static func place(of note: Homework.Note, isToday: Bool) -> String {
        guard let task = note.assignment else {
            return "Kept for the next session; the wait room shows it. `daybreak notes` shows it now."
        }
        if isToday { return "Kept with today's task. `daybreak show today` shows it." }
        return "Kept with the task \(task.shown). `daybreak show \(task.shown)` shows it."
    }
}

extension Note: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Homework.CannotAddNote) in "The note was not kept. \(Wording.sentence(error.reason))" }
    ]
}
