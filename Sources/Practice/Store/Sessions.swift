import Storage
public import Time

/// The record of a meeting. It is never changed; an addendum corrects it.
public struct Session: Equatable, Sendable, Identified {
    public static let letter: Character = "s"

    /// A text that was added to a session later.
    public struct Addendum: Equatable, Sendable {
        public let at: Instant
        public let by: ID<Person>
        public let text: String
    }

    /// Marks a session that was recorded by mistake. It no longer counts, and can still be read.
    public struct Void: Equatable, Sendable {
        public let at: Instant
        public let by: ID<Person>
        public let reason: String
    }

    public let id: ID<Session>
    public let client: ID<Person>
    /// Counted for each client from 1 without gaps.
    public let number: Int
    /// The thanatologist who recorded it.
    public let thanatologist: ID<Person>
    public let episode: Int
    public let on: CalendarDay
    public let minutes: Int
    public let service: ID<Service>
    public var motives: [ID<Term>] = []
    public var tools: [ID<Term>] = []
    /// In the smallest unit of the currency.
    public let fee: Int?
    public let currency: String
    public let notes: String
    public let recorded: Instant
    public var addenda: [Addendum] = []
    public let void: Void?
}

/// A session before it is recorded.
public struct NewSession: Sendable {
    public let on: CalendarDay
    public let episode: Int
    public let minutes: Int
    public let service: ID<Service>
    /// The words for its motives and tools.
    public let terms: [ID<Term>]
    public let fee: Int?
    public let currency: String
    public let notes: String

    public init(
        on: CalendarDay, episode: Int, minutes: Int, service: ID<Service>, terms: [ID<Term>], fee: Int?,
        currency: String, notes: String
    ) {
        (self.on, self.episode, self.minutes, self.service, self.terms) = (on, episode, minutes, service, terms)
        (self.fee, self.currency, self.notes) = (fee, currency, notes)
    }
}

extension Store {
    /// Adds a session to a client's record, with the next number.
    public func addSession(
        _ new: NewSession, of client: ID<Person>, by thanatologist: ID<Person>, at: Instant
    ) throws -> ID<Session> {
        let number = try database.number(
            "UPDATE client SET sessions = sessions + 1 WHERE person = $1 RETURNING sessions", client)
        guard let number else { preconditionFailure("\(client) is there while a session is added") }
        let added: ID<Session>?? = try database.first(
            """
            INSERT INTO session (client, number, thanatologist, episode, on_day, week, month, year, minutes, service, fee,
            currency, notes, recorded, by_person)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $3) RETURNING id
            """, client, number, thanatologist, new.episode, new.on, Period(.week, with: new.on).description,
            Period(.month, with: new.on).description, Period(.year, with: new.on).description, new.minutes, new.service,
            new.fee, new.currency, new.notes, at
        ) { $0.id(0) }
        guard case .some(.some(let id)) = added else { preconditionFailure("an added row is returned") }
        for term in new.terms {
            try database.run("INSERT INTO session_term (session, term, client) VALUES ($1, $2, $3)", id, term, client)
        }
        try tally(id)
        return id
    }

    /// A session's client and number. Nil if there is none, or if it is not the holder's; both take the same time.
    ///
    /// - Parameter holder: the thanatologist, or the client; nil for anybody's.
    public func place(
        of session: ID<Session>, of holder: ID<Person>?
    ) throws -> (client: ID<Person>, number: Int)? {
        try database.first(
            """
            SELECT s.client, s.number FROM session s JOIN client c ON c.person = s.client
            WHERE s.id = $1 AND (c.thanatologist = $2 OR c.person = $2 OR $2 IS NULL)
            """, session, holder
        ) { (client: $0.id(0) ?? ID(0), number: $0.int(1) ?? 0) }
    }

    /// The newest session of a client that was on this day, of this service and length, and that was not voided: the client's
    /// number, and its own.
    public func session(
        of client: ID<Person>, on day: CalendarDay, service: ID<Service>, minutes: Int
    ) throws -> (client: Int, number: Int)? {
        try database.first(
            """
            SELECT c.number, s.number FROM session s JOIN client c ON c.person = s.client
            WHERE s.client = $1 AND s.on_day = $2 AND s.service = $3 AND s.minutes = $4
            AND NOT EXISTS (SELECT 1 FROM void v WHERE v.session = s.id) ORDER BY s.number DESC
            """, client, day, service, minutes
        ) { (client: $0.int(0) ?? 0, number: $0.int(1) ?? 0) }
    }

    /// The session of a client with this number.
    public func session(_ number: Int, of client: ID<Person>) throws -> Session? {
        try batch(of: client, before: number + 1, limit: 1).first
    }

    /// A client's sessions with a number below `number`, newest first.
    ///
    /// Fewer than the limit if their notes are long: a page has about a megabyte.
    public func sessions(of client: ID<Person>, before number: Int, limit: Int) throws -> [Session] {
        var sessions: [Session] = []
        var bytes = 0
        while sessions.count < limit, bytes < Self.pageBytes {
            let found = try batch(
                of: client, before: sessions.last?.number ?? number, limit: min(limit - sessions.count, 20))
            guard !found.isEmpty else { break }
            for session in found where bytes < Self.pageBytes {
                sessions.append(session)
                bytes += session.notes.utf8.count + session.addenda.reduce(0) { $0 + $1.text.utf8.count }
            }
        }
        return sessions
    }

    private static let pageBytes = 1_024 * 1_024

    /// Adds an addendum to a session, after the earlier ones.
    public func addAddendum(
        _ text: String, to session: ID<Session>, of client: ID<Person>, by: ID<Person>, at: Instant
    ) throws {
        try database.run(
            """
            INSERT INTO addendum (session, number, client, at, by_person, text)
            SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5 FROM addendum WHERE session = $1
            """, session, client, at, by, text)
    }

    /// Voids a session. It can be done once.
    public func void(
        _ session: ID<Session>, of client: ID<Person>, by: ID<Person>, at: Instant, reason: String
    ) throws {
        try database.run(
            "INSERT INTO void (session, client, at, by_person, reason) VALUES ($1, $2, $3, $4, $5)", session, client,
            at,
            by, reason)
        try untally(session)
    }

    /// The next of a client's sessions with a number below `number`, newest first.
    private func batch(of client: ID<Person>, before number: Int, limit: Int) throws -> [Session] {
        var sessions = try database.rows(
            """
            SELECT s.id, s.number, s.thanatologist, s.episode, s.on_day, s.minutes, s.service, s.fee, s.currency, s.notes,
            s.recorded, v.at, v.by_person, v.reason FROM session s LEFT JOIN void v ON v.session = s.id
            WHERE s.client = $1 AND s.number < $2 ORDER BY s.number DESC LIMIT $3
            """, client, number, limit
        ) { row in
            Session(
                id: row.id(0) ?? ID(0), client: client, number: row.int(1) ?? 0, thanatologist: row.id(2) ?? ID(0),
                episode: row.int(3) ?? 0, on: row.day(4) ?? CalendarDay(ordinal: 0), minutes: row.int(5) ?? 0,
                service: row.id(6) ?? ID(0), fee: row.int(7), currency: row.text(8) ?? "", notes: row.text(9) ?? "",
                recorded: row.instant(10) ?? Instant(microseconds: 0),
                void: row.instant(11).map {
                    Session.Void(at: $0, by: row.id(12) ?? ID(0), reason: row.text(13) ?? "")
                })
        }
        guard let newest = sessions.first?.number, let oldest = sessions.last?.number else { return [] }
        try addTerms(to: &sessions, of: client, oldest, newest)
        try addAddenda(to: &sessions, of: client, oldest, newest)
        return sessions
    }

    /// The day of a client's last session that is not voided.
    public func lastSession(of client: ID<Person>) throws -> CalendarDay? {
        let day: CalendarDay?? = try database.first(
            """
            SELECT s.on_day FROM session s WHERE s.client = $1
            AND NOT EXISTS (SELECT 1 FROM void v WHERE v.session = s.id) ORDER BY s.on_day DESC LIMIT 1
            """, client
        ) { $0.day(0) }
        return day ?? nil
    }

    private func addTerms(
        to sessions: inout [Session], of client: ID<Person>, _ oldest: Int, _ newest: Int
    ) throws {
        let rows = try database.rows(
            """
            SELECT s.number, w.id, w.vocabulary FROM session s JOIN session_term t ON t.session = s.id
            JOIN term w ON w.id = t.term WHERE s.client = $1 AND s.number BETWEEN $2 AND $3 ORDER BY s.number, w.id
            """, client, oldest, newest
        ) { (number: $0.int(0) ?? 0, term: $0.id(1) ?? ID<Term>(0), isMotive: $0.text(2) == "motives") }
        for row in rows {
            if row.isMotive {
                sessions[newest - row.number].motives.append(row.term)
            } else {
                sessions[newest - row.number].tools.append(row.term)
            }
        }
    }

    private func addAddenda(
        to sessions: inout [Session], of client: ID<Person>, _ oldest: Int, _ newest: Int
    ) throws {
        let rows = try database.rows(
            """
            SELECT s.number, a.at, a.by_person, a.text FROM session s JOIN addendum a ON a.session = s.id
            WHERE s.client = $1 AND s.number BETWEEN $2 AND $3 ORDER BY s.number, a.number
            """, client, oldest, newest
        ) {
            (
                number: $0.int(0) ?? 0,
                addendum: Session.Addendum(
                    at: $0.instant(1) ?? Instant(microseconds: 0), by: $0.id(2) ?? ID(0), text: $0.text(3) ?? "")
            )
        }
        for row in rows { sessions[newest - row.number].addenda.append(row.addendum) }
    }
}
