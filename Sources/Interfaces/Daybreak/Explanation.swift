public import Varlink

extension Homework {
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
