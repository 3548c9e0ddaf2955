public import Homework
public import Varlink

extension HomeworkInterface {
    /// A setting that a rule goes by.
    public struct Setting: Codable, Equatable, Sendable {
        /// `day.grace_days`
        public var name: String
        public var value: String
        public var file: String
        /// Where the file sets it; nil where it has its default.
        public var line: Int?

        public init(name: String, value: String, file: String, line: Int?) {
            self.name = name
            self.value = value
            self.file = file
            self.line = line
        }
    }

    /// Why a task is in its state.
    public struct Explanation: Codable, Equatable, Sendable {
        public var assignment: Assignment
        public var rule: String
        public var settings: [Setting]
        public var becomes: State?

        public init(assignment: Assignment, rule: String, settings: [Setting], becomes: State?) {
            self.assignment = assignment
            self.rule = rule
            self.settings = settings
            self.becomes = becomes
        }
    }

    public struct Explain: Method, Equatable, Sendable {
        public typealias Reply = ExplainReply
        public static let name = "org.daybreak.Homework.Explain"
        public var task: String?

        public init(task: String? = nil) {
            self.task = task
        }
    }

    public struct ExplainReply: Codable, Equatable, Sendable {
        public var explanations: [Explanation]

        public init(explanations: [Explanation]) {
            self.explanations = explanations
        }
    }
}

extension Standing {
    /// The rule that puts an assignment into this state, as a sentence for people.
    /// - Parameter first: the day of the one that comes before it, where that is why.
    public func rule(behind first: CalendarDay?, on day: CalendarDay) -> String {
        switch self {
        case .locked(.untilItsDay): "A task unlocks at the first instant of its day."
        case .locked(.behind) where first == day:
            "There is one task at a time: today's, in the schedule's order, before any that is late."
        case .locked(.behind):
            "There is one task at a time: the one in progress; else today's; else the oldest late one."
        case .eligible(late: false, _):
            "Today's task is the one to do; of several, the first in the schedule's order that is not completed."
        case .eligible(late: true, _):
            "Where nothing is left to do today, the oldest late task is the one to do, within its days of grace."
        case .inProgress:
            "What was begun may be finished, also after midnight, through the day after; then it makes way."
        case .completed: "What is completed stays completed."
        case .missed: "A task can be done on its own day and for the days of grace after it; then it is missed."
        }
    }
}
