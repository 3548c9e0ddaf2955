public import PracticeRules
import Storage
public import Time

/// A word from the practice to many at once. It is kept once, however many see it.
public struct Broadcast: Equatable, Sendable, Identified {
    public static let letter: Character = "b"

    public let id: ID<Broadcast>
    public var text: String
    public var audience: Audience
    public var starts: Instant
    /// Nil if it stays until it is ended.
    public var ends: Instant?
    public var isDismissable: Bool
    public var level: BroadcastLevel
    public let revision: Int
    /// The reader dismissed it, as it is now.
    public let isDismissed: Bool

    /// A new one, which has no number yet.
    public init(
        text: String, audience: Audience, starts: Instant, ends: Instant?, isDismissable: Bool, level: BroadcastLevel
    ) {
        self.init(
            id: ID(0), text: text, audience: audience, starts: starts, ends: ends, isDismissable: isDismissable,
            level: level, revision: 0, isDismissed: false)
    }

    fileprivate init(
        id: ID<Broadcast>, text: String, audience: Audience, starts: Instant, ends: Instant?, isDismissable: Bool,
        level: BroadcastLevel, revision: Int, isDismissed: Bool
    ) {
        (self.id, self.text, self.audience, self.starts, self.ends) = (id, text, audience, starts, ends)
        (self.isDismissable, self.level, self.revision) = (isDismissable, level, revision)
        self.isDismissed = isDismissed
    }

    public func isShown(at now: Instant) -> Bool { starts <= now && ends.map { now < $0 } ?? true }
}

extension Store {
    /// The end of a broadcast that stays until it is ended.
    private static let never = Instant(microseconds: .max)

    /// All broadcasts that have not ended at that instant, the newest first, as one person finds them.
    public func broadcasts(notEndedAt now: Instant, for reader: ID<Person>?) throws -> [Broadcast] {
        try broadcasts("b.ends > $2", reader, now)
    }

    public func broadcast(_ id: ID<Broadcast>, for reader: ID<Person>?) throws -> Broadcast? {
        try broadcasts("b.id = $2", reader, id).first
    }

    /// The next instant at which a broadcast begins or ends.
    public func nextBroadcastChange(after now: Instant) throws -> Instant? {
        try ["starts", "ends"].compactMap { column in
            let found: Instant?? = try database.first(
                "SELECT min(\(column)) FROM broadcast WHERE \(column) > $1 AND \(column) < $2", now, Self.never
            ) { $0.instant(0) }
            return found ?? nil
        }.min()
    }

    private func broadcasts(
        _ condition: String, _ reader: ID<Person>?, _ value: any Bindable
    ) throws -> [Broadcast] {
        var found: [Broadcast] = []
        try database.each(
            """
            SELECT b.id, b.text, b.audience, b.starts, b.ends, b.dismissable, b.level, b.revision, d.revision
            FROM broadcast b LEFT JOIN dismissal d ON d.broadcast = b.id AND d.person = $1
            WHERE \(condition)
            """, [(reader ?? ID(0)).databaseValue, value.databaseValue]
        ) { row in
            let revision = row.int(7) ?? 0
            found.append(
                Broadcast(
                    id: row.id(0) ?? ID(0), text: row.text(1) ?? "",
                    audience: Audience(rawValue: row.text(2) ?? "") ?? .staff,
                    starts: row.instant(3) ?? Instant(microseconds: 0),
                    ends: row.instant(4).flatMap { $0 == Self.never ? nil : $0 },
                    isDismissable: row.bool(5) ?? true, level: BroadcastLevel(rawValue: row.text(6) ?? "") ?? .notice,
                    revision: revision, isDismissed: row.int(8) == revision))
        }
        // Sorted here: in SQL, the order would make the engine read all broadcasts that ever were.
        return found.sorted { ($0.starts, $0.id.number) > ($1.starts, $1.id.number) }
    }

    public func add(_ broadcast: Broadcast) throws -> ID<Broadcast> {
        let added: ID<Broadcast>?? = try database.first(
            """
            INSERT INTO broadcast (text, audience, starts, ends, dismissable, level, revision)
            VALUES ($1, $2, $3, $4, $5, $6, 1) RETURNING id
            """, broadcast.text, broadcast.audience.rawValue, broadcast.starts, broadcast.ends ?? Self.never,
            broadcast.isDismissable, broadcast.level.rawValue
        ) { $0.id(0) }
        guard case .some(.some(let id)) = added else { preconditionFailure("an added row is returned") }
        return id
    }

    /// Writes a broadcast's text, level and last day, and raises its revision: people who dismissed it see it again.
    public func update(_ broadcast: Broadcast) throws {
        try database.run(
            """
            UPDATE broadcast SET text = $2, ends = $3, dismissable = $4, level = $5, revision = revision + 1 WHERE id = $1
            """, broadcast.id, broadcast.text, broadcast.ends ?? Self.never, broadcast.isDismissable,
            broadcast.level.rawValue)
    }

    /// Ends a broadcast. One that is over already keeps its end.
    public func end(_ broadcast: ID<Broadcast>, at now: Instant) throws {
        try database.run(
            "UPDATE broadcast SET ends = $2 WHERE id = $1 AND ends > $2", broadcast, now)
    }

    public func dismiss(_ broadcast: Broadcast, by reader: ID<Person>) throws {
        try database.run(
            """
            INSERT INTO dismissal (broadcast, person, revision) VALUES ($1, $2, $3)
            ON CONFLICT (broadcast, person) DO UPDATE SET revision = $3
            """, broadcast.id, reader, broadcast.revision)
    }
}
