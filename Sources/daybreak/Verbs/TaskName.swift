internal import ArgumentParser
import Control

/// How a person names a task: by its name, its day, or a word for one near today.
struct TaskName {
    let text: String

    init(_ text: String) { self.text = text }

    /// The name by which the daemon knows it. A name that is also a day means the task of that name first.
    func assignment(over connection: DaemonConnection) throws(Failure) -> String {
        guard let day = try day(over: connection) else { return text }
        let names = try connection.call(HomeworkInterface.List(day: day)).assignments.map(\.id)
        if names.count == 1 { return names[0] }
        if names.contains(text) { return text }
        guard !names.isEmpty else {
            guard text == day else { throw .refused("NoTaskOnDay", saying: Wording.noTaskOn(text)) }
            return text  // A name may look like a day; else the daemon says that there is none.
        }
        throw .refused("SeveralTasks", saying: Wording.severalTasks(text, names))
    }

    /// Nil where it is no day.
    private func day(over connection: DaemonConnection) throws(Failure) -> String? {
        let steps = ["yesterday": -1, "today": 0, "tomorrow": 1]
        guard let step = steps[text.lowercased()] else {
            return text.utf8.count == 10 ? Day(text).map { _ in text } : nil
        }
        let today = try connection.call(HomeworkInterface.GetStatus()).status.today
        return Day(today).map { Day(number: $0.number + step).text }
    }
}
