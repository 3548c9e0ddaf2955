import JSON
import PracticeRules
import Storage
public import Time

/// The fields that only clients have.
public struct ClientDetails: Equatable, Sendable {
    public var born: CalendarDay?
    public var address: String?
    public var emergencyContact: String?
    public var referredBy: String?
    public var motive: String?
    /// The practice's own fields, by their names.
    public var extra: [String: String] = [:]
    public var timeZone: String

    public init(timeZone: String) { self.timeZone = timeZone }
}

/// A client's record, which is open or closed.
public struct Record: Equatable, Sendable {
    public var person: Person
    public var details: ClientDetails
    /// The number that people use for the record. It is never used again.
    public let number: Int
    public let thanatologist: ID<Person>
    public let isOpen: Bool
    public let closedOn: CalendarDay?
    /// Counted from 1. Each return after a closing begins a new one.
    public let episode: Int
}

extension Store {
    private static let columns = """
        p.id, p.role, p.name, p.account, p.email, p.phone, p.active, p.since, p.revision, c.born, c.address, \
        c.emergency_contact, c.referred_by, c.motive, c.extra, c.time_zone, c.number, c.thanatologist, c.open, c.closed_on, \
        c.episode
        """

    private static func record(_ row: borrowing Row) -> Record {
        var details = ClientDetails(timeZone: row.text(15) ?? "")
        details.born = row.day(9)
        details.address = row.text(10)
        details.emergencyContact = row.text(11)
        details.referredBy = row.text(12)
        details.motive = row.text(13)
        details.extra = texts(row.text(14) ?? "{}")
        return Record(
            person: person(row), details: details, number: row.int(16) ?? 0, thanatologist: row.id(17) ?? ID(0),
            isOpen: row.bool(18) ?? false, closedOn: row.day(19), episode: row.int(20) ?? 0)
    }

    /// A client's record. Nil if there is none, or if it is not the holder's; both take the same time.
    ///
    /// - Parameter holder: the thanatologist, or the client; nil for anybody's record.
    public func record(_ client: ID<Person>, of holder: ID<Person>?) throws -> Record? {
        try database.first(
            """
            SELECT \(Self.columns) FROM client c JOIN person p ON p.id = c.person
            WHERE c.person = $1 AND (c.thanatologist = $2 OR c.person = $2 OR $2 IS NULL)
            """, client, holder
        ) { Self.record($0) }
    }

    /// All records of a thanatologist, open and closed, from the first added on.
    public func records(of thanatologist: ID<Person>) throws -> [Record] {
        try database.rows(
            """
            SELECT \(Self.columns) FROM client c JOIN person p ON p.id = c.person WHERE c.thanatologist = $1
            ORDER BY c.person
            """, thanatologist
        ) { Self.record($0) }
    }

    /// Adds a client with an open record and a new number.
    public func addClient(
        name: String, account: String?, email: String?, phone: String?, _ details: ClientDetails, since: CalendarDay,
        thanatologist: ID<Person>, by: ID<Person>?, at: Instant
    ) throws -> ID<Person> {
        let person = try addPerson(
            role: .client, name: name, account: account, email: email, phone: phone, since: since)
        try database.run(
            """
            INSERT INTO client (person, number, thanatologist, open, episode, born, address, emergency_contact,
            referred_by, motive, extra, time_zone, sort_key, turns, sessions)
            VALUES ($1, $2, $3, 1, 1, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0)
            """, person.id, try nextNumber(of: "client"), thanatologist, details.born, details.address,
            details.emergencyContact, details.referredBy, details.motive, Self.json(details.extra), details.timeZone,
            collation.key(of: name))
        try addTurn(
            .opened, of: person.id, on: since, thanatologist: thanatologist, episode: 1, by: by, at: at, reason: "")
        return person.id
    }

    /// Writes a client's editable fields, and raises the revision.
    public func update(_ record: Record) throws {
        let (id, details) = (record.person.id, record.details)
        _ = try update(record.person)
        try database.run(
            """
            UPDATE client SET born = $2, address = $3, emergency_contact = $4, referred_by = $5, motive = $6, extra = $7,
            time_zone = $8, sort_key = $9 WHERE person = $1
            """, id, details.born, details.address, details.emergencyContact, details.referredBy, details.motive,
            Self.json(details.extra), details.timeZone, collation.key(of: record.person.name))
    }

    // MARK: The practice's own fields

    private static func json(_ texts: [String: String]) -> String {
        String(decoding: JSONObject.text(of: texts), as: UTF8.self)
    }

    private static func texts(_ json: String) -> [String: String] {
        // Only this store writes the text. If it cannot be read, the record has none of these fields.
        guard json != "{}", let read = try? JSONReader.texts(Array(json.utf8)) else { return [:] }
        return read
    }
}

extension JSONReader {
    /// The members of an object of texts.
    fileprivate static func texts(_ json: [UInt8]) throws(JSONError) -> [String: String] {
        var reader = JSONReader(json)
        var texts: [String: String] = [:]
        try reader.beginObject()
        while let key = try reader.nextKey() { texts[key] = try reader.readString() }
        try reader.end()
        return texts
    }
}
