internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time
import Varlink

/// A task as a person names it: by its name or its day. A weekday is the last one in every verb; `next friday` is the one to come.
struct TaskName {
    static let helpText = """
        A task: its name, or its day: 2026-11-20, today, yesterday, tomorrow, a weekday (the last one) or "next friday".
        """
    static let help = ArgumentHelp(helpText)

    let text: String

    init(_ text: String) { self.text = text }

    /// The daemon's name for the task. Of several tasks on a day, the one whose name is the day's.
    func assignment(over connection: DaemonConnection) throws(Failure) -> String {
        let names = try assignments(over: connection)
        if names.count == 1 { return names[0] }
        guard names.contains(text) else {
            throw .refused(
                "SeveralTasks",
                saying:
                    "There are \(names.count) tasks on that day (\(text.shown)); say which: \(Wording.choices(names)).")
        }
        return text
    }

    /// The daemon's names for the task; for a day, the names of all its tasks.
    func assignments(over connection: DaemonConnection) throws(Failure) -> [String] {
        guard let day = try day(over: connection) else { return [text] }
        let names = try connection.call(Homework.List(day: day)).assignments.map(\.id)
        guard names.isEmpty else { return names }
        // A name may look like a day, and a task that was withdrawn is found by its day.
        guard try connection.reply(to: Homework.Notes(assignment: day)).error != nil else { return [day] }
        throw .refused("NoTaskOnDay", saying: noTask(on: day))
    }

    /// The sentence for a day without a task. A weekday is named with its date, because it can be the last or the next.
    func noTask(on day: String) -> String {
        let word = text.lowercased()
        let said = ["today", "yesterday", "tomorrow"].contains(word) ? word : "on \(Wording.day(day, today: nil))"
        return "No task is due \(said); `daybreak list --all` shows the days."
    }

    /// The day in the form 2026-11-20; nil if the text names none, or is a weekday and the name of a task.
    func day(over connection: DaemonConnection) throws(Failure) -> String? {
        guard let day = SpokenDay(text) else { return nil }
        if day.isWeekday, try connection.call(Homework.List(all: true)).assignments.contains(where: { $0.id == text }) {
            return nil
        }
        return try connection.spelled(day, weekdays: .last)
    }
}

extension DaemonConnection {
    /// The day that a person wrote, in the form 2026-11-20; nil if the text is none.
    func day(_ text: String, weekdays: SpokenDay.Direction) throws(Failure) -> String? {
        try SpokenDay(text).flatMap { day throws(Failure) in try spelled(day, weekdays: weekdays) }
    }

    fileprivate func spelled(_ day: SpokenDay, weekdays: SpokenDay.Direction) throws(Failure) -> String? {
        if let day = day.exactly { return day.description }
        let today = try call(Homework.GetStatus()).status.today
        return CalendarDay(today).map { day.day(today: $0, weekdays: weekdays).description }
    }
}
