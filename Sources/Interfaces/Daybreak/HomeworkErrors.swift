public import Varlink

// The errors of org.daybreak.Homework: each is a refusal that says enough to know what to do next.
extension Homework {
    public struct Locked: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.Locked"
        public var assignment: String
        public var unlocksAt: String

        public init(assignment: String, unlocksAt: String) {
            self.assignment = assignment
            self.unlocksAt = unlocksAt
        }
    }

    public struct NotEligible: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.NotEligible"
        public var assignment: String
        public var eligible: String?
        public var reason: String

        public init(assignment: String, eligible: String? = nil, reason: String) {
            self.assignment = assignment
            self.eligible = eligible
            self.reason = reason
        }
    }

    public struct NothingEligible: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.NothingEligible"
        public var nextUnlock: String?

        public init(nextUnlock: String? = nil) {
            self.nextUnlock = nextUnlock
        }
    }

    public struct AlreadyCompleted: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.AlreadyCompleted"
        public var assignment: String
        public var completedOn: String

        public init(assignment: String, completedOn: String) {
            self.assignment = assignment
            self.completedOn = completedOn
        }
    }

    public struct NoSuchAssignment: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.NoSuchAssignment"
        public var assignment: String

        public init(assignment: String) {
            self.assignment = assignment
        }
    }

    public struct NoFlow: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.NoFlow"

        public init() {}
    }

    public struct WrongStage: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.WrongStage"
        public var stage: String
        public var allowed: [String]

        public init(stage: String, allowed: [String]) {
            self.stage = stage
            self.allowed = allowed
        }
    }

    public struct NotGuided: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.NotGuided"

        public init() {}
    }

    public struct ProviderUnavailable: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.ProviderUnavailable"

        public init() {}
    }

    public struct MoodNotOffered: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.MoodNotOffered"
        public var moods: [String]

        public init(moods: [String]) {
            self.moods = moods
        }
    }

    public struct MoodAlreadyLogged: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.MoodAlreadyLogged"

        public init() {}
    }

    public struct NotCompleted: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.NotCompleted"
        public var assignment: String?

        public init(assignment: String? = nil) {
            self.assignment = assignment
        }
    }

    public struct CannotAddNote: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.CannotAddNote"
        public var reason: String

        public init(reason: String) {
            self.reason = reason
        }
    }

    public struct CannotSnooze: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.CannotSnooze"
        public var reason: String

        public init(reason: String) {
            self.reason = reason
        }
    }

    public struct InvalidPattern: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.InvalidPattern"
        public var reason: String
        public var patterns: [String]

        public init(reason: String, patterns: [String]) {
            self.reason = reason
            self.patterns = patterns
        }
    }

    public struct PatternStands: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.PatternStands"
        public var pattern: String

        public init(pattern: String) {
            self.pattern = pattern
        }
    }

    public struct InvalidSchedule: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.InvalidSchedule"
        public var line: Int
        public var column: Int
        public var entry: Int?
        public var reason: String

        public init(line: Int, column: Int, entry: Int? = nil, reason: String) {
            self.line = line
            self.column = column
            self.entry = entry
            self.reason = reason
        }
    }

    public struct StorageUnavailable: ErrorReply, Sendable {
        public static let name = "org.daybreak.Homework.StorageUnavailable"
        public var reason: String
        public var inDoubt: Bool?

        public init(reason: String, inDoubt: Bool? = nil) {
            self.reason = reason
            self.inDoubt = inDoubt
        }
    }
}
