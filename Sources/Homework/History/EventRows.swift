import HomeworkRules
import JSON
import Storage
import Time

// An event as a row of the table `event`, and back.
extension Event {
    /// The columns, in the order in which they are written and read.
    static let columns = Tables.sharedColumns + ", body"

    /// `row` must hold all ``columns`` in their order.
    init(_ row: borrowing Row) throws {
        let sequence = row.int(0) ?? 0
        do {
            try self.init(sound: row)
        } catch let fault as EventFields.Fault {
            throw HistoryError.damaged(
                reason: "The history is damaged: event \(sequence) has no sound \(fault.field)")
        }
    }

    private init(sound row: borrowing Row) throws {
        let fields = try EventFields(assignment: row.text(11), body: row.utf8(12) { Array($0) })
        guard let kind = EventKind.find(try row.text(10, "kind")) else { throw EventFields.Fault(field: "kind") }
        guard let day = row.utf8(2, { CalendarDay($0.span) }) ?? nil else { throw EventFields.Fault(field: "day") }
        self.init(
            moment: Moment(
                instant: Instant(microseconds: try row.integer(1, "at", within: Bounds.microseconds)),
                wall: WallTime(day: day, minute: Int(try row.integer(3, "minute", within: Bounds.minutes))),
                zone: try row.text(4, "zone"),
                steady: SteadyInstant(microseconds: try row.integer(5, "steady", within: Bounds.microseconds)),
                dayEnds: Instant(microseconds: try row.integer(6, "day_ends", within: Bounds.microseconds))),
            actor: Actor(
                user: UInt32(try row.integer(7, "actor", within: Bounds.users)),
                isDaemon: try row.integer(8, "by_daemon", within: Bounds.booleans) != 0),
            client: UInt32(try row.integer(9, "client", within: Bounds.users)),
            what: try kind.read(fields))
    }

    static let insert = """
        INSERT INTO event (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """

    /// The parameters of ``insert``.
    func values(at sequence: Int) -> [Value] {
        let (kind, fields) = EventKind.write(what)
        return [
            .integer(Int64(sequence)), .integer(moment.instant.microseconds), .text(moment.wall.day.description),
            .integer(Int64(moment.wall.minute)), .text(moment.zone), .integer(moment.steady.microseconds),
            .integer(moment.dayEnds.microseconds), .integer(Int64(actor.user)), actor.isDaemon.databaseValue,
            .integer(Int64(client)), .text(kind), fields.assignment.databaseValue, fields.body.databaseValue,
        ]
    }
}

extension Moment {
    /// False if the event could be written, and not be read again.
    fileprivate var isInBounds: Bool {
        [instant.microseconds, dayEnds.microseconds, steady.microseconds].allSatisfy(Bounds.microseconds.contains)
            && Bounds.minutes.contains(Int64(wall.minute))
    }
}

extension Row {
    fileprivate func text(_ column: Int, _ name: String) throws(EventFields.Fault) -> String {
        guard let text = text(column) else { throw EventFields.Fault(field: name) }
        return text
    }

    fileprivate func integer(
        _ column: Int, _ name: String, within bounds: ClosedRange<Int64>
    ) throws(EventFields.Fault) -> Int64 {
        guard let found = integer(column), bounds.contains(found) else { throw EventFields.Fault(field: name) }
        return found
    }
}

extension SQLiteDatabase {
    /// Writes the events with the numbers after `last`.
    func write(_ events: [Event], after last: Int) throws {
        guard events.allSatisfy(\.moment.isInBounds) else {
            throw HistoryError.unavailable(reason: "The clock shows no year from 1 to 9999: set it")
        }
        let insert = try prepare(Event.insert)
        for (index, event) in events.enumerated() { try insert.run(event.values(at: last + 1 + index)) }
    }

    /// Calls `body` with each event that a query for all ``Event/columns`` finds, and with its number.
    func eachEvent(_ query: String, _ values: (any Bindable)..., body: (Event, _ sequence: Int) throws -> Void) throws {
        defer { releaseMemory() }
        try each(query, values.map(\.databaseValue)) { try body(Event($0), $0.int(0) ?? 0) }
    }

    /// Deletes the events after `last`, which were refused.
    func deleteEvents(after last: Int) throws {
        try transaction {
            try execute(Tables.allowDeletions)
            try run("DELETE FROM event WHERE seq > $1", last)
            try execute(Tables.neverDeleted)
        }
    }

    /// The number of the last event; 0 if there is none.
    func lastEvent() throws -> Int { try number("SELECT max(seq) FROM event") ?? 0 }

    /// Throws if the history at that path has fewer events than were recorded: its log was lost, or another program took the log's
    /// name away.
    func checkHas(_ count: Int, _ path: String) throws {
        let found = try lastEvent()
        guard found >= count else { throw HistoryError.missing(found + 1, path) }
    }

    /// Leaves the recorded events in a copy in memory of the history at that path; later ones were refused. Throws if one of the
    /// recorded events is missing.
    func keepRecorded(_ count: Int, _ path: String) throws {
        try checkHas(count, path)
        if try lastEvent() > count { try deleteEvents(after: count) }
    }

    /// Calls `body` with each event, in order, and returns their number. A gap in their numbers is damage, because no event is
    /// ever deleted.
    @discardableResult
    func eachEvent(ofHistory path: String, _ body: (Event) throws -> Void) throws -> Int {
        var last = 0
        try eachEvent("SELECT \(Event.columns) FROM event ORDER BY seq") { event, sequence in
            guard sequence == last + 1 else { throw HistoryError.missing(last + 1, path) }
            last = sequence
            try body(event)
        }
        return last
    }
}
