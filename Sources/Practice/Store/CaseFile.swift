import Storage
public import Time

/// A letter as a case file has it.
public struct FiledLetter: Sendable {
    public let id: ID<Letter>
    /// Nil for a letter of the practice itself.
    public let from: Correspondent?
    public fileprivate(set) var to: [Correspondent] = []
    public let subject: String
    public fileprivate(set) var body = ""
    public let at: Instant
    public let isUrgent: Bool
}

/// A message in a client's room of two, with the other of the room.
public struct FiledMessage: Sendable {
    public let message: Message
    public let with: Correspondent
}

/// The newest part of a list, the oldest first, and the number of those before it.
public struct FiledPart<Item: Sendable>: Sendable {
    public fileprivate(set) var items: [Item] = []
    public fileprivate(set) var leftOut = 0
    /// Of the items, as they are counted.
    public fileprivate(set) var bytes = 0
    fileprivate let room: Int

    fileprivate init(within room: Int) { self.room = min(room, Store.filedBytes) }
}

/// Queries for a case file, which has more than the lists.
extension Store {
    /// All sessions of a client, sorted by number.
    public func allSessions(of client: ID<Person>) throws -> [Session] {
        var sessions: [Session] = []
        while true {
            let found = try self.sessions(of: client, before: sessions.last?.number ?? .max, limit: 200)
            guard !found.isEmpty else { return sessions.reversed() }
            sessions += found
        }
    }

    /// The audit of a client's record, the oldest entry first.
    public func audit(of client: ID<Person>) throws -> [AuditEntry] {
        try database.rows(
            "SELECT id, at, person, did, client, what, through FROM audit WHERE client = $1 ORDER BY id", client
        ) {
            AuditEntry(
                id: $0.id(0) ?? ID(0), at: $0.instant(1) ?? Instant(microseconds: 0), person: $0.id(2),
                did: $0.text(3) ?? "", client: $0.id(4), what: $0.text(5), through: $0.text(6) ?? "")
        }
    }

    /// The most bytes of one case file. Line breaks and quotes take twice as many in JSON, and an answer has 64 MiB at most.
    public static let caseFileBytes = 24 * 1_024 * 1_024
    /// The most bytes of letters, and of messages, in one case file, and the most of each.
    static let filedBytes = 8_000_000
    static let filed = 20_000
    /// The bytes of each beside its words, and of each recipient of a letter beside the name.
    fileprivate static let (filedFrame, recipientFrame) = (256, 64)

    /// The letters that a client wrote or got.
    ///
    /// - Parameters:
    ///   - reader: a person who has a copy of each; nil for all that were sent.
    ///   - room: the bytes that the file has left.
    public func filedLetters(
        of client: ID<Person>, for reader: ID<Person>?, within room: Int
    ) throws -> FiledPart<FiledLetter> {
        let isReaders = reader == nil ? "" : "AND EXISTS (SELECT 1 FROM copy c WHERE c.letter = l.id AND c.person = $2)"
        var part = FiledPart<FiledLetter>(within: room)
        try database.each(
            dialect.sql(
                """
                SELECT l.id, l.from_person, p.name, l.subject, l.at, l.urgent, {bytes of l}, k.thanatologist,
                (SELECT count(*) FROM letter_to t WHERE t.letter = l.id)
                FROM letter l LEFT JOIN person p ON p.id = l.from_person LEFT JOIN client k ON k.person = l.from_person
                WHERE l.sent = 1 \(isReaders) AND l.id IN (\(Self.lettersOfPerson)) ORDER BY l.id DESC
                """), [client.databaseValue] + (reader.map { [$0.databaseValue] } ?? [])
        ) { row in
            let from: ID<Person>? = row.id(1)
            let letter = FiledLetter(
                id: row.id(0) ?? ID(0),
                from: from.map { Correspondent(id: $0, name: row.text(2) ?? "", thanatologist: row.id(7)) },
                subject: row.text(3) ?? "", at: row.instant(4) ?? Instant(microseconds: 0),
                isUrgent: row.bool(5) ?? false)
            part.add(letter, of: (row.int(6) ?? 0) + (row.int(8) ?? 0) * Self.recipientFrame)
        }
        part.items.reverse()
        for place in part.items.indices {
            part.items[place].body = try body(of: part.items[place].id)
            part.items[place].to = try recipients(of: part.items[place].id)
        }
        return part
    }

    /// The messages in a client's rooms of two, each with the other of the room. Either may have been there several times.
    ///
    /// - Parameters:
    ///   - reader: the client, or the other of the room; nil for all of the client's rooms of two.
    ///   - room: the bytes that the file has left.
    public func filedMessages(
        of client: ID<Person>, for reader: ID<Person>?, within room: Int
    ) throws -> FiledPart<FiledMessage> {
        let isReaders = reader == nil ? "" : "AND (o.person = $3 OR m.person = $3)"
        var part = FiledPart<FiledMessage>(within: room)
        try database.each(
            """
            SELECT c.number, c.room, c.person, p.name, c.at, c.text, d.number, o.person, q.name
            FROM member m JOIN room r ON r.id = m.room AND r.kind = $2
            JOIN member o ON o.room = r.id AND o.person <> m.person JOIN person q ON q.id = o.person
            JOIN chat c ON c.room = r.id AND c.kind = 'message' JOIN person p ON p.id = c.person
            LEFT JOIN chat d ON d.message = c.number
            WHERE m.person = $1 \(isReaders)
            AND NOT EXISTS (SELECT 1 FROM member s WHERE s.room = m.room AND s.person = m.person AND s.since < m.since)
            AND NOT EXISTS (SELECT 1 FROM member s WHERE s.room = o.room AND s.person = o.person AND s.since < o.since)
            ORDER BY c.number DESC
            """,
            [client.databaseValue, Room.Kind.direct.rawValue.databaseValue] + (reader.map { [$0.databaseValue] } ?? [])
        ) { row in
            let message = Message(
                id: row.id(0) ?? ID(0), room: row.id(1) ?? ID(0),
                from: Correspondent(id: row.id(2) ?? ID(0), name: row.text(3) ?? ""),
                at: row.instant(4) ?? Instant(microseconds: 0), text: row.text(5) ?? "", isDeleted: row.int(6) != nil)
            let with = Correspondent(id: row.id(7) ?? ID(0), name: row.text(8) ?? "")
            let bytes = [message.text, message.from.name, with.name].reduce(0) { $0 + $1.utf8.count }
            part.add(FiledMessage(message: message, with: with), of: bytes)
        }
        part.items.reverse()
        return part
    }

    /// The names of the people, services and words that a client's record and its audit mention, by their identifiers.
    public func namesInRecord(of client: ID<Person>) throws -> [String: String] {
        var names: [String: String] = [:]
        try database.each(
            """
            SELECT '\(Person.letter)' || id, name FROM person WHERE id IN (
            SELECT person FROM audit WHERE client = $1 UNION SELECT thanatologist FROM turn WHERE client = $1
            UNION SELECT by_person FROM turn WHERE client = $1 UNION SELECT thanatologist FROM session WHERE client = $1
            UNION SELECT a.by_person FROM session s JOIN addendum a ON a.session = s.id WHERE s.client = $1
            UNION SELECT by_person FROM void WHERE client = $1 UNION SELECT by_person FROM schedule WHERE client = $1
            UNION SELECT by_person FROM talking_point WHERE client = $1
            UNION SELECT by_person FROM enrolment WHERE client = $1)
            UNION ALL SELECT '\(Service.letter)' || id, name FROM service WHERE id IN (SELECT service FROM session WHERE client = $1)
            UNION ALL SELECT '\(Term.letter)' || id, word FROM term WHERE id IN (
            SELECT t.term FROM session s JOIN session_term t ON t.session = s.id WHERE s.client = $1)
            """, [client.databaseValue]
        ) { names[$0.text(0) ?? ""] = $0.text(1) }
        return names
    }
}

extension FiledPart {
    /// Adds the next older one, as long as there is room.
    fileprivate mutating func add(_ item: Item, of words: Int) {
        let more = words + Store.filedFrame
        guard leftOut == 0, items.count < Store.filed, bytes + more <= room else { return leftOut += 1 }
        items.append(item)
        bytes += more
    }
}
