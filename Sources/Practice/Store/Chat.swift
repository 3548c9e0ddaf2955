import PracticeRules
import Storage
public import Time

/// A message in a room. It is never changed; its deletion is a happening of its own.
public struct Message: Equatable, Sendable, Identified {
    public static let letter: Character = "c"

    public let id: ID<Message>
    public let room: ID<Room>
    public let from: Correspondent
    public let at: Instant
    /// Empty once it was deleted.
    public let text: String
    public let isDeleted: Bool

    public init(
        id: ID<Message>, room: ID<Room>, from: Correspondent, at: Instant, text: String, isDeleted: Bool = false
    ) {
        (self.id, self.room, self.from, self.at) = (id, room, from, at)
        (self.text, self.isDeleted) = (isDeleted ? "" : text, isDeleted)
    }
}

/// Something that came about in a room, as it is kept.
public struct RoomHappening: Equatable, Sendable {
    public enum Kind: String, Sendable { case message, deleted, joined, left, renamed, gone }

    /// Counted over all rooms from 1, without gaps, in the order of the commits.
    public let number: Int
    public let room: ID<Room>
    public let kind: Kind
    public let at: Instant
    /// The person who did it; of joined and left, the one who came or went.
    public let person: Correspondent
    /// Of a message and a deletion.
    public let message: Message?
    /// The room's new name.
    public let roomName: String?
    /// The number of members afterwards, of joined and left. Not kept.
    public var members: Int?
    /// The transaction also erases the client whom it is about, and it with them: only those hear of it who listen. Not kept.
    public var isErased = false
}

extension Store {
    /// The number of the newest happening of all rooms.
    public func newestHappening() throws -> Int {
        try database.number("SELECT number FROM counter WHERE name = $1", Self.chatCounter) ?? 0
    }

    private static let chatCounter = "chat"

    // MARK: Writing

    /// Adds a happening to a room. Its number is taken in the same transaction, under the lock of the counter's row: so no
    /// lower number is committed later.
    private func add(
        _ kind: RoomHappening.Kind, in room: ID<Room>, by person: ID<Person>, text: String = "",
        message: ID<Message>? = nil, at: Instant
    ) throws -> Int {
        let number = try nextNumber(of: Self.chatCounter)
        try database.run(
            "INSERT INTO chat (number, room, kind, at, person, text, message) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            number, room, kind.rawValue, at, person, text, message)
        return number
    }

    public func addMessage(
        _ text: String, to room: ID<Room>, from: Correspondent, at: Instant
    ) throws -> RoomHappening {
        let number = try add(.message, in: room, by: from.id, text: text, at: at)
        let message = Message(id: ID(Int64(number)), room: room, from: from, at: at, text: text)
        return RoomHappening(
            number: number, room: room, kind: .message, at: at, person: from, message: message, roomName: nil)
    }

    /// Deletes a message: its text is shown no more.
    public func delete(_ message: Message, by person: Correspondent, at: Instant) throws -> RoomHappening {
        let number = try add(.deleted, in: message.room, by: person.id, message: message.id, at: at)
        let deleted = Message(
            id: message.id, room: message.room, from: message.from, at: message.at, text: "", isDeleted: true)
        return RoomHappening(
            number: number, room: message.room, kind: .deleted, at: at, person: person, message: deleted, roomName: nil)
    }

    /// Lets somebody into a room. They see the later messages.
    public func join(_ room: ID<Room>, _ person: Correspondent, at: Instant) throws -> RoomHappening {
        let number = try add(.joined, in: room, by: person.id, at: at)
        try addMember(person.id, to: room, since: number)
        return try happening(number, .joined, room, person, at)
    }

    public func leave(_ room: ID<Room>, _ person: Correspondent, at: Instant) throws -> RoomHappening {
        let number = try add(.left, in: room, by: person.id, at: at)
        try endMembership(of: person.id, in: room, until: number)
        return try happening(number, .left, room, person, at)
    }

    public func rename(_ room: ID<Room>, to name: String, by person: Correspondent, at: Instant) throws -> RoomHappening
    {
        let number = try add(.renamed, in: room, by: person.id, text: name, at: at)
        try rename(room, name)
        return RoomHappening(
            number: number, room: room, kind: .renamed, at: at, person: person, message: nil, roomName: name)
    }

    public func delete(_ room: ID<Room>, by person: Correspondent, at: Instant) throws -> RoomHappening {
        let number = try add(.gone, in: room, by: person.id, at: at)
        try endRoom(room, until: number)
        return RoomHappening(
            number: number, room: room, kind: .gone, at: at, person: person, message: nil, roomName: nil)
    }

    private func happening(
        _ number: Int, _ kind: RoomHappening.Kind, _ room: ID<Room>, _ person: Correspondent, _ at: Instant
    ) throws -> RoomHappening {
        RoomHappening(
            number: number, room: room, kind: kind, at: at, person: person, message: nil, roomName: nil,
            members: try memberCount(of: room))
    }

    // MARK: Reading

    private static let messageColumns = """
        c.number, c.room, c.person, p.name, c.at, c.text, EXISTS (SELECT 1 FROM chat d WHERE d.message = c.number)
        """

    private static func message(_ row: borrowing Row, from first: Int = 0) -> Message {
        Message(
            id: row.id(first) ?? ID(0), room: row.id(first + 1) ?? ID(0),
            from: Correspondent(id: row.id(first + 2) ?? ID(0), name: row.text(first + 3) ?? ""),
            at: row.instant(first + 4) ?? Instant(microseconds: 0), text: row.text(first + 5) ?? "",
            isDeleted: row.bool(first + 6) ?? false)
    }

    /// A message; nil if there is none.
    public func message(_ id: ID<Message>) throws -> Message? {
        try database.first(
            """
            SELECT \(Self.messageColumns) FROM chat c JOIN person p ON p.id = c.person
            WHERE c.number = $1 AND c.kind = 'message'
            """, id
        ) { Self.message($0) }
    }

    /// The last messages of a room with a number below that one, the newest first: those that this member may see.
    public func messages(in membership: Membership, before number: Int, limit: Int) throws -> [Message] {
        try database.rows(
            """
            SELECT \(Self.messageColumns) FROM chat c JOIN person p ON p.id = c.person
            WHERE c.room = $1 AND c.kind = 'message' AND c.number > $2 AND c.number < $3
            ORDER BY c.number DESC LIMIT $4
            """, membership.room, membership.since, number, limit
        ) { Self.message($0) }
    }

    /// The messages of others in a room that a person has not read, up to ``ChatRules/unread``. Counted each time, never kept.
    public func unread(in membership: Membership, of person: ID<Person>) throws -> Int {
        var count = 0
        try database.each(
            """
            SELECT 1 FROM chat c WHERE c.room = $1 AND c.kind = 'message' AND c.number > $2 AND c.person <> $3
            AND NOT EXISTS (SELECT 1 FROM chat d WHERE d.message = c.number) LIMIT $4
            """,
            [
                membership.room.databaseValue, membership.readTo.databaseValue, person.databaseValue,
                ChatRules.unread.databaseValue,
            ]
        ) { _ in count += 1 }
        return count
    }

    /// The unread messages of a person in all rooms that they have not muted.
    public func unreadChat(of person: ID<Person>) throws -> Int {
        try heard(by: person).reduce(0) { try $0 + unread(in: $1, of: person) }
    }

    /// The number of the newest unread message of a person in all rooms that they have not muted; 0 if there is none.
    public func newestUnread(of person: ID<Person>) throws -> Int {
        try heard(by: person).reduce(0) { newest, room in
            let found = try database.number(
                """
                SELECT c.number FROM chat c WHERE c.room = $1 AND c.kind = 'message' AND c.number > $2 AND c.person <> $3
                AND NOT EXISTS (SELECT 1 FROM chat d WHERE d.message = c.number) ORDER BY c.number DESC LIMIT 1
                """, room.room, room.readTo, person)
            return max(newest, found ?? 0)
        }
    }

    /// The unread messages of a person's direct rooms, muted or not, by the person from whom they are; of each up to
    /// ``ChatRules/unread``.
    public func unreadDirectMessagesBySender(of person: ID<Person>) throws -> [ID<Person>: Int] {
        let rooms = try database.rows(
            """
            SELECT m.room, m.since, m.read_to, o.person FROM member m JOIN room r ON r.id = m.room
            JOIN member o ON o.room = m.room AND o.person <> m.person AND o.until IS NULL
            WHERE m.person = $1 AND m.until IS NULL AND r.kind = 'direct'
            """, person
        ) {
            (
                Membership(room: $0.id(0) ?? ID(0), since: $0.int(1) ?? 0, readTo: $0.int(2) ?? 0, isMuted: false),
                other: $0.id(3) ?? ID<Person>(0)
            )
        }
        return try rooms.reduce(into: [:]) { $0[$1.other] = try unread(in: $1.0, of: person) }
    }

    /// The rooms that a person is in and has not muted.
    public func heardRooms(of person: ID<Person>) throws -> Set<ID<Room>> { Set(try heard(by: person).map(\.room)) }

    private func heard(by person: ID<Person>) throws -> [Membership] {
        try database.rows(
            "SELECT room, since, read_to FROM member WHERE person = $1 AND until IS NULL AND muted = 0", person
        ) {
            Membership(room: $0.id(0) ?? ID(0), since: $0.int(1) ?? 0, readTo: $0.int(2) ?? 0, isMuted: false)
        }
    }

    /// Marks everything up to a message as read. An earlier mark than the present one has no effect.
    public func markRead(upTo message: ID<Message>, in room: ID<Room>, for person: ID<Person>) throws {
        try database.run(
            """
            UPDATE member SET read_to = $3 WHERE room = $1 AND person = $2 AND until IS NULL AND read_to < $3
            """, room, person, message)
    }

    /// The happenings after that number in the rooms of a person, the oldest first: those since they joined, and of rooms in which
    /// they are no longer, how they left: they may not read the history there either.
    ///
    /// - Parameter room: only this one; nil for all.
    public func happenings(
        for person: ID<Person>, in room: ID<Room>?, after number: Int, limit: Int
    ) throws -> [RoomHappening] {
        // A query for each stay, so that each reads no more than it gives.
        let stays = try database.rows(
            """
            SELECT room, since, until FROM member WHERE person = $1 AND (until IS NULL OR until > $2)
            AND (room = $3 OR $3 IS NULL)
            """, person, number, room
        ) { (room: $0.id(0) ?? ID<Room>(0), since: $0.int(1) ?? 0, until: $0.int(2)) }
        var found: [RoomHappening] = []
        for stay in stays {
            found += try database.rows(
                """
                SELECT c.number, c.room, c.kind, c.at, c.person, p.name, c.text, c.message,
                EXISTS (SELECT 1 FROM chat d WHERE d.message = c.number)
                FROM chat c LEFT JOIN person p ON p.id = c.person
                WHERE c.room = $1 AND c.number > $2 AND c.number <= $3 ORDER BY c.number LIMIT $4
                """, stay.room, max(number, stay.until.map { $0 - 1 } ?? (stay.since - 1)), stay.until ?? Int.max, limit
            ) { try happening($0) }
        }
        return Array(found.sorted { $0.number < $1.number }.prefix(limit))
    }

    /// The happenings of all rooms after a number, up to another one, in order. Of joining and leaving, with the number of
    /// members now.
    func happenings(after number: Int, upTo last: Int) throws -> [RoomHappening] {
        try database.rows(
            """
            SELECT c.number, c.room, c.kind, c.at, c.person, p.name, c.text, c.message,
            EXISTS (SELECT 1 FROM chat d WHERE d.message = c.number)
            FROM chat c LEFT JOIN person p ON p.id = c.person
            WHERE c.number > $1 AND c.number <= $2 ORDER BY c.number
            """, number, last
        ) { row in
            var happening = try self.happening(row)
            if [.joined, .left].contains(happening.kind) { happening.members = try memberCount(of: happening.room) }
            return happening
        }
    }

    private func happening(_ row: borrowing Row) throws -> RoomHappening {
        let number = row.int(0) ?? 0
        let (room, at): (ID<Room>, Instant) = (row.id(1) ?? ID(0), row.instant(3) ?? Instant(microseconds: 0))
        let kind = RoomHappening.Kind(rawValue: row.text(2) ?? "") ?? .gone
        let person = Correspondent(id: row.id(4) ?? ID(0), name: row.text(5) ?? "")
        let text = row.text(6) ?? ""
        var message: Message?
        if kind == .message {
            message = Message(
                id: ID(Int64(number)), room: room, from: person, at: at, text: text, isDeleted: row.bool(8) ?? false)
        } else if let deleted: ID<Message> = row.id(7) {
            message = try self.message(deleted)
        }
        return RoomHappening(
            number: number, room: room, kind: kind, at: at, person: person, message: message,
            roomName: kind == .renamed ? text : nil)
    }

    // MARK: Erasing

    /// Removes the rooms that a client who is being erased had with one other person, and their name from those of others.
    func eraseRooms(of person: Person) throws {
        let client = person.id
        let name = ErasedName(person.name)
        let groups = try database.rows(
            """
            SELECT id, name FROM room WHERE kind <> 'direct' AND id IN (SELECT room FROM member WHERE person = $1)
            """, client
        ) { (id: $0.id(0) ?? ID<Room>(0), name: $0.text(1) ?? "") }
        for room in groups where name.takenOut(of: room.name) != room.name {
            try rename(room.id, name.takenOut(of: room.name))
        }
        let rooms = try database.rows(
            "SELECT m.room FROM member m JOIN room r ON r.id = m.room WHERE m.person = $1 AND r.kind = 'direct'", client
        ) { $0.id(0) ?? ID<Room>(0) }
        for room in rooms {
            try database.run("DELETE FROM member WHERE room = $1", room)
            try database.run("DELETE FROM room WHERE id = $1", room)
        }
        for table in ["member", "seen"] { try database.run("DELETE FROM \(table) WHERE person = $1", client) }
    }
}
