// What the methods of org.daybreak.Homework answer; what each promises stands in the interface file.
extension Homework {
    public struct ListReply: Codable, Equatable, Sendable {
        public var today: String
        public var dayEnds: String?
        public var assignments: [Assignment]
        public var earlier: Int
        public var later: Int

        public init(
            today: String, dayEnds: String? = nil, assignments: [Assignment], earlier: Int, later: Int
        ) {
            self.today = today
            self.dayEnds = dayEnds
            self.assignments = assignments
            self.earlier = earlier
            self.later = later
        }
    }

    public struct AssignmentReply: Codable, Equatable, Sendable {
        public var assignment: Assignment

        public init(assignment: Assignment) {
            self.assignment = assignment
        }
    }

    public struct ShowReply: Codable, Equatable, Sendable {
        public var assignment: Assignment
        public var steps: [Step]
        public var notes: [Note]

        public init(assignment: Assignment, steps: [Step], notes: [Note]) {
            self.assignment = assignment
            self.steps = steps
            self.notes = notes
        }
    }

    public struct StatusReply: Codable, Equatable, Sendable {
        public var status: Status

        public init(status: Status) {
            self.status = status
        }
    }

    public struct FlowReply: Codable, Equatable, Sendable {
        public var flow: Flow

        public init(flow: Flow) {
            self.flow = flow
        }
    }

    public struct PatternReply: Codable, Equatable, Sendable {
        public var pattern: Pattern

        public init(pattern: Pattern) {
            self.pattern = pattern
        }
    }

    public struct StepReply: Codable, Equatable, Sendable {
        public var flow: Flow?
        public var assignment: Assignment

        public init(flow: Flow? = nil, assignment: Assignment) {
            self.flow = flow
            self.assignment = assignment
        }
    }

    public struct ImportReply: Codable, Equatable, Sendable {
        public var added: Int
        public var changed: Int
        public var withdrawn: Int
        public var unchanged: Int
        public var kept: Int
        public var fileDiffers: Bool?

        public init(
            added: Int, changed: Int, withdrawn: Int, unchanged: Int, kept: Int, fileDiffers: Bool? = nil
        ) {
            self.added = added
            self.changed = changed
            self.withdrawn = withdrawn
            self.unchanged = unchanged
            self.kept = kept
            self.fileDiffers = fileDiffers
        }
    }

    public struct RemindersReply: Codable, Equatable, Sendable {
        public var reminders: [Reminder]

        public init(reminders: [Reminder]) {
            self.reminders = reminders
        }
    }

    public struct NoteReply: Codable, Equatable, Sendable {
        public var note: Note

        public init(note: Note) {
            self.note = note
        }
    }

    public struct NotesReply: Codable, Equatable, Sendable {
        public var notes: [Note]

        public init(notes: [Note]) {
            self.notes = notes
        }
    }
}
