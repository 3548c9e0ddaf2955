public import PracticeRules
import Storage
public import Time

/// A turn of a client's record: opened, closed, reopened or transferred.
public struct RecordTurn: Equatable, Sendable {
    /// Counted for each record from 1.
    public let number: Int
    public let at: Instant
    /// The first day on which the turn holds.
    public let on: CalendarDay
    public let kind: RecordTurnKind
    /// The cause of a reopening; nil for other turns.
    public let cause: ReopeningCause?
    /// Nil for root.
    public let by: ID<Person>?
    /// The value after the turn.
    public let thanatologist: ID<Person>
    /// The value after the turn.
    public let episode: Int
    public let reason: String
}

extension Store {
    /// A record's turns, the oldest first.
    public func turns(of client: ID<Person>) throws -> [RecordTurn] {
        try database.rows(
            """
            SELECT number, at, on_day, kind, cause, by_person, thanatologist, episode, reason FROM turn
            WHERE client = $1 ORDER BY number
            """, client
        ) {
            RecordTurn(
                number: $0.int(0) ?? 0, at: $0.instant(1) ?? Instant(microseconds: 0),
                on: $0.day(2) ?? CalendarDay(ordinal: 0), kind: RecordTurnKind(rawValue: $0.text(3) ?? "") ?? .opened,
                cause: $0.text(4).flatMap { ReopeningCause(rawValue: $0) }, by: $0.someone(5),
                thanatologist: $0.id(6) ?? ID(0), episode: $0.int(7) ?? 0, reason: $0.text(8) ?? "")
        }
    }

    /// The periods in which a record was open, by its turns.
    public func episodes(of client: ID<Person>) throws -> [Episode] {
        Episode.all(of: try turns(of: client).map { ($0.kind, $0.cause, $0.on) })
    }

    /// Closes a record on a day.
    public func close(_ record: Record, on day: CalendarDay, by: ID<Person>?, at: Instant, reason: String) throws {
        try database.run("UPDATE client SET open = 0, closed_on = $2 WHERE person = $1", record.person.id, day)
        try addTurn(
            .closed, of: record.person.id, on: day, thanatologist: record.thanatologist, episode: record.episode,
            by: by,
            at: at, reason: reason)
    }

    /// Opens a closed record again. After a mistake the episode continues; after a return a new one begins.
    public func reopen(
        _ record: Record, _ cause: ReopeningCause, on day: CalendarDay, by: ID<Person>?, at: Instant, reason: String
    ) throws {
        let episode = record.episode + (cause == .return ? 1 : 0)
        try database.run(
            "UPDATE client SET open = 1, closed_on = NULL, episode = $2 WHERE person = $1", record.person.id, episode)
        try addTurn(
            .reopened, cause, of: record.person.id, on: day, thanatologist: record.thanatologist, episode: episode,
            by: by, at: at, reason: reason)
    }

    /// Transfers an open or closed record to another thanatologist.
    public func transfer(
        _ record: Record, to thanatologist: ID<Person>, on day: CalendarDay, by: ID<Person>?, at: Instant,
        reason: String
    ) throws {
        try database.run("UPDATE client SET thanatologist = $2 WHERE person = $1", record.person.id, thanatologist)
        try addTurn(
            .transferred, of: record.person.id, on: day, thanatologist: thanatologist, episode: record.episode, by: by,
            at: at, reason: reason)
    }

    func addTurn(
        _ kind: RecordTurnKind, _ cause: ReopeningCause? = nil, of client: ID<Person>, on day: CalendarDay,
        thanatologist: ID<Person>, episode: Int, by: ID<Person>?, at: Instant, reason: String
    ) throws {
        let number = try database.number(
            "UPDATE client SET turns = turns + 1 WHERE person = $1 RETURNING turns", client)
        guard let number else { preconditionFailure("\(client) is there while a turn is added") }
        try database.run(
            """
            INSERT INTO turn (client, number, at, on_day, kind, cause, by_person, thanatologist, episode, reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """, client, number, at, day, kind.rawValue, cause?.rawValue, by ?? ID(0), thanatologist, episode, reason)
    }
}

extension Row {
    /// A person; nil for root.
    func someone(_ column: Int) -> ID<Person>? { id(column).flatMap { $0.number == 0 ? nil : $0 } }
}
