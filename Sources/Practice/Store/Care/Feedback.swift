import Storage
public import Time

/// A client's words on their care.
public struct Feedback: Equatable, Sendable, Identified {
    public static let letter: Character = "f"

    public let id: ID<Feedback>
    /// Without a name, the beginning of the day.
    public let at: Instant
    public let about: ID<Person>
    public let aboutName: String?
    /// Nil for feedback without a name.
    public let client: ID<Person>?
    public let clientName: String?
    public let rating: Int?
    public let text: String
}

extension Store {
    /// - Parameter client: nil for feedback without a name.
    public func addFeedback(
        _ text: String, rating: Int?, about: ID<Person>, from client: ID<Person>?, at: Instant
    ) throws -> ID<Feedback> {
        let added: ID<Feedback>?? = try database.first(
            "INSERT INTO feedback (at, about, client, rating, text) VALUES ($1, $2, $3, $4, $5) RETURNING id", at,
            about, client, rating, text
        ) { $0.id(0) }
        guard case .some(.some(let id)) = added else { preconditionFailure("an added row is returned") }
        return id
    }

    public func feedback(_ id: ID<Feedback>) throws -> Feedback? {
        try feedback("f.id = $1 AND f.id = $2", [id.databaseValue, id.databaseValue], 1).first
    }

    /// Feedback with a lower number, the newest first, without that about the reader.
    public func feedback(before number: Int, limit: Int, for reader: ID<Person>?) throws -> [Feedback] {
        try feedback("f.id < $1 AND f.about <> $2", [number.databaseValue, (reader ?? ID(0)).databaseValue], limit)
    }

    /// A client's feedback with their name, without that about the reader.
    public func feedback(from client: ID<Person>, for reader: ID<Person>?) throws -> [Feedback] {
        try feedback(
            "f.client = $1 AND f.about <> $2", [client.databaseValue, (reader ?? ID(0)).databaseValue], Int(Int32.max))
    }

    private func feedback(_ condition: String, _ values: [Value], _ limit: Int) throws -> [Feedback] {
        var found: [Feedback] = []
        try database.each(
            """
            SELECT f.id, f.at, f.about, a.name, f.client, c.name, f.rating, f.text FROM feedback f
            LEFT JOIN person a ON a.id = f.about LEFT JOIN person c ON c.id = f.client
            WHERE \(condition) ORDER BY f.id DESC LIMIT $3
            """, values + [limit.databaseValue]
        ) {
            found.append(
                Feedback(
                    id: $0.id(0) ?? ID(0), at: $0.instant(1) ?? Instant(microseconds: 0), about: $0.id(2) ?? ID(0),
                    aboutName: $0.text(3), client: $0.id(4), clientName: $0.text(5), rating: $0.int(6),
                    text: $0.text(7) ?? ""))
        }
        return found
    }
}
