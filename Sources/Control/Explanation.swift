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
        public var reminding: Reminding?

        public init(
            assignment: Assignment, rule: String, settings: [Setting], becomes: State?, reminding: Reminding? = nil
        ) {
            self.assignment = assignment
            self.rule = rule
            self.settings = settings
            self.becomes = becomes
            self.reminding = reminding
        }
    }

    /// When a task is spoken of next, and what decides about that.
    public struct Reminding: Codable, Equatable, Sendable {
        public var rule: String
        public var settings: [Setting]
        public var next: String?

        public init(rule: String, settings: [Setting], next: String? = nil) {
            self.rule = rule
            self.settings = settings
            self.next = next
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
    /// Of several of one day.
    private static let oneAtATime =
        "There is one task at a time: today's, in the schedule's order, before any that is late."

    /// The rule that puts an assignment into this state, as a sentence for people.
    /// - Parameter first: the day of the one that comes before it, where that is why.
    public func rule(behind first: CalendarDay?, on day: CalendarDay) -> String {
        switch self {
        case .locked(.untilItsDay): "A task unlocks at the first instant of its day."
        case .locked(.afterAnother): Self.oneAtATime
        case .locked(.behind) where first == day: Self.oneAtATime
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

extension Reminding {
    /// What decides, as a sentence for people.
    public var sentence: String {
        switch self {
        case .withItsDay:
            "It is told of when it unlocks: in quiet hours once they end, and beyond the day's limit on the next day."
        case .attended: "Nobody is reminded of it in the middle of it."
        case .full: "This day has brought as many reminders as it may."
        case .snoozed:
            "It is snoozed: one reminder comes when that ends, or when the quiet hours do into which that falls."
        case .quiet: "These are quiet hours: what comes up in them is told once, when they end."
        case .atTimes:
            """
            It is told of at each of the times, on the chosen days, outside quiet hours and within the day's limit; a time \
            that passed unseen is made up for once, unless that is too long ago.
            """
        }
    }
}
