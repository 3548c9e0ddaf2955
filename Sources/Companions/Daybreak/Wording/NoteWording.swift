import DaybreakInterfaces

// Notes: where one was kept, and how many are shown.
extension Wording {
    static let writeNote = "Write the note. Ctrl-D on a line of its own ends it.\n"
    static let notBoth = "Say --task or --next, not both."
    static let noNotes = "There are no notes here yet. `daybreak note` writes one.\n"
    static let noNotesForSession =
        "There are no notes for the next session. Those kept with today's task: `daybreak show today`.\n"

    /// - Parameter isToday: whether the task that it was kept with is today's.
    static func kept(_ note: Homework.Note, isToday: Bool) -> String {
        guard let task = note.assignment else {
            return "Kept for the next session; the wait room shows it. `daybreak notes` shows it now."
        }
        if isToday { return "Kept with today's task. `daybreak show today` shows it." }
        return "Kept with the task \(task.shown). `daybreak show \(task.shown)` shows it."
    }

    static func notes(_ notes: [Homework.Note], ink: Ink) -> String {
        notes.map { note in
            let when = WallTime(note.at).map { "\(fullDay($0.day, today: nil)), \($0.clock)" } ?? note.at.shown
            let whither = note.assignment == nil ? " · for the session" : ""
            let lines = note.text.split(separator: "\n", omittingEmptySubsequences: false)
                .flatMap { String($0).shown.wrapped(to: 76) }
            return ink.faint(when + whither) + "\n" + lines.map { "  \($0)\n" }.joined()
        }
        .joined()
    }

    static func severalTasks(_ day: String, _ names: [String]) -> String {
        "There are \(names.count) tasks on that day (\(day.shown)); say which: \(choices(names))."
    }

    static func noTaskOn(_ day: String) -> String {
        "There is no task on that day (\(day.shown)); `daybreak list --all` shows the days."
    }
}
