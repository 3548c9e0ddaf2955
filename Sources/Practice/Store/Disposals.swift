import Files
import Storage
public import Time

/// A closed record that was given away as a file, or erased.
public struct Disposal: Equatable, Sendable {
    public enum Kind: String, Sendable { case exported, erased }

    /// Of all disposals, from 1.
    public let number: Int
    public let at: Instant
    /// Nil for root.
    public let by: ID<Person>?
    public let kind: Kind
    public let client: ID<Person>
    /// The record's number.
    public let record: Int
    public let reason: String
}

extension Store {
    public func addDisposal(
        _ kind: Disposal.Kind, of record: Record, by: ID<Person>?, at: Instant, reason: String
    ) throws {
        try database.run(
            "INSERT INTO disposal (at, by_person, kind, client, number, reason) VALUES ($1, $2, $3, $4, $5, $6)", at,
            by ?? ID(0), kind.rawValue, record.person.id, record.number, reason)
    }

    /// The newest first, all with a number below that one.
    public func disposals(before number: Int, limit: Int) throws -> [Disposal] {
        try database.rows(
            """
            SELECT id, at, by_person, kind, client, number, reason FROM disposal WHERE id < $1 ORDER BY id DESC LIMIT $2
            """, number, limit
        ) {
            Disposal(
                number: $0.int(0) ?? 0, at: $0.instant(1) ?? Instant(microseconds: 0), by: $0.someone(2),
                kind: Disposal.Kind(rawValue: $0.text(3) ?? "") ?? .erased, client: $0.id(4) ?? ID(0),
                record: $0.int(5) ?? 0, reason: $0.text(6) ?? "")
        }
    }

    /// Removes everything that is kept of a client but the audit and the disposals, and overwrites it.
    public func erase(_ record: Record) throws {
        let client = record.person.id
        // The triggers let go of what is a client's who stands here.
        try database.run("INSERT INTO erasing (client) VALUES ($1)", client)
        let sessions = "SELECT id FROM session WHERE client = $1"
        for statement in [
            "news WHERE what IN (SELECT '\(Session.letter)' || id FROM session WHERE client = $1)",
            "news WHERE what = '\(Person.letter)' || $1",
            "done_once WHERE made IN (SELECT '\(Session.letter)' || id FROM session WHERE client = $1)",
            "done_once WHERE made = '\(Person.letter)' || $1",
            "session_term WHERE session IN (\(sessions))", "addendum WHERE session IN (\(sessions))",
            "void WHERE client = $1", "session WHERE client = $1", "turn WHERE client = $1", "client WHERE person = $1",
            "ssh_key WHERE person = $1", "invitation WHERE person = $1", "news WHERE person = $1",
            "news_count WHERE person = $1", "done_once WHERE person = $1",
            "person WHERE id = $1", "erasing WHERE client = $1",
        ] { try database.run("DELETE FROM " + statement, client) }
    }

    /// Brings the log into the file, and empties it: what was erased stands in the log until then.
    public func emptyLog() throws { try database.emptyLog() }

    /// After a commit that failed: it may have reached the log whole, and would come to light after a crash. Durably empties the
    /// log, so that it never does.
    public func takeBackFailedCommit() throws {
        try database.emptyLog()
        try File.sync(database.path + "-wal")
    }
}
