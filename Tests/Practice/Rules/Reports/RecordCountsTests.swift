import PracticeRules
import Testing
import Time

@Suite struct `Records in a report` {
    private let span: ReportSpan = {
        var faults = Faults()
        return ReportSpan(.month, until: nil, count: 4, today: CalendarDay("2027-04-10"), &faults)!
    }()

    private func turn(
        _ kind: RecordTurnKind, _ on: String, _ cause: ReopeningCause? = nil, client: Int64 = 1,
        of thanatologist: Int64 = 7
    ) -> CountedTurn {
        CountedTurn(client: client, kind: kind, cause: cause, on: CalendarDay(on)!, thanatologist: thanatologist)
    }

    /// Opened, closed, reopened and episodes: the numbers of January to April, and the total.
    private func counts(_ turns: [CountedTurn], of thanatologist: Int64? = nil) -> [String] {
        RecordCounts(turns, over: span).rows(of: thanatologist).map { row in
            "\(row.name): " + (row.figures + [row.total]).map { "\(Int($0.value ?? -1))" }.joined(separator: " ")
        }
    }

    @Test func `a record that stays open has one episode, which is under way in each period`() {
        #expect(
            counts([turn(.opened, "2027-02-28")]) == [
                "Opened: 0 1 0 0 1", "Closed: 0 0 0 0 0", "Reopened: 0 0 0 0 0", "Episodes: 0 1 1 1 1",
            ])
    }

    @Test func `the numbers of everybody but some are counted, too`() {
        let turns = [
            turn(.opened, "2027-01-04"), turn(.opened, "2027-02-01", client: 2, of: 8),
            turn(.closed, "2027-03-01", client: 2, of: 8), turn(.opened, "2027-04-01", client: 3, of: 9),
        ]
        let rows = RecordCounts(turns, over: span).rows(besides: [7, 9])
        #expect(rows.map(\.name) == ["Opened", "Closed", "Reopened", "Episodes"])
        #expect(rows.map { $0.figures.map(\.basis) } == [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]])
    }

    @Test func `an episode that began long ago is under way, and its opening does not count`() {
        #expect(
            counts([turn(.opened, "2020-02-28"), turn(.closed, "2027-02-01")]) == [
                "Opened: 0 0 0 0 0", "Closed: 0 1 0 0 1", "Reopened: 0 0 0 0 0", "Episodes: 1 1 0 0 1",
            ])
    }

    @Test func `a client who comes back has another episode`() {
        let turns = [
            turn(.opened, "2027-01-01"), turn(.closed, "2027-01-31"), turn(.reopened, "2027-03-01", .return),
        ]
        #expect(
            counts(turns) == [
                "Opened: 1 0 0 0 1", "Closed: 1 0 0 0 1", "Reopened: 0 0 1 0 1", "Episodes: 1 0 1 1 2",
            ])
    }

    @Test func `a closing that was a mistake does not count, and its gap is undone`() {
        let turns = [
            turn(.opened, "2027-01-01"), turn(.closed, "2027-01-31"), turn(.reopened, "2027-03-01", .mistake),
        ]
        #expect(
            counts(turns) == [
                "Opened: 1 0 0 0 1", "Closed: 0 0 0 0 0", "Reopened: 0 0 0 0 0", "Episodes: 1 1 1 1 1",
            ])
    }

    @Test func `a transfer ends nothing, and the episode is that of both thanatologists`() {
        let turns = [turn(.opened, "2027-01-01"), turn(.transferred, "2027-02-10", of: 8)]
        #expect(
            counts(turns) == [
                "Opened: 1 0 0 0 1", "Closed: 0 0 0 0 0", "Reopened: 0 0 0 0 0", "Episodes: 1 1 1 1 1",
            ])
        #expect(
            counts(turns, of: 7) == [
                "Opened: 1 0 0 0 1", "Closed: 0 0 0 0 0", "Reopened: 0 0 0 0 0", "Episodes: 1 1 0 0 1",
            ])
        #expect(
            counts(turns, of: 8) == [
                "Opened: 0 0 0 0 0", "Closed: 0 0 0 0 0", "Reopened: 0 0 0 0 0", "Episodes: 0 1 1 1 1",
            ])
    }

    @Test func `there and back again is one episode of the first thanatologist`() {
        let turns = [
            turn(.opened, "2027-01-01"), turn(.transferred, "2027-01-10", of: 8), turn(.transferred, "2027-01-20"),
        ]
        #expect(counts(turns, of: 7)[3] == "Episodes: 1 1 1 1 1")
        #expect(counts(turns, of: 8)[3] == "Episodes: 1 0 0 0 1")
    }

    @Test func `a record that was transferred while it was closed by mistake has no gap`() {
        let turns = [
            turn(.opened, "2027-01-01"), turn(.closed, "2027-01-10"), turn(.transferred, "2027-02-10", of: 8),
            turn(.reopened, "2027-04-01", .mistake, of: 8),
        ]
        #expect(counts(turns)[3] == "Episodes: 1 1 1 1 1")
        #expect(counts(turns, of: 7)[3] == "Episodes: 1 1 0 0 1")
        #expect(counts(turns, of: 8)[3] == "Episodes: 0 1 1 1 1")
    }

    @Test func `a closed record that was transferred is nobody's until the client comes back`() {
        let turns = [
            turn(.opened, "2027-01-01"), turn(.closed, "2027-01-10"), turn(.transferred, "2027-02-10", of: 8),
            turn(.reopened, "2027-04-01", .return, of: 8),
        ]
        #expect(counts(turns)[3] == "Episodes: 1 0 0 1 2")
        #expect(
            counts(turns, of: 8) == [
                "Opened: 0 0 0 0 0", "Closed: 0 0 0 0 0", "Reopened: 0 0 0 1 1", "Episodes: 0 0 0 1 1",
            ])
    }

    @Test func `a record that was closed on a day before its transfer was never the second one's`() {
        let turns = [
            turn(.opened, "2027-01-01"), turn(.transferred, "2027-03-10", of: 8), turn(.closed, "2027-02-10", of: 8),
        ]
        #expect(counts(turns, of: 7)[3] == "Episodes: 1 1 0 0 1")
        #expect(counts(turns, of: 8)[3] == "Episodes: 0 0 0 0 0")
        #expect(counts(turns, of: 8)[1] == "Closed: 0 1 0 0 1")
    }

    @Test func `the turns of several records are counted together`() {
        let turns = (1...3).flatMap { client in
            [turn(.opened, "2027-01-01", client: client), turn(.closed, "2027-02-01", client: client)]
        }
        #expect(
            counts(turns) == ["Opened: 3 0 0 0 3", "Closed: 0 3 0 0 3", "Reopened: 0 0 0 0 0", "Episodes: 3 3 0 0 3"])
    }
}
