import Storage
public import Time

/// A thanatologist's word on whether they are there.
public struct Availability: Equatable, Sendable {
    public let isAvailable: Bool
    /// The end of the word.
    public let until: Instant
    public let link: String?

    public init(isAvailable: Bool, until: Instant, link: String?) {
        (self.isAvailable, self.until, self.link) = (isAvailable, until, link)
    }
}

/// A subject for the next session, by the thanatologist.
public struct TalkingPoint: Equatable, Sendable, Identified {
    public static let letter: Character = "k"

    public let at: Instant
    public let by: ID<Person>
    public let text: String
}

extension Store {
    /// The words that hold now: the one for this client, and the one for all clients.
    public func availability(
        of thanatologist: ID<Person>, for client: ID<Person>, at now: Instant
    ) throws -> (forClient: Availability?, forAll: Availability?) {
        let words = try database.rows(
            """
            SELECT client, available, until, link FROM availability
            WHERE thanatologist = $1 AND client IN (0, $2) AND until > $3
            """, thanatologist, client, now
        ) {
            (
                isForAll: $0.int(0) == 0,
                word: Availability(
                    isAvailable: $0.bool(1) ?? false, until: $0.instant(2) ?? Instant(microseconds: 0), link: $0.text(3)
                )
            )
        }
        return (words.first { !$0.isForAll }?.word, words.first(where: \.isForAll)?.word)
    }

    /// - Parameter client: nil for all clients, which ends the words for single ones.
    public func set(_ word: Availability, of thanatologist: ID<Person>, for client: ID<Person>?) throws {
        if client == nil { try database.run("DELETE FROM availability WHERE thanatologist = $1", thanatologist) }
        try database.run(
            """
            INSERT INTO availability (thanatologist, client, available, until, link) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (thanatologist, client) DO UPDATE SET available = $3, until = $4, link = $5
            """, thanatologist, client ?? ID(0), word.isAvailable, word.until, word.link)
    }

    // MARK: Talking points

    public func addTalkingPoint(
        _ text: String, for client: ID<Person>, by: ID<Person>, at: Instant
    ) throws -> ID<TalkingPoint> {
        let added: ID<TalkingPoint>?? = try database.first(
            "INSERT INTO talking_point (client, at, by_person, text) VALUES ($1, $2, $3, $4) RETURNING id", client, at,
            by, text
        ) { $0.id(0) }
        guard case .some(.some(let id)) = added else { preconditionFailure("an added row is returned") }
        return id
    }

    /// The oldest first.
    public func talkingPoints(for client: ID<Person>) throws -> [TalkingPoint] {
        try talkingPoints("ORDER BY at, id", client)
    }

    /// Those for the next session, the oldest first: none that was written before a session was recorded of its day or of a later
    /// one.
    public func openTalkingPoints(for client: ID<Person>, in zone: Zone) throws -> [TalkingPoint] {
        let points = try talkingPoints("ORDER BY at DESC, id DESC LIMIT 100", client)
        guard let oldest = points.last else { return [] }
        let sessions = try database.rows(
            """
            SELECT s.recorded, s.on_day FROM session s WHERE s.client = $1 AND s.recorded >= $2
            AND NOT EXISTS (SELECT 1 FROM void v WHERE v.session = s.id)
            """, client, oldest.at
        ) { (recorded: $0.instant(0), day: $0.day(1)) }
        let open = points.prefix { point in
            let day = zone.day(at: point.at)
            return !sessions.contains { session in
                guard let recorded = session.recorded, let on = session.day else { return false }
                return recorded >= point.at && on >= day
            }
        }
        return open.reversed()
    }

    private func talkingPoints(_ order: String, _ client: ID<Person>) throws -> [TalkingPoint] {
        try database.rows("SELECT at, by_person, text FROM talking_point WHERE client = $1 \(order)", client) {
            TalkingPoint(
                at: $0.instant(0) ?? Instant(microseconds: 0), by: $0.id(1) ?? ID(0), text: $0.text(2) ?? "")
        }
    }
}
