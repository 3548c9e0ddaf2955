import DaybreakInterfaces
import HomeworkRules
import Varlink
import VarlinkService

extension Homework.Start: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        let command = Command.start(try assignment.map(context.assignment), pattern: try pattern.map(context.pattern))
        return context.command(command) { Reply(flow: try $0.flow()) }
    }
}

extension Homework.Breathe: Handled {
    static let right = Rights.act
    var topic: Watchers.Topic? { .guide }

    func job(in context: CallContext) throws -> Job {
        guard context.wantsMore else { throw ExpectedMore() }
        return context.command(.breathe) { Reply(flow: try $0.flow()) }
    }
}

extension Homework.Pause: Handled {
    static let right = Rights.act
    func job(in context: CallContext) -> Job { context.command(.pause) { Reply(flow: try $0.flow()) } }
}

extension Homework.Resume: Handled {
    static let right = Rights.act
    func job(in context: CallContext) -> Job { context.command(.resume) { Reply(flow: try $0.flow()) } }
}

extension Homework.Restart: Handled {
    static let right = Rights.act
    func job(in context: CallContext) -> Job { context.command(.restart) { Reply(flow: try $0.flow()) } }
}

extension Homework.Join: Handled {
    static let right = Rights.act
    func job(in context: CallContext) -> Job { context.command(.join) { Reply(flow: try $0.flow()) } }
}

// These may end the flow, so they answer with its assignment.

extension Homework.Leave: Handled {
    static let right = Rights.act

    func job(in context: CallContext) -> Job {
        context.command(.leave) { Reply(flow: $0.maybeFlow, assignment: try $0.steppedAssignment()) }
    }
}

extension Homework.LogMood: Handled {
    static let right = Rights.act

    func job(in context: CallContext) -> Job {
        context.command(.logMood(Mood(mood))) { Reply(flow: $0.maybeFlow, assignment: try $0.steppedAssignment()) }
    }
}

extension Homework.Cancel: Handled {
    static let right = Rights.act
    func job(in context: CallContext) -> Job {
        context.command(.cancel) { Reply(assignment: try $0.steppedAssignment()) }
    }
}

extension Homework.CorrectMood: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        let id = try assignment.map(context.assignment)
        return context.command(.correctMood(Mood(mood), of: id)) { view in
            guard let id = id ?? view.plan.moodLoggedLast else { throw Homework.NotCompleted() }
            return Reply(assignment: try view.assignment(id))
        }
    }
}
