public import Time

/// Who did something: a user of this machine, by the kernel's word, or Daybreak by itself.
public struct Actor: Hashable, Sendable {
    /// The user's number (uid).
    public let user: UInt32
    /// Nobody asked: the clock, a file, a simulated provider.
    public let isDaemon: Bool

    public init(user: UInt32, isDaemon: Bool = false) {
        self.user = user
        self.isDaemon = isDaemon
    }
}

/// Something that happened: kept for ever, never changed.
public struct Event: Hashable, Sendable {
    public let moment: Moment
    public let actor: Actor
    /// Whose plan it is: a user's number (uid).
    public let client: UInt32
    public let what: Happening

    public init(moment: Moment, actor: Actor, client: UInt32, what: Happening) {
        self.moment = moment
        self.actor = actor
        self.client = client
        self.what = what
    }
}

/// What can happen. Its spelling on disk is `History`'s matter.
public enum Happening: Hashable, Sendable {
    case dayBegan(CalendarDay)
    /// A day that a wrong clock had begun: the wall has been set right since, and shows this day.
    case dayTakenBack(to: CalendarDay)

    case assigned(Assignment)
    /// The provider changed it before it was touched.
    case revised(Assignment)
    /// Only its place among those of its day.
    case moved(AssignmentID, position: Int)
    case withdrawn(AssignmentID)
    case scheduleTaken(ScheduleChange, file: Fingerprint?)
    case scheduleRefused(file: Fingerprint?)

    case unlocked(AssignmentID)
    case started(AssignmentID, BreathPattern)
    case breathingBegan(AssignmentID)
    case breathingPaused(AssignmentID)
    case guideLeft(AssignmentID)
    case breathed(AssignmentID, breaths: Int)
    case exerciseRestarted(AssignmentID)
    case exerciseFinished(AssignmentID)
    case joined(AssignmentID)
    case left(AssignmentID)
    case moodLogged(AssignmentID, Mood)
    /// The client thought better of it. What was logged first stays in the history.
    case moodCorrected(AssignmentID, Mood)
    /// Nil where it waits for the next session.
    case noteWritten(AssignmentID?, Note)
    /// The mood and the notes of one assignment, or everything before this: that it was done, not what it was.
    case erased(AssignmentID?)
    case completed(AssignmentID, on: CalendarDay)
    case cancelled(AssignmentID)
    /// Left lying for a whole day: the flow made way for the days that came. Or begun on a day that was taken back.
    case setAside(AssignmentID)

    case presenceTold(Presence)
    case snoozed(until: Instant)
    case snoozeEnded
    case reminded(Reminder)
    /// It came up in quiet hours, in a snooze, or beyond what a day may bring. It will be given when it can be, if it is
    /// still true.
    case held(Reminder)
    /// The one of that name has left the daemon. What is recorded and not known to be sent is looked for after a crash.
    case reminderSent(String)
}

/// Tells one text of a schedule from another.
public struct Fingerprint: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
}

/// What taking in a schedule came to, in assignments.
public struct ScheduleChange: Hashable, Sendable {
    public var added = 0
    public var changed = 0
    public var withdrawn = 0
    public var unchanged = 0
    /// Started already, and left as they were, though the schedule drops or changes them.
    public var kept = 0

    public init() {}

    public init(added: Int, changed: Int, withdrawn: Int, unchanged: Int, kept: Int) {
        self.added = added
        self.changed = changed
        self.withdrawn = withdrawn
        self.unchanged = unchanged
        self.kept = kept
    }

    /// Somebody reading the plan would see a difference.
    public var changesAnything: Bool { added + changed + withdrawn > 0 }
}

/// A notice to the client. Its text is found from its kind, and carries no mood, note or name.
public struct Reminder: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case unlocked, stillOpen, overdue, providerAvailable, completed, missed, scheduleTaken, scheduleRefused

        /// It is as good some hours later. The others answer something that somebody did just now, or what lasts only now.
        public var canWait: Bool {
            switch self {
            case .unlocked, .stillOpen, .overdue, .missed, .scheduleTaken: true
            case .providerAvailable, .completed, .scheduleRefused: false
            }
        }

        /// It is about the assignment that is open: one word of these tells as much as two.
        var isOfWhatIsOpen: Bool {
            switch self {
            case .unlocked, .stillOpen, .overdue: true
            case .providerAvailable, .completed, .missed, .scheduleTaken, .scheduleRefused: false
            }
        }

        /// The newer one says all that the older one said.
        func stands(for other: Self) -> Bool { self == other || (isOfWhatIsOpen && other.isOfWhatIsOpen) }
    }

    /// Its own for ever: `2027-03-05/stillOpen/18:00`.
    public let id: String
    /// The day in its name.
    var day: CalendarDay? { CalendarDay(id.prefix { $0 != "/" }) }
    public let kind: Kind
    public let assignment: AssignmentID?
    public let due: CalendarDay?
    /// How many assignments it tells of, where that can be more than one.
    public let count: Int

    public init(id: String, kind: Kind, assignment: AssignmentID? = nil, due: CalendarDay? = nil, count: Int = 1) {
        self.id = id
        self.kind = kind
        self.assignment = assignment
        self.due = due
        self.count = count
    }
}
