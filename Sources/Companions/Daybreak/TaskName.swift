internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

/// A task as a person names it: by its name, its day, or `yesterday`, `today` or `tomorrow`.
struct TaskName {
    static let helpText = "A task: its name, its day (2026-11-20), today, yesterday or tomorrow."
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
        guard text == day else {
            throw .refused(
                "NoTaskOnDay",
                saying: "There is no task on that day (\(text.shown)); `daybreak list --all` shows the days.")
        }
        return [text]  // A name may look like a day; else the daemon says that there is none.
    }

    /// The day in the form 2026-11-20; nil if the text names none.
    func day(over connection: DaemonConnection) throws(Failure) -> String? {
        let steps = ["yesterday": -1, "today": 0, "tomorrow": 1]
        guard let step = steps[text.lowercased()] else { return CalendarDay(text)?.description }
        let today = try connection.call(Homework.GetStatus()).status.today
        return CalendarDay(today).map { ($0 + step).description }
    }
}
