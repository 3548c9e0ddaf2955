import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Storage
import Testing

@testable import PracticeDaemon

@Suite struct `Sessions` {
    @Test func `a session is stored as it was recorded, with the currency of its fee`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let added = try ana.call(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [day.offers.loss],
                tools: [day.offers.letter, day.offers.letter], fee: 4_500, notes: "First talk.\nShe wept.")
        ).session
        #expect(
            added
                == Records.Session(
                    id: "s1", client: day.cleo, thanatologist: day.ana, number: 1, on: "2027-03-05", minutes: 50,
                    service: day.offers.talk, motives: [day.offers.loss], tools: [day.offers.letter], fee: 4_500,
                    notes: "First talk.\nShe wept.", addenda: [], recorded: "2027-03-05T09:00:00+01:00",
                    currency: "EUR", episode: 1))
        #expect(try ana.call(Records.ListSessions(client: day.cleo)) == .init(sessions: [added]))
        #expect(try ana.call(Records.GetSession(session: "s1")).session == added)
    }

    @Test func `its week, month and year are stored with it`() throws {
        let day = try Clinic.Day()
        let old = try day.clinic.as(day.ana).call(Records.AddClient(name: "Old", since: "2026-12-01")).client.id
        for on in ["2026-12-31", "2027-01-03", "2027-01-04"] {
            try day.clinic.as(day.ana).call(
                Records.AddSession(
                    client: old, on: on, minutes: 50, service: day.offers.talk, motives: [], tools: [], notes: ""))
        }
        let periods = try day.clinic.look().rows(
            "SELECT week, month, year FROM session ORDER BY id"
        ) {
            [$0.text(0), $0.text(1), $0.text(2)]
        }
        #expect(
            periods == [
                ["2026-W53", "2026-12", "2026"], ["2026-W53", "2027-01", "2027"], ["2027-W01", "2027-01", "2027"],
            ])
    }

    @Test func `all faults of a session are reported together, each with its field`() throws {
        let day = try Clinic.Day()
        let unoffered = try day.clinic.service("Old", isOffered: false)
        let retired = try day.clinic.term("tools", "Retired", isOffered: false)
        let notes = String(repeating: "x", count: 256 * 1_024 + 1)
        let faults = [
            ("on", "must be a day such as 2027-03-05."), ("minutes", "must be a number from 1 to 1440."),
            ("service", "must be a service that is offered."),
            ("motives", "must be words of the practice's vocabulary that are in use."),
            ("tools", "must be words of the practice's vocabulary that are in use."),
            ("fee", "must be a number from 0 to 10000000000."), ("notes", "must have no more than 262144 bytes."),
        ]
        #expect(throws: Practice.Invalid(faults: faults.map { .init(field: $0, reason: $1) })) {
            try day.clinic.as(day.ana).call(
                Records.AddSession(
                    client: day.cleo, on: "", minutes: 0, service: unoffered, motives: [day.offers.letter],
                    tools: [retired], fee: -1, notes: notes))
        }
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "minutes", reason: "must be a number from 1 to 1440."),
                .init(field: "motives", reason: "must be no more than 20."),
                .init(field: "fee", reason: "must be a number from 0 to 10000000000."),
                .init(field: "notes", reason: "must not have U+0000 (control character): it cannot be seen."),
            ])
        ) {
            try day.clinic.as(day.ana).call(
                Records.AddSession(
                    client: day.cleo, on: "2027-03-05", minutes: .max, service: day.offers.talk,
                    motives: Array(repeating: day.offers.loss, count: 21), tools: [], fee: .max, notes: "\u{0}"))
        }
        #expect(try day.clinic.as(day.ana).call(Records.ListSessions(client: day.cleo)).sessions == [])
    }

    @Test func `each client's numbers have no gaps, even after refusals and rollbacks`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let dora = try day.clinic.client("Dora", of: day.ana)
        for client in [day.cleo, dora, day.cleo, dora, dora] {
            _ = try? ana.call(Records.AddSession(day, on: "2030-01-01"))
            try ana.call(
                Records.AddSession(
                    client: client, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [], tools: [],
                    notes: ""))
        }
        #expect(try ana.call(Records.ListSessions(client: day.cleo)).sessions.map(\.number) == [2, 1])
        #expect(try ana.call(Records.ListSessions(client: dora)).sessions.map(\.number) == [3, 2, 1])
    }

    @Test func `a session with a key is recorded once, also after the record was closed`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let first = try ana.call(Records.AddSession(day, key: "6f1f"))
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        #expect(try ana.call(Records.AddSession(day, key: "6f1f")) == first)
        #expect(throws: Records.RecordClosed(client: day.cleo, closedOn: "2027-03-05")) {
            try ana.call(Records.AddSession(day, key: "6f20"))
        }
    }

    @Test func `the client and the thanatologist get news of a session, its addendum and its voiding`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        func told(_ outcome: Outcome) -> [String] {
            outcome.news.map { "\($0.person) \($0.kind) \($0.what ?? "")" }
        }
        let expected = ["\(day.ana) session s1", "\(day.cleo) session s1"]
        #expect(told(try ana.outcome(Records.AddSession(day))) == expected)
        #expect(told(try ana.outcome(Records.AddAddendum(session: "s1", text: "Later."))) == expected)
        #expect(told(try ana.outcome(Records.VoidSession(session: "s1", reason: "Wrong."))) == expected)
    }

    @Test func `addenda keep their order, are added once with a key, and can be added after the closing`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Records.AddSession(day))
        try ana.call(Records.AddAddendum(session: "s1", text: "It was 60 minutes.", key: "a"))
        try ana.call(Records.AddAddendum(session: "s1", text: "It was 60 minutes.", key: "a"))
        day.clinic.clock.advance(by: .seconds(60))
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        let session = try ana.call(Records.AddAddendum(session: "s1", text: "No, 70.")).session
        #expect(
            session.addenda == [
                .init(at: "2027-03-05T09:00:00+01:00", by: day.ana, text: "It was 60 minutes."),
                .init(at: "2027-03-05T09:01:00+01:00", by: day.ana, text: "No, 70."),
            ])
        for (text, reason) in [
            (" ", "must not be empty."), (String(repeating: "x", count: 16_385), "must have no more than 16384 bytes."),
        ] {
            #expect(throws: Practice.Invalid(faults: [.init(field: "text", reason: reason)])) {
                try ana.call(Records.AddAddendum(session: "s1", text: text))
            }
        }
    }

    @Test func `a session has no more than a hundred addenda`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Records.AddSession(day))
        for number in 1...100 { try ana.call(Records.AddAddendum(session: "s1", text: "\(number)")) }
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "text", reason: "cannot be added: a session has no more than 100 addenda.")
            ])
        ) { try ana.call(Records.AddAddendum(session: "s1", text: "101")) }
        #expect(
            try ana.call(Records.GetSession(session: "s1")).session.addenda.map(\.text) == (1...100).map { "\($0)" })
    }

    @Test func `a session is voided once, with a reason, and can still be read`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        var expected = try ana.call(Records.AddSession(day, notes: "Not hers.")).session
        #expect(throws: Practice.Invalid(faults: [.init(field: "reason", reason: "must not be empty.")])) {
            try ana.call(Records.VoidSession(session: "s1", reason: ""))
        }
        (expected.voided, expected.voidedBy, expected.voidReason) = ("2027-03-05T09:00:00+01:00", day.ana, "Clara's.")
        #expect(try ana.call(Records.VoidSession(session: "s1", reason: "Clara's.")).session == expected)
        #expect(throws: Records.SessionVoided(session: "s1")) {
            try ana.call(Records.VoidSession(session: "s1", reason: "Clara's."))
        }
        #expect(try ana.call(Records.ListSessions(client: day.cleo)).sessions == [expected])
    }

    @Test func `pages begin with the newest session and end with the first`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        for _ in 1...45 { try ana.call(Records.AddSession(day)) }
        var (numbers, after, lengths) = ([Int](), String?.none, [Int]())
        repeat {
            let page = try ana.call(Records.ListSessions(client: day.cleo, after: after))
            numbers += page.sessions.map(\.number)
            lengths.append(page.sessions.count)
            after = page.next
        } while after != nil
        #expect(numbers == (1...45).reversed())
        #expect(lengths == [20, 20, 5])
        #expect(try ana.call(Records.ListSessions(client: day.cleo, limit: 200)).sessions.count == 45)
    }

    @Test func `a page with long notes has fewer sessions, and none is left out`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        for _ in 1...10 { try ana.call(Records.AddSession(day, notes: String(repeating: "n", count: 200 * 1_024))) }
        let first = try ana.call(Records.ListSessions(client: day.cleo))
        #expect(first.sessions.map(\.number) == [10, 9, 8, 7, 6, 5])
        let second = try ana.call(Records.ListSessions(client: day.cleo, after: first.next))
        #expect(second.sessions.map(\.number) == [4, 3, 2, 1])
        #expect(second.next == nil)
    }
}
