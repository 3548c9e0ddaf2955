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
        // Among the numbers of feedback with a name, one without would have its hour. The first is -2: to a trigger of SQLite, a row
        // that has no number yet has -1, and would seem to replace that one.
        let (column, number) =
            client == nil ? ("id, ", "(SELECT coalesce(min(id), -1) - 1 FROM feedback WHERE id < 0), ") : ("", "")
        let added: ID<Feedback>?? = try database.first(
            """
            INSERT INTO feedback (\(column)at, about, client, rating, text)
            VALUES (\(number)$1, $2, $3, $4, $5) RETURNING id
            """, at, about, client, rating, text
        ) { $0.id(0) }
        guard case .some(.some(let id)) = added else { preconditionFailure("an added row is returned") }
        return id
    }

    public func feedback(_ id: ID<Feedback>) throws -> Feedback? {
        try feedback("f.id = $1 AND f.id = $2", [id.databaseValue, id.databaseValue], 1).first
    }

    /// The newest feedback first, without that about the reader. Feedback without a name stands at the end of its day.
    ///
    /// The next page begins at an instant, after so many with that instant: a number of the rows would tell when feedback
    /// without a name came.
    public func feedback(_ page: PageRequest, for reader: ID<Person>?) throws -> Page<Feedback> {
        let start = page.after.map { (at: Instant(microseconds: Int64($0.sortKey) ?? 0), passed: $0.id) }
        let latest = start?.at ?? Instant(microseconds: .max)
        let found = try feedback(
            "f.at <= $1 AND f.about <> $2", [latest.databaseValue, (reader ?? ID(0)).databaseValue], page.limit + 1,
            after: start?.passed ?? 0)
        return Page(found, page) { last in
            let equal = found.prefix(page.limit).count { $0.at == last.at }
            return PageStart(
                sortKey: "\(last.at.microseconds)", id: Int64(equal) + (start?.at == last.at ? start?.passed ?? 0 : 0))
        }
    }

    /// A client's feedback with their name, without that about the reader.
    public func feedback(from client: ID<Person>, for reader: ID<Person>?) throws -> [Feedback] {
        try feedback(
            "f.client = $1 AND f.about <> $2", [client.databaseValue, (reader ?? ID(0)).databaseValue], Int(Int32.max))
    }

    private func feedback(
        _ condition: String, _ values: [Value], _ limit: Int, after passed: Int64 = 0
    ) throws -> [Feedback] {
        var found: [Feedback] = []
        try database.each(
            """
            SELECT f.id, f.at, f.about, a.name, f.client, c.name, f.rating, f.text FROM feedback f
            LEFT JOIN person a ON a.id = f.about LEFT JOIN person c ON c.id = f.client
            WHERE \(condition) ORDER BY f.at DESC, f.id DESC LIMIT $3 OFFSET $4
            """, values + [limit.databaseValue, .integer(passed)]
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
