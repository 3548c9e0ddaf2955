internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time
import Varlink

/// A task as a person names it: by its name or its day.
struct TaskName {
    static let helpText = "A task: its name, or its day: 2026-11-20, today, yesterday, tomorrow or a weekday."
    static let help = ArgumentHelp(helpText)

    let text: String
    private let weekdays: SpokenDay.Direction

    /// - Parameter weekdays: the day that a weekday means.
    init(_ text: String, weekdays: SpokenDay.Direction = .last) { (self.text, self.weekdays) = (text, weekdays) }

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
        // A name may look like a day, and a task that was withdrawn is found by its day; else the daemon says that there is none.
        guard text != day, try connection.reply(to: Homework.Notes(assignment: day)).error != nil else { return [day] }
        throw .refused(
            "NoTaskOnDay",
            saying: "No task is due \(text.lowercased()); `daybreak list --all` shows the days.")
    }

    /// The day in the form 2026-11-20; nil if the text names none, or is a weekday and the name of a task.
    func day(over connection: DaemonConnection) throws(Failure) -> String? {
        guard let day = SpokenDay(text) else { return nil }
        if day.isWeekday, try connection.call(Homework.List(all: true)).assignments.contains(where: { $0.id == text }) {
            return nil
        }
        return try connection.spelled(day, weekdays: weekdays)
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
