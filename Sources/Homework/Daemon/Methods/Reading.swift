import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink
import VarlinkService

extension Homework.List: Handled {
    static let right = Rights.read
    static let takesLong = true

    func job(in context: CallContext) throws -> Job {
        let due = try day.map { text in
            guard let day = CalendarDay(text) else { throw InvalidParameter(parameter: "day") }
            return day
        }
        return context.look { $0.list(all: all ?? false, due: due) }
    }
}

extension Homework.Get: Handled {
    static let right = Rights.read

    func job(in context: CallContext) throws -> Job {
        let id = try context.assignment(assignment)
        return context.look { Reply(assignment: try $0.assignment(id)) }
    }
}

extension Homework.Explain: Handled {
    static let right = Rights.read

    func job(in context: CallContext) -> Job { context.look { Reply(explanations: try $0.explanations(of: task)) } }
}

extension Homework.Show: Handled {
    static let right = Rights.read
    static let takesLong = true

    func job(in context: CallContext) throws -> Job {
        let id = try context.assignment(assignment)
        return context.look { try $0.everything(of: id) }
    }
}

extension Homework.GetStatus: Handled {
    static let right = Rights.read
    var topic: Watchers.Topic? { .status }

    func job(in context: CallContext) -> Job { context.status() }
}

extension Homework.GetPattern: Handled {
    static let right = Rights.read

    func job(in context: CallContext) throws -> Job {
        let pattern = try context.pattern(pattern)
        return context.look(needsHistory: false) { _ in Reply(pattern: Homework.Pattern(pattern)) }
    }
}
