public import ScheduleFormat
import Text
public import Time

/// An event of a client's device, as the practice keeps it.
public struct Happening: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case scheduleTaken, started, breathed, exerciseFinished, joined, left, moodLogged, moodCorrected, completed
        case cancelled, setAside, missed, noteWritten
    }

    /// The event's number on its device. It rises, with gaps: not every event is told.
    public let sequence: Int
    /// Made by the device. It never changes.
    public let id: String
    public let at: Instant
    /// The client's day.
    public let day: CalendarDay
    public let what: Kind
    public let task: AssignmentID?
    public let breaths: Int?
    public let mood: String?
    public let text: String?
    /// The revision of the schedule that was taken in.
    public let revision: Int?

    public init(
        sequence: Int, id: String, at: Instant, day: CalendarDay, what: Kind, task: AssignmentID? = nil,
        breaths: Int? = nil, mood: String? = nil, text: String? = nil, revision: Int? = nil
    ) {
        (self.sequence, self.id, self.at, self.day, self.what) = (sequence, id, at, day, what)
        (self.task, self.breaths, self.mood, self.text, self.revision) = (task, breaths, mood, text, revision)
    }
}

extension Happening {
    /// The most happenings of one call: a month's backlog.
    public static let callLimit = 1_000
    /// The most happenings of one client on one day: a device that was offline for years tells all of them in a day.
    public static let dayLimit = 10_000
    /// The most bytes of a note, as on the client's machine.
    public static let noteLimit = 4_096
    /// The most characters of all notes of one client together: a page a day for ten years. The case file holds all of them.
    public static let allNotesLimit = 8_000_000
    /// The range of revisions and sequences: the whole numbers that JSON's numbers hold exactly.
    public static let numbers = 1...9_007_199_254_740_991

    /// A happening as a device tells it.
    public struct Told: Sendable {
        public let sequence: Int
        public let (id, at, day, what): (String?, String, String, String)
        public let (task, breaths, mood, text, revision): (String?, Int?, String?, String?, Int?)

        public init(
            sequence: Int, id: String?, at: String, day: String, what: String, task: String? = nil,
            breaths: Int? = nil, mood: String? = nil, text: String? = nil, revision: Int? = nil
        ) {
            (self.sequence, self.id, self.at, self.day, self.what) = (sequence, id, at, day, what)
            (self.task, self.breaths, self.mood, self.text, self.revision) = (task, breaths, mood, text, revision)
        }
    }

    /// Throws the first fault. A time that no right clock shows, before 2020 or more than two days to come, counts as that of the
    /// telling: a clock that was wrong once must not hide what the client did.
    ///
    /// - Parameters:
    ///   - now: the moment of the telling.
    ///   - today: the client's day then.
    public init(_ told: Told, now: Instant, today: CalendarDay) throws(Fault) {
        sequence = try told.sequence.checked("sequence", in: Self.numbers)
        guard let id = told.id, AssignmentID(id) != nil else {
            throw Fault("id", "must be 1 to 64 letters, digits, dots, underscores or hyphens.")
        }
        self.id = id
        guard let kind = Kind(rawValue: told.what) else {
            let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault("what", "must be one of \(known).")
        }
        what = kind
        let time = try Self.time(told.at, told.day)
        (at, day) = (Self.earliest...now + Self.aheadLimit).contains(time.at) ? time : (now, today)
        try told.holdFields(of: kind)
        task = try told.task.map { text throws(Fault) in
            guard let task = AssignmentID(text) else { throw Fault("task", "must be a task's id.") }
            return task
        }
        breaths = try told.breaths.map { number throws(Fault) in
            try number.checked("breaths", in: 0...Schedule.Entry.breathLimit)
        }
        mood = try told.mood.map { word throws(Fault) in
            guard let checked = try? Schedule.Entry.checked(moods: [word]), let mood = checked.first else {  // No mood.
                throw Fault("mood", "must be a word of up to \(Schedule.Entry.moodByteLimit) bytes that can be seen.")
            }
            return mood.word
        }
        text = try told.text.map(Self.note)
        revision = try told.revision.map { number throws(Fault) in try number.checked("revision", in: Self.numbers) }
    }

    /// Makes the same checks as the client's own Daybreak, so that no kept note is refused.
    private static func note(_ text: String) throws(Fault) -> String {
        guard !text.isBlank, text.utf8.count <= noteLimit,
            text.unicodeScalars.allSatisfy({ $0 == "\n" || $0.properties.generalCategory != .control })
        else { throw Fault("text", "must be a note of up to \(noteLimit) bytes, without control characters.") }
        return text
    }

    /// A client's day is at most a day away from the day in UTC, and may begin up to a day late.
    private static func time(_ at: String, _ day: String) throws(Fault) -> (at: Instant, day: CalendarDay) {
        guard let instant = DateTime(at)?.instant else {
            throw Fault("at", "must be an instant such as 2027-03-05T09:00:00+01:00.")
        }
        guard let day = CalendarDay(day) else { throw Fault("day", "must be a day such as 2027-03-05.") }
        let inUTC = DateTime(instant, offset: .zero).day
        guard (-2...1).contains(day - inUTC) else { throw Fault("day", "must be the day on which it happened.") }
        return (instant, day)
    }

    /// 2020-01-01. A clock that shows an earlier time is wrong.
    private static let earliest = Instant(microseconds: 1_577_836_800_000_000)
    /// A device's clock may be some hours wrong.
    private static let aheadLimit = Duration.seconds(2 * 86_400)

    /// True if the other one has the same values, or none: a device that shares less than before leaves fields out. The times are
    /// not compared, because one that no right clock shows is kept as that of the telling.
    public func covers(_ other: Happening) -> Bool {
        (what, task) == (other.what, other.task)
            && [nil, breaths].contains(other.breaths) && [nil, mood].contains(other.mood)
            && [nil, text].contains(other.text) && revision == other.revision
    }
}

extension Happening.Told {
    /// Throws if a field of the kind is missing, or another field is there.
    fileprivate func holdFields(of kind: Happening.Kind) throws(Fault) {
        let (needed, allowed) = kind.fields
        let given: [String: Bool] = [
            "task": task != nil, "breaths": breaths != nil, "mood": mood != nil, "text": text != nil,
            "revision": revision != nil,
        ]
        for field in ["task", "breaths", "mood", "text", "revision"] {
            let isGiven = given[field] == true
            if needed.contains(field), !isGiven { throw Fault(field, "must be there: \(kind.rawValue) has it.") }
            if isGiven, !needed.contains(field), !allowed.contains(field) {
                throw Fault(field, "must not be there: \(kind.rawValue) has none.")
            }
        }
    }
}

extension Happening.Kind {
    /// The required and the optional fields.
    fileprivate var fields: (needed: [String], allowed: [String]) {
        switch self {
        case .scheduleTaken: (["revision"], [])
        case .started, .joined, .left, .cancelled, .setAside, .missed: (["task"], [])
        case .breathed: (["task", "breaths"], [])
        case .exerciseFinished: (["task"], ["breaths"])
        case .moodLogged, .moodCorrected: (["task", "mood"], [])
        case .completed: (["task"], ["breaths", "mood"])
        case .noteWritten: (["text"], ["task"])
        }
    }
}

extension Int {
    fileprivate func checked(_ field: String, in bounds: ClosedRange<Int>) throws(Fault) -> Int {
        guard bounds.contains(self) else {
            throw Fault(field, "must be a number from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
        return self
    }
}

// MARK: Shares

extension Happening {
    /// The first share that the happening needs and the client has not agreed to; nil if there is none.
    public func unshared(by shares: Set<Share>) -> Share? {
        let mayBeTold: Share? =
            switch what {
            case .scheduleTaken: nil
            case .completed, .missed: .completed
            // The wait room learns that a client came, and so must learn that they left.
            case .started, .exerciseFinished, .joined, .left, .cancelled, .setAside:
                shares.contains(.waiting) ? nil : .completed
            case .breathed: .breaths
            case .moodLogged, .moodCorrected: .moods
            case .noteWritten: .notes
            }
        let needed = [mayBeTold, breaths == nil ? nil : .breaths, mood == nil ? nil : .moods]
        return needed.compactMap { $0 }.first { !shares.contains($0) }
    }
}

// MARK: The wait room

/// A client's stage on the way through a task.
public enum Stage: String, CaseIterable, Sendable { case exercise, waiting, session, mood }

extension Happening.Kind {
    /// The kinds that begin or end a stage.
    public static let ofStages: [Self] = [
        .started, .exerciseFinished, .joined, .left, .moodLogged, .completed, .cancelled, .setAside, .missed,
    ]

    /// True if it happens only to a task that the client has begun.
    public var isOfBegunTask: Bool {
        switch self {
        case .scheduleTaken, .missed, .noteWritten: false
        case .started, .breathed, .exerciseFinished, .joined, .left, .moodLogged, .moodCorrected, .completed,
            .cancelled, .setAside:
            true
        }
    }

    /// The stage that begins with it; nil if a stage ends.
    public var stage: Stage? {
        switch self {
        case .started: .exercise
        case .exerciseFinished: .waiting
        case .joined: .session
        case .left: .mood
        default: nil
        }
    }
}
