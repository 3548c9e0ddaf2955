public import HomeworkRules
import Storage
public import Time

/// Reads single facts of a history.
public struct HistoryReader {
    private let source: Source

    enum Source {
        case open(History)
        /// A copy in memory is read, with no event after that number.
        case file(String, through: Int)
    }

    init(_ source: Source) { self.source = source }

    /// Reads the history at that path, which nobody has open: that needs no room on its disk.
    ///
    /// - Parameter last: the number of the last event that counts; later ones were refused.
    public static func file(_ path: String, through last: Int) -> HistoryReader {
        HistoryReader(.file(path, through: last))
    }

    func read<Result>(_ body: (SQLiteDatabase) throws -> Result) throws(HistoryError) -> Result {
        switch source {
        case .open(let history): return try history.read(body)
        case .file(let path, let last):
            let found = try History.readCopy(path, isChecked: true) { database, _ in
                try database.keepRecorded(last, path)
                return try body(database)
            }
            guard let found else { throw .unavailable(reason: "The history \(path) has vanished: bring it back") }
            return found
        }
    }
}

extension HistoryReader {
    /// The last `limit` reminders that were given at that instant or later, oldest first.
    public func reminders(since: Instant?, limit: Int) throws(HistoryError) -> [GivenReminder] {
        try read { database in
            var newestFirst: [GivenReminder] = []
            try database.eachEvent(
                """
                SELECT \(Event.columns) FROM event WHERE kind = 'reminded' AND at >= $1
                ORDER BY at DESC, seq DESC LIMIT $2
                """, since?.microseconds ?? .min, max(0, limit)
            ) { event, _ in
                guard case .reminded(let reminder) = event.what else { return }
                newestFirst.append(GivenReminder(reminder: reminder, at: event.moment.instant))
            }
            return newestFirst.reversed()
        }
    }

    /// The steps of one assignment, oldest first: its events except those of the schedule.
    public func steps(of id: AssignmentID) throws(HistoryError) -> [Event] {
        try numberedSteps(of: id).map(\.event)
    }

    static let stepsOfOne = "SELECT \(Event.columns) FROM event WHERE assignment = $1 AND \(Tables.isStep) ORDER BY seq"

    private func numberedSteps(of id: AssignmentID) throws(HistoryError) -> [(event: Event, sequence: Int)] {
        try read { database in
            var steps: [(event: Event, sequence: Int)] = []
            try database.eachEvent(Self.stepsOfOne, id.text) { steps.append((event: $0, sequence: $1)) }
            return steps
        }
    }

    /// The talking points for the session of that assignment, oldest first. Nil: those that wait for the next session.
    public func talkingPoints(for id: AssignmentID?) throws(HistoryError) -> [Event] {
        var end = Int.max
        if let id {
            guard let left = try numberedSteps(of: id).last(where: { $0.event.what == .left(id) }) else { return [] }
            end = left.sequence
        }
        return try read { database in
            let begin = try database.number(Self.leftBefore, end) ?? 0
            var notes: [Event] = []
            try database.eachEvent(Self.notesBetween, begin, end) { note, _ in notes.append(note) }
            return notes
        }
    }

    /// The number of the last session left before that number.
    static let leftBefore = "SELECT max(seq) FROM event WHERE kind = 'left' AND seq < $1"
    /// The numbers at which the sessions of one assignment were left.
    static let sessionsLeft = "SELECT seq FROM event WHERE kind = 'left' AND assignment = $1"
    /// The notes of no assignment that were written after one number and before another.
    static let notesBetween = """
        SELECT \(Event.columns) FROM event
        WHERE kind = 'noteWritten' AND assignment IS NULL AND seq > $1 AND seq < $2 ORDER BY seq
        """

    /// The assignment as a schedule had it last, even if it was withdrawn since; nil if none had it.
    public func assignment(_ id: AssignmentID) throws(HistoryError) -> Assignment? {
        try read { database in
            var last: Assignment?
            try database.eachEvent(
                "SELECT \(Event.columns) FROM event WHERE kind IN ('assigned', 'revised') AND assignment = $1 ORDER BY seq",
                id.text
            ) { event, _ in
                if case .assigned(let found) = event.what { last = found }
                if case .revised(let found) = event.what { last = found }
            }
            return last
        }
    }

    /// The assignments with notes of their own that some schedule had on that day.
    public func noted(on day: CalendarDay) throws(HistoryError) -> [AssignmentID] {
        try read { database in
            try database.rows(
                """
                SELECT DISTINCT assignment FROM event
                WHERE kind IN ('assigned', 'revised') AND json_extract(body, '$.due') = $1 AND assignment IN
                (SELECT assignment FROM event WHERE kind = 'noteWritten') ORDER BY assignment
                """, day.description
            ) { AssignmentID($0.text(0) ?? "") }.compactMap { $0 }
        }
    }
}
