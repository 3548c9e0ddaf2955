/// What is to come if nobody does anything: what `daybreakd --simulate` prints, as one JSON object.
public struct Simulation: Codable, Equatable, Sendable {
    /// The first day and the last.
    public var from: String
    public var through: String
    public var timeZone: String
    /// In the order in which it comes about.
    public var entries: [Entry]

    public struct Entry: Codable, Equatable, Sendable {
        /// RFC 3339, with the offset that holds then.
        public var at: String
        /// The client's day.
        public var day: String
        public var kind: Kind
        public var assignment: String?
        public var due: String?
        /// The kind of reminder that is given.
        public var reminder: Homework.ReminderKind?
        /// A sentence for people: the reminder's, or the reason for the state.
        public var message: String

        public init(
            at: String, day: String, kind: Kind, assignment: String?, due: String?,
            reminder: Homework.ReminderKind?, message: String
        ) {
            self.at = at
            self.day = day
            self.kind = kind
            self.assignment = assignment
            self.due = due
            self.reminder = reminder
            self.message = message
        }
    }

    public enum Kind: String, Codable, Sendable {
        case unlocked, reminded, missed
    }

    public init(from: String, through: String, timeZone: String, entries: [Entry]) {
        self.from = from
        self.through = through
        self.timeZone = timeZone
        self.entries = entries
    }
}
