internal import ArgumentParser
import DaybreakInterfaces

/// How a person names a task: by its name, its day, or a word for one near today.
struct TaskName {
    let text: String

    init(_ text: String) { self.text = text }

    /// The name by which the daemon knows it. Of several on a day, the one whose name is the day's.
    func assignment(over connection: DaemonConnection) throws(Failure) -> String {
        let names = try assignments(over: connection)
        if names.count == 1 { return names[0] }
        guard names.contains(text) else { throw .refused("SeveralTasks", saying: Wording.severalTasks(text, names)) }
        return text
    }

    /// All that are meant: of a day, all of its tasks.
    func assignments(over connection: DaemonConnection) throws(Failure) -> [String] {
        guard let day = try day(over: connection) else { return [text] }
        let names = try connection.call(Homework.List(day: day)).assignments.map(\.id)
        guard names.isEmpty else { return names }
        guard text == day else { throw .refused("NoTaskOnDay", saying: Wording.noTaskOn(text)) }
        return [text]  // A name may look like a day; else the daemon says that there is none.
    }

    /// The day that is meant, as 2026-11-20; nil where it is none.
    func day(over connection: DaemonConnection) throws(Failure) -> String? {
        let steps = ["yesterday": -1, "today": 0, "tomorrow": 1]
        guard let step = steps[text.lowercased()] else {
            return text.utf8.count == 10 ? Day(text).map { _ in text } : nil
        }
        let today = try connection.call(Homework.GetStatus()).status.today
        return Day(today).map { Day(number: $0.number + step).text }
    }
}
