import Storage
public import Time

/// A notice for one person about a change that concerns them.
public struct News: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// An urgent letter that came; all other news of letters are `mail`.
        case urgent
        case record, session, mail, chat, presence, waiting, survey, broadcast, homework, programme
    }

    public let person: ID<Person>
    /// Counted for each person from 1 without gaps, in the order of the commits.
    public let number: Int
    public let at: Instant
    public let kind: Kind
    public let what: String?
}

extension Store {
    /// The number of a person's news that are stored, for watchers that lost their connection.
    public static let newsKept = 1_000

    /// Stores news for a person, which are sent after the commit.
    public func addNews(for person: ID<Person>, _ kind: News.Kind, _ what: String?, at: Instant) throws -> News {
        let number =
            try database.first(
                """
                INSERT INTO news_count (person, number) VALUES ($1, 1)
                ON CONFLICT (person) DO UPDATE SET number = news_count.number + 1 RETURNING number
                """, person
            ) { $0.int(0) ?? 0 } ?? 0
        try database.run(
            "INSERT INTO news (person, number, at, kind, what) VALUES ($1, $2, $3, $4, $5)", person, number, at,
            kind.rawValue, what)
        try database.run("DELETE FROM news WHERE person = $1 AND number <= $2", person, number - Self.newsKept)
        return News(person: person, number: number, at: at, kind: kind, what: what)
    }

    /// The number of a person's newest news; 0 if there was none.
    public func newsCount(of person: ID<Person>) throws -> Int {
        try database.number("SELECT number FROM news_count WHERE person = $1", person) ?? 0
    }

    /// A person's news after that number, the oldest first.
    public func news(of person: ID<Person>, after number: Int) throws -> [News] {
        try database.rows(
            "SELECT number, at, kind, what FROM news WHERE person = $1 AND number > $2 ORDER BY number", person, number
        ) { Self.news(of: person, $0) }
    }

    /// The news of a person with that number; nil if they are not stored any more.
    func news(of person: ID<Person>, _ number: Int) throws -> News? {
        try database.first(
            "SELECT number, at, kind, what FROM news WHERE person = $1 AND number = $2", person, number
        ) { Self.news(of: person, $0) }
    }

    private static func news(of person: ID<Person>, _ row: borrowing Row) -> News {
        News(
            person: person, number: row.int(0) ?? 0, at: row.instant(1) ?? Instant(microseconds: 0),
            kind: News.Kind(rawValue: row.text(2) ?? "") ?? .record, what: row.text(3))
    }
}
