import Storage
public import Time

/// The tallies of sessions: what a thanatologist's sessions of a week or a month are counted as. Reports read them, because
/// reading the sessions themselves takes seconds after ten years.
///
/// A session is tallied in its own transaction: added, voided or erased. Sessions never change in any other way.
extension Store {
    /// A thing that sessions are counted by.
    public enum TallyKind: String, Sendable {
        case client, service, term
        /// A fee was given. Counted by its currency.
        case given
        /// The fee was 0.
        case noneGiven = "none"
        /// There was no fee.
        case nothingToGive = "nothing"
    }

    private static let columns = "period, thanatologist, kind, key, currency, sessions, amount"
    private static let isVoid = "EXISTS (SELECT 1 FROM void v WHERE v.session = s.id)"

    /// The rows that sessions are counted as, by their `week` or `month`: a SELECT.
    private static func entries(by period: String, of sessions: String, sign: Int = 1) -> String {
        """
        SELECT s.\(period), s.thanatologist, 'client', s.client, '', \(sign), 0 FROM session s WHERE \(sessions)
        UNION ALL SELECT s.\(period), s.thanatologist, 'service', s.service, '', \(sign), 0 FROM session s WHERE \(sessions)
        UNION ALL SELECT s.\(period), s.thanatologist, 'term', t.term, '', \(sign), 0
        FROM session s JOIN session_term t ON t.session = s.id WHERE \(sessions)
        UNION ALL SELECT s.\(period), s.thanatologist,
        CASE WHEN s.fee IS NULL THEN 'nothing' WHEN s.fee = 0 THEN 'none' ELSE 'given' END, 0,
        CASE WHEN s.fee > 0 THEN s.currency ELSE '' END, \(sign), \(sign) * coalesce(s.fee, 0) FROM session s
        WHERE \(sessions)
        """
    }

    private static func adding(_ sessions: String, sign: Int) -> [String] {
        ["week", "month"].map { period in
            """
            INSERT INTO tally (\(columns)) \(counted(by: period, of: sessions, sign: sign))
            ON CONFLICT (period, thanatologist, kind, key, currency)
            DO UPDATE SET sessions = tally.sessions + excluded.sessions, amount = tally.amount + excluded.amount
            """
        }
    }

    private static let addingOne = adding("s.id = $1", sign: 1)
    private static let removingOne = adding("s.id = $1", sign: -1)
    private static let removingAll = adding("s.client = $1 AND NOT \(isVoid)", sign: -1)

    /// Counts a session that was just added.
    func tally(_ session: ID<Session>) throws {
        for statement in Self.addingOne { try database.run(statement, session) }
    }

    /// Takes a session out of the tallies that was counted until now.
    func untally(_ session: ID<Session>) throws {
        for statement in Self.removingOne { try database.run(statement, session) }
        try removeEmpty(of: "s.id = $1", session.number)
    }

    /// Takes all sessions of a client out of the tallies.
    func untallySessions(of client: ID<Person>) throws {
        for statement in Self.removingAll { try database.run(statement, client) }
        try removeEmpty(of: "s.client = $1", client.number)
    }

    private func removeEmpty(of sessions: String, _ number: Int64) throws {
        for period in ["week", "month"] {
            try database.run(
                """
                DELETE FROM tally WHERE sessions = 0 AND (period, thanatologist) IN
                (SELECT s.\(period), s.thanatologist FROM session s WHERE \(sessions))
                """, number)
        }
    }

    // MARK: Counting all of them

    /// The rows as which sessions are counted, each once.
    private static func counted(by period: String, of sessions: String, sign: Int = 1) -> String {
        """
        SELECT \(columns.replacing("sessions, amount", with: "sum(sessions), sum(amount)")) FROM
        (SELECT NULL AS period, NULL AS thanatologist, NULL AS kind, NULL AS key, NULL AS currency, NULL AS sessions,
        NULL AS amount WHERE 1 = 0 UNION ALL
        \(entries(by: period, of: sessions, sign: sign))) counted
        GROUP BY period, thanatologist, kind, key, currency
        """
    }

    private static let isInPeriod = "s.on_day BETWEEN $1 AND $2 AND NOT \(isVoid)"

    /// Counts all sessions anew: after a restore and an upgrade.
    func countSessionsAnew() throws {
        try database.run("DELETE FROM tally")
        try eachCountedPeriod { unit, period in
            try database.run(
                "INSERT INTO tally (\(Self.columns)) \(Self.counted(by: unit, of: Self.isInPeriod))",
                period.days.lowerBound,
                period.days.upperBound)
        }
    }

    /// True if the tallies are those of the sessions. Reads all sessions.
    func areTalliesRight() throws -> Bool {
        var (isRight, count) = (true, 0)
        try eachCountedPeriod { unit, period in
            let days = period.days
            guard isRight else { return }
            let missing = try database.number(
                "SELECT count(*) FROM (\(Self.counted(by: unit, of: Self.isInPeriod)) EXCEPT SELECT \(Self.columns) FROM tally WHERE period = $3) missing",
                days.lowerBound, days.upperBound, period.description)
            isRight = missing == 0
            count +=
                try database.number(
                    "SELECT count(*) FROM (\(Self.counted(by: unit, of: Self.isInPeriod))) counted", days.lowerBound,
                    days.upperBound) ?? 0
        }
        // Each counted row is there. A row that is not counted makes one more.
        return try isRight && database.number("SELECT count(*) FROM tally") == count
    }

    /// Each week and each month from the first session to the last. A statement over all sessions at once would sort them in
    /// memory.
    private func eachCountedPeriod(_ body: (_ unit: String, _ period: Period) throws -> Void) throws {
        guard let days = try sessionDays() else { return }
        for unit in [Period.Unit.week, .month] {
            var period = Period(unit, with: days.lowerBound)
            while period.days.lowerBound <= days.upperBound {
                try body(unit.rawValue, period)
                period = period.next
            }
        }
    }

    /// The days of the first and the last session, with those that are voided; nil if there is none.
    public func sessionDays() throws -> ClosedRange<CalendarDay>? {
        func day(_ which: String) throws -> CalendarDay? {
            try database.first("SELECT \(which)(on_day) FROM session") { $0.day(0) } ?? nil
        }
        guard let first = try day("min"), let last = try day("max") else { return nil }
        return first...max(first, last)
    }

    // MARK: Reading

    /// Goes through what a thanatologist's sessions of a week or a month are counted as.
    public func eachTally(
        of thanatologist: ID<Person>, in period: Period, _ kind: TallyKind,
        _ body: (_ key: Int64, _ currency: String, _ sessions: Int, _ amount: Int) throws -> Void
    ) throws {
        try database.each(
            """
            SELECT key, currency, sessions, amount FROM tally WHERE period = $1 AND thanatologist = $2 AND kind = $3
            """,
            [period.description.databaseValue, thanatologist.databaseValue, kind.rawValue.databaseValue]
        ) { try body($0.integer(0) ?? 0, $0.text(1) ?? "", $0.int(2) ?? 0, $0.int(3) ?? 0) }
    }

    /// Goes through the numbers of the clients who had a session with a thanatologist in a week or a month.
    public func eachClient(
        of thanatologist: ID<Person>, in period: Period, _ body: (Int64) throws -> Void
    ) throws {
        try database.each(
            "SELECT key FROM tally WHERE period = $1 AND thanatologist = $2 AND kind = 'client'",
            [period.description.databaseValue, thanatologist.databaseValue]
        ) { try body($0.integer(0) ?? 0) }
    }
}
