import PracticeRules
import Storage
public import Time

/// A place to talk.
public struct Room: Equatable, Sendable, Identified {
    public static let letter: Character = "r"

    public enum Kind: String, Sendable { case direct, open, closed }

    public let id: ID<Room>
    public let kind: Kind
    /// Empty for a direct room.
    public let name: String
    public let maker: ID<Person>
    public let isGone: Bool
}

/// A person's place in a room.
public struct Membership: Equatable, Sendable {
    public let room: ID<Room>
    /// The number of their joining: they see the later happenings.
    public let since: Int
    /// The number up to which they have read.
    public let readTo: Int
    public let isMuted: Bool
}

/// A room as one person finds it.
public struct RoomView: Sendable {
    public let room: Room
    public let members: Int
    /// Nil for somebody who is not in it.
    public let membership: Membership?
    public let unread: Int
    /// The newest message that this person may see.
    public let last: Message?
    /// The other person of a direct room.
    public let other: Correspondent?
}

extension Store {
    private static let columns = "r.id, r.kind, r.name, r.by_person, r.gone"

    private static func room(_ row: borrowing Row) -> Room {
        Room(
            id: row.id(0) ?? ID(0), kind: Room.Kind(rawValue: row.text(1) ?? "") ?? .closed, name: row.text(2) ?? "",
            maker: row.id(3) ?? ID(0), isGone: row.bool(4) ?? true)
    }

    private static func membership(_ row: borrowing Row, from first: Int) -> Membership? {
        guard let since = row.int(first) else { return nil }
        return Membership(
            room: row.id(0) ?? ID(0), since: since, readTo: row.int(first + 1) ?? since,
            isMuted: row.bool(first + 2) ?? false)
    }

    // MARK: Reading

    /// A room, also one that is gone, and a person's place in it.
    public func room(_ id: ID<Room>, for person: ID<Person>) throws -> (room: Room, membership: Membership?)? {
        try database.first(
            """
            SELECT \(Self.columns), m.since, m.read_to, m.muted FROM room r
            LEFT JOIN member m ON m.room = r.id AND m.person = $2 AND m.until IS NULL WHERE r.id = $1
            """, id, person
        ) { (room: Self.room($0), membership: Self.membership($0, from: 5)) }
    }

    /// The rooms that a person is in, or, with `joinable`, could join; those with the newest message first. A direct room in
    /// which nothing was said yet is listed for its maker alone.
    public func rooms(
        for person: ID<Person>, joinable: Bool, named query: String, limit: Int
    ) throws -> [(room: Room, membership: Membership?)] {
        let newest = "(SELECT max(c.number) FROM chat c WHERE c.room = r.id AND c.kind = 'message')"
        let other =
            "(SELECT p.folded FROM member o JOIN person p ON p.id = o.person WHERE o.room = r.id AND o.person <> $1 LIMIT 1)"
        let pattern = Collation.pattern(finding: query)
        guard joinable else {
            return try database.rows(
                """
                SELECT \(Self.columns), m.since, m.read_to, m.muted FROM member m JOIN room r ON r.id = m.room
                WHERE m.person = $1 AND m.until IS NULL
                AND (r.kind <> 'direct' OR r.by_person = $1 OR \(newest) IS NOT NULL)
                AND CASE WHEN r.kind = 'direct' THEN \(other) ELSE r.folded END LIKE $2 ESCAPE '\\'
                ORDER BY coalesce(\(newest), m.since) DESC, r.id LIMIT $3
                """, person, pattern, limit
            ) { (room: Self.room($0), membership: Self.membership($0, from: 5)) }
        }
        return try database.rows(
            """
            SELECT \(Self.columns) FROM room r WHERE r.kind = 'open' AND r.gone = 0 AND r.folded LIKE $2 ESCAPE '\\'
            AND NOT EXISTS (SELECT 1 FROM member m WHERE m.room = r.id AND m.person = $1 AND m.until IS NULL)
            ORDER BY coalesce(\(newest), 0) DESC, r.id LIMIT $3
            """, person, pattern, limit
        ) { (room: Self.room($0), membership: nil) }
    }

    /// A room with its counts, as a person finds it.
    public func view(of room: Room, _ membership: Membership?, for person: ID<Person>) throws -> RoomView {
        var other: Correspondent?
        if room.kind == .direct {
            other = try database.first(
                """
                SELECT p.id, p.name, k.number FROM member m JOIN person p ON p.id = m.person
                LEFT JOIN client k ON k.person = p.id WHERE m.room = $1 AND m.person <> $2 LIMIT 1
                """, room.id, person
            ) { Correspondent(id: $0.id(0) ?? ID(0), name: $0.text(1) ?? "", number: $0.int(2)) }
        }
        return RoomView(
            room: room, members: try memberCount(of: room.id), membership: membership,
            unread: try membership.map { try unread(in: $0, of: person) } ?? 0,
            last: try membership.flatMap { try messages(in: $0, before: .max, limit: 1).first }, other: other)
    }

    public func memberCount(of room: ID<Room>) throws -> Int {
        try database.number("SELECT count(*) FROM member WHERE room = $1 AND until IS NULL", room) ?? 0
    }

    /// The members by name, with the instant at which each last listened.
    public func members(of room: ID<Room>) throws -> [(person: Correspondent, seen: Instant?)] {
        try database.rows(
            """
            SELECT p.id, p.name, s.at FROM member m JOIN person p ON p.id = m.person LEFT JOIN seen s ON s.person = p.id
            WHERE m.room = $1 AND m.until IS NULL ORDER BY p.sort_key, p.id
            """, room
        ) { (person: Correspondent(id: $0.id(0) ?? ID(0), name: $0.text(1) ?? ""), seen: $0.instant(2)) }
    }

    /// The number of these people who are in a room.
    public func count(of people: Set<ID<Person>>, in room: ID<Room>) throws -> Int {
        guard !people.isEmpty else { return 0 }
        var count = 0
        try database.each(
            "SELECT person FROM member WHERE room = $1 AND until IS NULL", [room.databaseValue]
        ) { if people.contains($0.id(0) ?? ID(0)) { count += 1 } }
        return count
    }

    /// The rooms that a person is in, with the number of members of each.
    public func roomSizes(of person: ID<Person>) throws -> [ID<Room>: Int] {
        var sizes: [ID<Room>: Int] = [:]
        try database.each(
            """
            SELECT m.room, (SELECT count(*) FROM member o WHERE o.room = m.room AND o.until IS NULL) FROM member m
            WHERE m.person = $1 AND m.until IS NULL
            """, [person.databaseValue]
        ) { sizes[$0.id(0) ?? ID(0)] = $0.int(1) ?? 0 }
        return sizes
    }

    /// The other person of a direct room, also one who is not in it any more.
    public func other(than person: ID<Person>, in room: ID<Room>) throws -> ID<Person>? {
        let found: ID<Person>?? = try database.first(
            "SELECT person FROM member WHERE room = $1 AND person <> $2 LIMIT 1", room, person
        ) { $0.id(0) }
        return found ?? nil
    }

    /// How many rooms a person made that are still there.
    public func roomCount(madeBy person: ID<Person>) throws -> Int {
        try database.number(
            "SELECT count(*) FROM room WHERE by_person = $1 AND kind <> 'direct' AND gone = 0", person) ?? 0
    }

    // MARK: Making and changing

    /// The direct room of two people; nil if they have none yet.
    public func directRoom(of one: ID<Person>, with other: ID<Person>) throws -> ID<Room>? {
        let found: ID<Room>?? = try database.first(
            "SELECT id FROM room WHERE pair = $1", Self.pair(one, other)
        ) { $0.id(0) }
        return found ?? nil
    }

    /// The closed rooms that both are in, and no other client.
    public func closedRooms(of member: ID<Person>, withoutOtherClientsThan client: ID<Person>) throws -> [ID<Room>] {
        try database.rows(
            """
            SELECT m.room FROM member m JOIN room r ON r.id = m.room
            JOIN member c ON c.room = m.room AND c.person = $2 AND c.until IS NULL
            WHERE m.person = $1 AND m.until IS NULL AND r.kind = 'closed' AND r.gone = 0
            AND NOT EXISTS (SELECT 1 FROM member o JOIN person p ON p.id = o.person
            WHERE o.room = m.room AND o.until IS NULL AND o.person <> $2 AND p.role = 'client') ORDER BY m.room
            """, member, client
        ) { $0.id(0) ?? ID(0) }
    }

    /// The direct and closed rooms in which a person is with a client.
    public func roomsWithClients(of member: ID<Person>) throws -> [ID<Room>] {
        try database.rows(
            """
            SELECT m.room FROM member m JOIN room r ON r.id = m.room
            WHERE m.person = $1 AND m.until IS NULL AND r.kind <> 'open' AND r.gone = 0
            AND EXISTS (SELECT 1 FROM member o JOIN person p ON p.id = o.person
            WHERE o.room = m.room AND o.until IS NULL AND p.role = 'client') ORDER BY m.room
            """, member
        ) { $0.id(0) ?? ID(0) }
    }

    private static func pair(_ one: ID<Person>, _ other: ID<Person>) -> String {
        "\(min(one.number, other.number)) \(max(one.number, other.number))"
    }

    /// Makes the direct room of two people, which has nobody in it yet.
    public func makeDirectRoom(of maker: ID<Person>, with other: ID<Person>, at: Instant) throws -> ID<Room> {
        try makeRoom(.direct, "", pair: Self.pair(maker, other), by: maker, at: at)
    }

    public func makeRoom(_ kind: Room.Kind, _ name: String, by maker: ID<Person>, at: Instant) throws -> ID<Room> {
        try makeRoom(kind, name, pair: nil, by: maker, at: at)
    }

    private func makeRoom(
        _ kind: Room.Kind, _ name: String, pair: String?, by maker: ID<Person>, at: Instant
    ) throws -> ID<Room> {
        let made: ID<Room>?? = try database.first(
            """
            INSERT INTO room (kind, name, folded, pair, by_person, at, gone) VALUES ($1, $2, $3, $4, $5, $6, 0)
            RETURNING id
            """, kind.rawValue, name, Collation.folded(name), pair, maker, at
        ) { $0.id(0) }
        guard case .some(.some(let room)) = made else { preconditionFailure("an added row is returned") }
        return room
    }

    public func rename(_ room: ID<Room>, _ name: String) throws {
        try database.run(
            "UPDATE room SET name = $2, folded = $3 WHERE id = $1", room, name, Collation.folded(name))
    }

    /// Marks a room as gone. Nobody is in it any more.
    public func endRoom(_ room: ID<Room>, until number: Int) throws {
        try database.run("UPDATE room SET gone = 1 WHERE id = $1", room)
        try database.run("UPDATE member SET until = $2 WHERE room = $1 AND until IS NULL", room, number)
    }

    /// - Parameter since: the number of the joining. Earlier messages count as read.
    public func addMember(_ person: ID<Person>, to room: ID<Room>, since: Int) throws {
        try database.run(
            "INSERT INTO member (room, person, since, until, read_to, muted) VALUES ($1, $2, $3, NULL, $3, 0)", room,
            person, since)
    }

    /// - Parameter number: of the leaving.
    public func endMembership(of person: ID<Person>, in room: ID<Room>, until number: Int) throws {
        try database.run(
            "UPDATE member SET until = $3 WHERE room = $1 AND person = $2 AND until IS NULL", room, person, number)
    }

    public func mute(_ isMuted: Bool, _ room: ID<Room>, for person: ID<Person>) throws {
        try database.run(
            "UPDATE member SET muted = $3 WHERE room = $1 AND person = $2 AND until IS NULL", room, person, isMuted)
    }

    /// The instant at which these people last listened. A client may have been erased since.
    public func noteSeen(_ people: [ID<Person>], at: Instant) throws {
        for person in people {
            try database.run(
                """
                INSERT INTO seen (person, at) SELECT id, CAST($2 AS BIGINT) FROM person WHERE id = $1
                ON CONFLICT (person) DO UPDATE SET at = excluded.at
                """, person, at)
        }
    }
}
