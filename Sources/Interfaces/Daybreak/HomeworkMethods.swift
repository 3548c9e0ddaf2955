public import Varlink

// The methods of org.daybreak.Homework; what each promises stands in the interface file.
extension Homework {
    public struct List: Method, Equatable, Sendable {
        public typealias Reply = ListReply
        public static let name = "org.daybreak.Homework.List"
        public var all: Bool?
        public var day: String?

        public init(all: Bool? = nil, day: String? = nil) {
            self.all = all
            self.day = day
        }
    }

    public struct Get: Method, Equatable, Sendable {
        public typealias Reply = AssignmentReply
        public static let name = "org.daybreak.Homework.Get"
        public var assignment: String

        public init(assignment: String) {
            self.assignment = assignment
        }
    }

    public struct Show: Method, Equatable, Sendable {
        public typealias Reply = ShowReply
        public static let name = "org.daybreak.Homework.Show"
        public var assignment: String

        public init(assignment: String) {
            self.assignment = assignment
        }
    }

    public struct GetStatus: Method, Equatable, Sendable {
        public typealias Reply = StatusReply
        public static let name = "org.daybreak.Homework.GetStatus"

        public init() {}
    }

    public struct Start: Method, Equatable, Sendable {
        public typealias Reply = FlowReply
        public static let name = "org.daybreak.Homework.Start"
        public var assignment: String?
        public var pattern: String?

        public init(assignment: String? = nil, pattern: String? = nil) {
            self.assignment = assignment
            self.pattern = pattern
        }
    }

    public struct GetPattern: Method, Equatable, Sendable {
        public typealias Reply = PatternReply
        public static let name = "org.daybreak.Homework.GetPattern"
        public var pattern: String

        public init(pattern: String) {
            self.pattern = pattern
        }
    }

    public struct Breathe: Method, Equatable, Sendable {
        public typealias Reply = FlowReply
        public static let name = "org.daybreak.Homework.Breathe"

        public init() {}
    }

    public struct Pause: Method, Equatable, Sendable {
        public typealias Reply = FlowReply
        public static let name = "org.daybreak.Homework.Pause"

        public init() {}
    }

    public struct Resume: Method, Equatable, Sendable {
        public typealias Reply = FlowReply
        public static let name = "org.daybreak.Homework.Resume"

        public init() {}
    }

    public struct Restart: Method, Equatable, Sendable {
        public typealias Reply = FlowReply
        public static let name = "org.daybreak.Homework.Restart"

        public init() {}
    }

    public struct Join: Method, Equatable, Sendable {
        public typealias Reply = FlowReply
        public static let name = "org.daybreak.Homework.Join"

        public init() {}
    }

    public struct Leave: Method, Equatable, Sendable {
        public typealias Reply = StepReply
        public static let name = "org.daybreak.Homework.Leave"

        public init() {}
    }

    public struct LogMood: Method, Equatable, Sendable {
        public typealias Reply = StepReply
        public static let name = "org.daybreak.Homework.LogMood"
        public var mood: String

        public init(mood: String) {
            self.mood = mood
        }
    }

    public struct CorrectMood: Method, Equatable, Sendable {
        public typealias Reply = AssignmentReply
        public static let name = "org.daybreak.Homework.CorrectMood"
        public var mood: String
        public var assignment: String?

        public init(mood: String, assignment: String? = nil) {
            self.mood = mood
            self.assignment = assignment
        }
    }

    public struct Cancel: Method, Equatable, Sendable {
        public typealias Reply = AssignmentReply
        public static let name = "org.daybreak.Homework.Cancel"

        public init() {}
    }

    public struct Snooze: Method, Equatable, Sendable {
        public typealias Reply = StatusReply
        public static let name = "org.daybreak.Homework.Snooze"
        public var until: String

        public init(until: String) {
            self.until = until
        }
    }

    public struct EndSnooze: Method, Equatable, Sendable {
        public typealias Reply = StatusReply
        public static let name = "org.daybreak.Homework.EndSnooze"

        public init() {}
    }

    public struct Import: Method, Equatable, Sendable {
        public typealias Reply = ImportReply
        public static let name = "org.daybreak.Homework.Import"
        public var schedule: String
        public var dryRun: Bool?

        public init(schedule: String, dryRun: Bool? = nil) {
            self.schedule = schedule
            self.dryRun = dryRun
        }
    }

    public struct Reminders: Method, Equatable, Sendable {
        public typealias Reply = RemindersReply
        public static let name = "org.daybreak.Homework.Reminders"
        public var since: String?
        public var limit: Int?

        public init(since: String? = nil, limit: Int? = nil) {
            self.since = since
            self.limit = limit
        }
    }

    public struct AddNote: Method, Equatable, Sendable {
        public typealias Reply = NoteReply
        public static let name = "org.daybreak.Homework.AddNote"
        public var text: String
        public var assignment: String?
        public var nextSession: Bool?

        public init(text: String, assignment: String? = nil, nextSession: Bool? = nil) {
            self.text = text
            self.assignment = assignment
            self.nextSession = nextSession
        }
    }

    public struct Notes: Method, Equatable, Sendable {
        public typealias Reply = NotesReply
        public static let name = "org.daybreak.Homework.Notes"
        public var assignment: String?

        public init(assignment: String? = nil) {
            self.assignment = assignment
        }
    }
}
