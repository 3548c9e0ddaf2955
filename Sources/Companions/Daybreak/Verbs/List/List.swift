internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct List: ParsableCommand {
    static let configuration = CommandConfiguration.verb("list", abstract: "Show my tasks.")

    enum Part: EnumerableFlag {
        case all, completed, upcoming, missed

        static func help(for part: Part) -> ArgumentHelp? {
            switch part {
            case .all: "Every task, with its name."
            case .completed: "Every task that is completed."
            case .upcoming: "Every task that is open or still to come."
            case .missed: "Every task that can no longer be done."
            }
        }

        func has(_ state: Homework.State) -> Bool {
            switch self {
            case .all: true
            case .completed: state == .completed
            case .upcoming: state == .locked || state == .eligible || state == .inProgress
            case .missed: state == .missed
            }
        }

        /// The sentence if the list has no such task.
        func none(fromPractice: Bool) -> String {
            switch self {
            case .all: TaskTable.noTasks(fromPractice: fromPractice)
            case .completed: "No task is completed yet."
            case .upcoming: "No task is open or still to come."
            case .missed: "No task was missed."
            }
        }
    }

    /// At most one: the parser takes several, so that the refusal is a plain sentence.
    @Flag var parts: [Part] = []
    @OptionGroup var pager: PagerOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard parts.count < 2 else {
            throw ValidationError("Say one of --all, --completed, --upcoming and --missed.")
        }
    }

    func run() throws {
        let part = parts.first
        let connection = try daemon.connection()
        var reply = try connection.call(Homework.List(all: part == nil ? nil : true))
        let isOver = reply.isOver
        if let part { reply.assignments.removeAll { !part.has($0.state) } }
        guard !daemon.json else { return Streams.output(object: reply) }
        if let part, part != .all, reply.assignments.isEmpty {
            return Streams.output(part.none(fromPractice: reply.fromPractice == true) + "\n")
        }
        let announced = try reply.news.flatMap { news throws(Failure) in try news.announced(over: connection) }
        pager.print(
            TaskTable(
                reply, named: part != nil, isOver: isOver && [nil, .all].contains(part), announced: announced,
                columns: Pager.columns, ink: Streams.ink
            ).text)
    }
}

extension Homework.List.Reply {
    /// True if no task is open or still to come. The short list leaves none of those out that are due today or before.
    var isOver: Bool { later == 0 && assignments.allSatisfy { $0.state == .completed || $0.state == .missed } }
}
