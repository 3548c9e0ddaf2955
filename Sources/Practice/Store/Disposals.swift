import Files
import Storage
public import Time

/// The export or the erasure of a closed record.
public struct Disposal: Equatable, Sendable {
    public enum Kind: String, Sendable { case exported, erased }

    /// Counted from 1, over all disposals.
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

    /// The disposals with a number below `number`, newest first.
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

    /// The erased records, each with its client.
    public func erasedRecords() throws -> [(client: ID<Person>, number: Int)] {
        try database.rows("SELECT client, number FROM disposal WHERE kind = 'erased' ORDER BY number") {
            ($0.id(0) ?? ID(0), $0.int(1) ?? 0)
        }
    }

    /// True if the client has a record of that number.
    public func hasRecord(_ number: Int, of client: ID<Person>) throws -> Bool {
        try database.number("SELECT 1 FROM client WHERE person = $1 AND number = $2", client, number) != nil
    }

    /// Removes and overwrites all data about a client except the audit and the disposals.
    public func erase(_ record: Record) throws {
        let client = record.person.id
        // The triggers allow removing the data of the clients in this table.
        try database.run("INSERT INTO erasing (client) VALUES ($1)", client)
        try untallySessions(of: client)
        try eraseLetters(of: record.person)
        for (letter, table) in [
            (Session.letter, "session"), (ClientSurvey.letter, "survey"), (ClientEnrolment.letter, "enrolment"),
        ] {
            let made = "IN (SELECT '\(letter)' || id FROM \(table) WHERE client = $1)"
            try database.run("DELETE FROM news WHERE what \(made)", client)
            try database.run("DELETE FROM done_once WHERE made \(made)", client)
        }
        try eraseOnlyAdded(client)
        try eraseRooms(of: record.person)
        for statement in [
            "news WHERE what = '\(Person.letter)' || $1", "done_once WHERE made = '\(Person.letter)' || $1",
            "survey_kept WHERE client = $1", "survey_pending WHERE client = $1", "assignment WHERE client = $1",
            "device WHERE client = $1", "share WHERE client = $1", "availability WHERE client = $1",
            "client WHERE person = $1", "ssh_key WHERE person = $1", "invitation WHERE person = $1",
            "news WHERE person = $1", "news_count WHERE person = $1", "done_once WHERE person = $1",
            "person WHERE id = $1", "erasing WHERE client = $1",
        ] { try database.run("DELETE FROM " + statement, client) }
    }

    /// A daemon's role on a server has no right to remove those rows: a function of the tables' owner does it.
    private func eraseOnlyAdded(_ client: ID<Person>) throws {
        switch dialect {
        case .sqlite: for statement in Tables.erasures { try database.run(statement, client) }
        case .postgreSQL: try database.run("SELECT \(Roles.erasure)($1)", client)
        }
    }

    /// Copies the log into the file and empties it, because the log still holds the erased data.
    public func emptyLog() throws { try sqlite?.emptyLog() }

    /// Empties the log durably after a failed commit. The commit may be complete in the log, and a crash would bring it
    /// back.
    public func takeBackFailedCommit() throws {
        guard let sqlite else { return }
        try sqlite.emptyLog()
        try File.sync(sqlite.path + "-wal")
    }
}
