import PostgreSQL
import PracticeRules
import Storage
import Time

/// A word of one daemon to all daemons that serve the same practice: something changed of which their callers hear.
///
/// It is written in the transaction of the change, so it comes with the change or not at all, and the numbers are in the order of
/// the commits. Only a practice on a server has notices: a file has one daemon.
public struct Notice: Equatable, Sendable {
    public enum Kind: String, Sendable {
        /// News of the person. detail: their number.
        case news
        /// Happenings in rooms. detail: the number of the last.
        case chat
        /// The person, a client who is erased, left a room. detail: the room's number, the happening's, and its instant.
        case left
        /// The person removed a room together with the client who is erased. detail: as of `left`.
        case gone
        /// The thanatologist's availability.
        case availability
        /// The person's unread messages were counted anew.
        case read
        /// Another set of broadcasts is shown.
        case broadcasts
        /// Surveys may open or close at other instants.
        case surveys
        /// An SSH key was added or removed.
        case keys
        /// The person loses all connections. detail: their Unix account.
        case signedOut = "signed out"
        /// A key is removed: the person loses the connections that used it. detail: its fingerprint.
        case keyRemoved = "key removed"
        /// The person types. detail: the room.
        case typing
        /// The person began to listen to their rooms.
        case listening
        /// The person listens no longer.
        case silent
        /// A device of the client is connected. detail: their thanatologist.
        case online
        /// No device of the client is connected. detail: their thanatologist.
        case offline
    }

    public let kind: Kind
    public let person: ID<Person>?
    public let detail: String?

    public init(_ kind: Kind, _ person: ID<Person>? = nil, _ detail: String? = nil) {
        (self.kind, self.person, self.detail) = (kind, person, detail)
    }

    /// The notices of rooms' happenings, in order. One tells of all that the daemons find up to a number. Those that an erasure
    /// takes with it have notices of their own, because nobody finds them afterwards.
    public static func telling(_ happenings: [RoomHappening]) -> [Notice] {
        var notices: [Notice] = []
        for happening in happenings {
            guard !happening.isErased else {
                let kind = happening.kind == .left ? Kind.left : .gone
                let (room, at) = (happening.room.number, happening.at.microseconds)
                notices.append(Notice(kind, happening.person.id, "\(room) \(happening.number) \(at)"))
                continue
            }
            if notices.last?.kind == .chat { notices.removeLast() }
            notices.append(Notice(.chat, nil, "\(happening.number)"))
        }
        return notices
    }

    /// The notice is about a person's presence, which ends with the daemon that wrote it.
    fileprivate var place: (name: String, isThere: Bool)? {
        switch kind {
        case .listening: ("rooms", true)
        case .silent: ("rooms", false)
        case .online: ("device", true)
        case .offline: ("device", false)
        default: nil
        }
    }
}

/// A notice as a daemon hears it, with what it is about.
public struct HeardNotice: Sendable {
    public let number: Int
    /// The daemon that wrote it.
    public let daemon: String
    public let notice: Notice
    /// Of ``Notice/Kind/news``. Nil if they are not stored any more.
    public var news: News?
    /// Of ``Notice/Kind/chat``, in order; of ``Notice/Kind/left`` and ``Notice/Kind/gone``, the one.
    public var happenings: [RoomHappening] = []
    /// Of ``Notice/Kind/typing`` and ``Notice/Kind/listening``.
    public var correspondent: Correspondent?
    /// Of ``Notice/Kind/listening``: the person's rooms, with the number of members of each.
    public var rooms: [ID<Room>: Int] = [:]
}

extension Store {
    /// How long notices are kept. A daemon that did not hear for longer has lost some.
    public static let noticesKept = Duration.seconds(3_600)
    /// A daemon that was not heard of for so long is gone, and with it the people whom it served.
    public static let daemonPatience = Duration.seconds(15)

    /// True if several daemons may serve this practice.
    public var isShared: Bool { dialect == .postgreSQL }

    /// The tables that only a practice on a server has.
    static let noticeTables = """
        CREATE TABLE notice (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            at BIGINT NOT NULL, daemon TEXT NOT NULL, kind TEXT NOT NULL, person BIGINT, detail TEXT
        );
        CREATE INDEX notice_at ON notice (at);
        CREATE TABLE daemon (name TEXT PRIMARY KEY, heard BIGINT NOT NULL);
        CREATE TABLE present (
            daemon TEXT NOT NULL, person BIGINT NOT NULL, place TEXT NOT NULL, detail TEXT,
            PRIMARY KEY (daemon, person, place)
        );
        """

    /// The server's time, in microseconds since 1970: the daemons' machines may show different ones.
    static let serverTime = "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)"

    /// Writes notices, in a transaction that writes.
    public func add(_ notices: [Notice], by daemon: String) throws {
        guard !notices.isEmpty else { return }
        let rows = notices.map { [$0.kind.rawValue, $0.person.map { "\($0.number)" }, $0.detail] }
        try database.run(
            """
            INSERT INTO notice (at, daemon, kind, person, detail)
            SELECT \(Self.serverTime), $2, r.value ->> 0, CAST(r.value ->> 1 AS BIGINT), r.value ->> 2
            FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r(value, place) ORDER BY r.place
            """, ManyRows(rows), daemon)
        for notice in notices {
            guard let place = notice.place else { continue }
            if place.isThere {
                try database.run(
                    """
                    INSERT INTO present (daemon, person, place, detail) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (daemon, person, place) DO UPDATE SET detail = $4
                    """, daemon, notice.person, place.name, notice.detail)
            } else {
                try database.run(
                    "DELETE FROM present WHERE daemon = $1 AND person = $2 AND place = $3", daemon, notice.person,
                    place.name)
            }
        }
    }

    /// Wakes the daemons. Called after the commit: within the transaction it would have all commits wait for each other.
    public func wakeDaemons() throws { try database.execute("NOTIFY \(Self.channel)") }

    /// The number of the newest notice; 0 if there is none.
    public func newestNotice() throws -> Int { try database.number("SELECT max(number) FROM notice") ?? 0 }

    private static let channel = "practice_notices"
    /// The counter of the newest notice that was removed.
    static let removedNotices = "removed notices"

    /// Has this connection hear when notices were written.
    public func listenForNotices() throws { try database.execute("LISTEN \(Self.channel)") }

    /// Waits until the server says that notices were written, one of these descriptors is readable, or the time is over. Throws if
    /// the connection is lost.
    public func waitForNotices(or descriptor: CInt, atMost limit: Duration) throws {
        try (database as? PostgreSQL)?.waitForNotification(or: descriptor, atMost: limit)
    }

    /// The notices after a number, with what they are about.
    ///
    /// - Parameter happening: the number of the last happening of rooms that was heard.
    /// - Returns: nil if some of them were removed.
    public func notices(after number: Int, happening: Int, limit: Int = 1_000) throws -> [HeardNotice]? {
        try transaction {
            let removed = try database.number("SELECT number FROM counter WHERE name = $1", Self.removedNotices) ?? 0
            guard removed <= number else { return nil }
            var heard = try database.rows(
                """
                SELECT n.number, n.daemon, n.kind, n.person, n.detail, w.number, w.at, w.kind, w.what
                FROM (SELECT * FROM notice WHERE number > $1 ORDER BY number LIMIT $2) n
                LEFT JOIN news w ON w.person = n.person
                AND w.number = CASE n.kind WHEN 'news' THEN CAST(n.detail AS BIGINT) END ORDER BY n.number
                """, number, limit
            ) { row in
                Notice.Kind(rawValue: row.text(2) ?? "").map {
                    let (notice, isNews) = (Notice($0, row.id(3), row.text(4)), !row.isNull(5))
                    return HeardNotice(
                        number: row.int(0) ?? 0, daemon: row.text(1) ?? "", notice: notice,
                        news: isNews ? Self.news(of: notice.person ?? ID(0), row, from: 5) : nil)
                }
            }.compactMap { $0 }
            var told = happening
            for place in heard.indices {
                let notice = heard[place].notice
                switch notice.kind {
                case .chat:
                    let last = notice.detail.flatMap { Int($0) } ?? told
                    heard[place].happenings = try happenings(after: told, upTo: last)
                    told = max(told, last)
                case .left, .gone:
                    guard let happening = try erasedHappening(notice) else { continue }
                    heard[place].happenings = [happening]
                    told = max(told, happening.number)
                case .typing: heard[place].correspondent = try notice.person.flatMap(correspondent)
                case .listening:
                    guard let person = notice.person else { continue }
                    heard[place].correspondent = try correspondent(person)
                    heard[place].rooms = try roomSizes(of: person)
                default: break
                }
            }
            return heard
        }
    }

    /// Nil if the notice's detail is none. A client who was erased has no name any more.
    private func erasedHappening(_ notice: Notice) throws -> RoomHappening? {
        let numbers = (notice.detail ?? "").split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 3, let id = notice.person else { return nil }
        let (room, isLeaving) = (ID<Room>(numbers[0]), notice.kind == .left)
        let person = try correspondent(id) ?? Correspondent(id: id, name: isLeaving ? LetterRules.formerClient : "")
        let members = try isLeaving ? memberCount(of: room) : nil
        return RoomHappening(
            number: Int(numbers[1]), room: room, kind: isLeaving ? .left : .gone,
            at: Instant(microseconds: numbers[2]), person: person, message: nil, roomName: nil,
            members: members)
    }

    private func correspondent(_ person: ID<Person>) throws -> Correspondent? {
        try self.person(person).map { Correspondent(id: $0.id, name: $0.name) }
    }

    /// The daemon is alive. Removes notices that all have heard, and the presence that daemons which are gone have left behind:
    /// the others hear that those people are gone. After a time in which nobody could beat, all have their patience anew.
    ///
    /// - Returns: false if the daemon was not known: it is new, or was taken for gone, and must tell anew who is there.
    public func beat(of daemon: String) throws -> Bool {
        let silence = try database.number("SELECT \(Self.serverTime) - heard FROM daemon WHERE name = $1", daemon)
        try database.run(
            """
            INSERT INTO daemon (name, heard) VALUES ($1, \(Self.serverTime))
            ON CONFLICT (name) DO UPDATE SET heard = excluded.heard
            """, daemon)
        if let silence, silence > Int(Self.daemonPatience.microseconds) {
            // A long import kept all writers waiting, this one's beat and those of the others.
            try database.run("UPDATE daemon SET heard = \(Self.serverTime) WHERE name <> $1", daemon)
        }
        // The newest stays, because positions are counted from it.
        let old = try database.number(
            """
            SELECT max(number) FROM notice WHERE at < \(Self.serverTime) - $1
            AND number < (SELECT max(number) FROM notice)
            """, Self.noticesKept.microseconds)
        if let old, old > 0 {
            try database.run("DELETE FROM notice WHERE number <= $1", old)
            try database.run(
                """
                INSERT INTO counter (name, number) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET number = $2
                """, Self.removedNotices, old)
        }
        let gone = try database.rows(
            "SELECT name FROM daemon WHERE heard < \(Self.serverTime) - $1", Self.daemonPatience.microseconds
        ) { $0.text(0) ?? "" }
        for gone in gone { try remove(daemon: gone) }
        return silence != nil
    }

    /// Tells the others whom a daemon serves, after notices of it were not written: people who left meanwhile were never told as
    /// gone.
    ///
    /// - Parameter here: the notices of those who are there.
    public func tellAnew(_ here: [Notice], by daemon: String) throws {
        func presence(_ notice: Notice) -> String { "\(notice.person?.number ?? 0) \(notice.place?.name ?? "")" }
        let known = Set(here.map(presence))
        let gone = try leavings(of: daemon).filter { !known.contains(presence($0)) }
        try add(gone + here, by: daemon)
    }

    /// A daemon ends: the others hear that the people whom it served are gone.
    public func remove(daemon: String) throws {
        try add(leavings(of: daemon), by: daemon)
        try database.run("DELETE FROM daemon WHERE name = $1", daemon)
    }

    /// The notices that everybody is gone who is there as far as a daemon has told.
    private func leavings(of daemon: String) throws -> [Notice] {
        try database.rows(
            "SELECT person, place, detail FROM present WHERE daemon = $1 ORDER BY person, place", daemon
        ) { Notice($0.text(1) == "rooms" ? .silent : .offline, $0.id(0), $0.text(2)) }
    }

    /// The people whom other daemons serve, as notices that would tell of them.
    public func presence(besides daemon: String) throws -> [HeardNotice] {
        let found = try database.rows(
            "SELECT daemon, person, place, detail FROM present WHERE daemon <> $1 ORDER BY daemon, person, place",
            daemon
        ) {
            HeardNotice(
                number: 0, daemon: $0.text(0) ?? "",
                notice: Notice($0.text(2) == "rooms" ? .listening : .online, $0.id(1), $0.text(3)))
        }
        return try found.map { found in
            var found = found
            guard found.notice.kind == .listening, let person = found.notice.person else { return found }
            found.correspondent = try correspondent(person)
            found.rooms = try roomSizes(of: person)
            return found
        }
    }
}
