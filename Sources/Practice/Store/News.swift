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

    /// Stores news for many people, in this order.
    public func addNews(
        _ kind: News.Kind, _ told: [(person: ID<Person>, what: String?)], at: Instant
    ) throws -> [News] {
        guard !told.isEmpty else { return [] }
        var last: [ID<Person>: Int] = [:]
        try database.each(
            dialect.sql(
                """
                INSERT INTO news_count (person, number)
                SELECT CAST(r.value ->> 0 AS BIGINT), count(*) FROM {rows of $1} r WHERE 1 = 1 GROUP BY 1
                ON CONFLICT (person) DO UPDATE SET number = news_count.number + excluded.number RETURNING person, number
                """), [ManyRows(told.map { ["\($0.person.number)"] }).databaseValue]
        ) { last[$0.id(0) ?? ID(0)] = $0.int(1) }
        // The last of a person's has the last number.
        let news =
            told.reversed().map { person, what in
                defer { last[person]? -= 1 }
                return News(person: person, number: last[person] ?? 0, at: at, kind: kind, what: what)
            }.reversed() as [News]
        try database.run(
            dialect.sql(
                """
                INSERT INTO news (person, number, at, kind, what) SELECT CAST(r.value ->> 0 AS BIGINT),
                CAST(r.value ->> 1 AS BIGINT), $2, $3, r.value ->> 2 FROM {rows of $1} r
                """), ManyRows(news.map { ["\($0.person.number)", "\($0.number)", $0.what] }), at, kind.rawValue)
        let old = news.filter { $0.number > Self.newsKept }
        if !old.isEmpty {
            try database.run(
                dialect.sql(
                    """
                    DELETE FROM news WHERE (person, number) IN (SELECT n.person, n.number FROM {rows of $1} r
                    JOIN news n ON n.person = CAST(r.value ->> 0 AS BIGINT) AND n.number <= CAST(r.value ->> 1 AS BIGINT))
                    """), ManyRows(old.map { ["\($0.person.number)", "\($0.number - Self.newsKept)"] }))
        }
        return news
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

    /// - Parameter first: the column of the number.
    static func news(of person: ID<Person>, _ row: borrowing Row, from first: Int = 0) -> News {
        News(
            person: person, number: row.int(first) ?? 0, at: row.instant(first + 1) ?? Instant(microseconds: 0),
            kind: News.Kind(rawValue: row.text(first + 2) ?? "") ?? .record, what: row.text(first + 3))
    }
}
