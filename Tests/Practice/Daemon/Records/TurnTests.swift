import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `A record is closed, reopened and transferred` {
    @Test func `a closing is one turn with its day and its reason`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        day.clinic.clock.advance(by: .seconds(3 * 86_400))
        let closed = try ana.call(Records.CloseRecord(client: day.cleo, reason: "Moved away.", on: "2027-03-06")).client
        #expect((closed.open, closed.closedOn) == (false, "2027-03-06"))
        #expect(throws: Records.RecordClosed(client: day.cleo, closedOn: "2027-03-06")) {
            try ana.call(Records.CloseRecord(client: day.cleo, reason: "Again."))
        }
        #expect(
            try ana.call(Records.ListTurns(client: day.cleo)).turns == [
                .init(
                    at: "2027-03-05T09:00:00+01:00", what: .opened, by: day.ana, reason: "", on: "2027-03-05",
                    thanatologist: day.ana, episode: 1),
                .init(
                    at: "2027-03-08T09:00:00+01:00", what: .closed, by: day.ana, reason: "Moved away.",
                    on: "2027-03-06",
                    thanatologist: day.ana, episode: 1),
            ])
    }

    @Test(arguments: [
        ("2027-03-04", "must not be before the record was opened, on 2027-03-05."),
        ("2027-03-05", "must not be before the last session, on 2027-03-06."),
        ("2027-03-09", "must not be to come: today is 2027-03-08."), ("soon", "must be a day such as 2027-03-05."),
    ])
    func `the day of a closing lies between the last session and today`(on: String, reason: String) throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        day.clinic.clock.advance(by: .seconds(3 * 86_400))
        try ana.call(Records.AddSession(day, on: "2027-03-06"))
        #expect(throws: Practice.Invalid(faults: [.init(field: "on", reason: reason)])) {
            try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well.", on: on))
        }
    }

    @Test func `a closing and a reopening need a reason`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let invalid = Practice.Invalid(faults: [.init(field: "reason", reason: "must not be empty.")])
        #expect(throws: invalid) { try ana.call(Records.CloseRecord(client: day.cleo, reason: " \n")) }
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        #expect(throws: invalid) { try ana.call(Records.ReopenRecord(client: day.cleo, why: .mistake, reason: "")) }
    }

    @Test func `after a mistake the record is as if it had not been closed`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let before = try ana.call(Records.GetClient(client: day.cleo)).client
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        day.clinic.clock.advance(by: .seconds(10 * 86_400))
        let after = try ana.call(Records.ReopenRecord(client: day.cleo, why: .mistake, reason: "It was Clara.")).client
        let letters = try day.clinic.as(day.cleo).call(Mail.List(folder: "inbox")).letters
        #expect(letters.map(\.subject) == ["Your record is open again", "Your record is closed"])
        #expect(after == before)
        #expect(try ana.call(Records.AddSession(day, on: "2027-03-10")).session.episode == 1)
        #expect(throws: Records.RecordOpen(client: day.cleo)) {
            try ana.call(Records.ReopenRecord(client: day.cleo, why: .return, reason: "Came back."))
        }
    }

    @Test func `a return begins a new episode, and no session lies in the gap`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        day.clinic.clock.advance(by: .seconds(5 * 86_400))
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        day.clinic.clock.advance(by: .seconds(10 * 86_400))
        try ana.call(Records.ReopenRecord(client: day.cleo, why: .return, reason: "Came back."))
        #expect(try ana.call(Records.AddSession(day, on: "2027-03-10")).session.episode == 1)
        #expect(try ana.call(Records.AddSession(day, on: "2027-03-20")).session.episode == 2)
        for (on, reason) in [
            ("2027-03-04", "must not be before the record, which begins on 2027-03-05."),
            (
                "2027-03-11",
                "must be a day on which the record was open: it was closed on 2027-03-10 and opened again on 2027-03-20."
            ), ("2027-03-21", "must not be to come: today is 2027-03-20."),
        ] {
            #expect(throws: Practice.Invalid(faults: [.init(field: "on", reason: reason)])) {
                try ana.call(Records.AddSession(day, on: on))
            }
        }
        let turns = try ana.call(Records.ListTurns(client: day.cleo)).turns
        #expect(turns.map(\.what) == [.opened, .closed, .reopened])
        #expect(turns.map(\.why) == [nil, nil, .return])
        #expect(turns.map(\.episode) == [1, 1, 2])
    }

    @Test func `a transfer moves a client to another thanatologist, and both get news`() throws {
        let day = try Clinic.Day()
        let (clinic, cleo) = (day.clinic, day.cleo)
        let ben = try clinic.staff("Ben", .thanatologist)
        try clinic.as(day.ana).call(Records.AddSession(day))
        let outcome = try clinic.root.outcome(Records.Transfer(client: cleo, to: ben, reason: "Ana is on leave."))
        let news = outcome.news.filter { $0.kind == .record }
        #expect(news.map(\.person.description) == [day.ana, cleo, ben])
        #expect(news.allSatisfy { $0.what == cleo })
        #expect(outcome.news.filter { $0.kind == .mail }.map(\.person.description) == [ben])
        for call in [Records.GetClient(client: cleo)] {
            #expect(throws: Practice.NotFound(kind: "client", id: cleo)) { try clinic.as(day.ana).call(call) }
            #expect(try clinic.as(ben).call(call).client.thanatologist == ben)
        }
        #expect(throws: Practice.NotFound(kind: "session", id: "s1")) {
            try clinic.as(day.ana).call(Records.GetSession(session: "s1"))
        }
        #expect(try clinic.as(ben).call(Records.GetSession(session: "s1")).session.thanatologist == day.ana)
        let turns = try clinic.as(ben).call(Records.ListTurns(client: cleo)).turns
        #expect(turns.map(\.what) == [.opened, .transferred])
        #expect(turns.map(\.thanatologist) == [day.ana, ben])
        #expect(turns.map(\.by) == [day.ana, "root"])
    }

    @Test func `letters that nobody has read are counted, and the successor gets one about the clients`() throws {
        let day = try Clinic.Day()
        let clinic = day.clinic
        let (ben, eva) = (try clinic.staff("Ben", .thanatologist), try clinic.staff("Eva", .thanatologist))
        let dora = try clinic.client("Dora", of: day.ana)
        for (client, isUrgent) in [(day.cleo, false), (day.cleo, true), (dora, false)] {
            try clinic.as(client).call(Mail.Send(to: [day.ana], subject: "Help", body: "Please.", urgent: isUrgent))
        }
        let read = try #require(clinic.as(day.ana).call(Mail.List(folder: "inbox")).letters.first { !$0.urgent })
        try clinic.as(day.ana).call(Mail.Mark(letters: [read.id], read: true))
        let moved = try clinic.root.call(Records.Transfer(client: day.cleo, to: ben, reason: "Leave."))
        #expect(moved.unread == 2 && moved.urgent == 1)
        let letter = try #require(clinic.as(ben).call(Mail.List()).letters.first)
        #expect(letter.subject == "A client is yours now" && letter.system)
        #expect(try clinic.as(ben).call(Mail.Get(letter: letter.id)).letter.body?.contains("No. 1.") == true)
        let back = try clinic.root.call(Records.Transfer(client: day.cleo, to: eva, reason: "Back."))
        #expect(back.unread == nil && back.urgent == nil)
        try clinic.root.call(Records.Transfer(client: day.cleo, to: day.ana, reason: "Back."))
        let retired = try clinic.root.call(Practice.RetireStaff(person: day.ana, revision: 1, successor: ben))
        #expect(retired.unread == 2 && retired.urgent == 1)
        let both = try #require(clinic.as(ben).call(Mail.List()).letters.first)
        #expect(both.subject == "2 clients are yours now")
        #expect(
            try clinic.as(ben).call(Mail.Get(letter: both.id)).letter.body?.contains("care for 2 more clients") == true)
    }

    @Test func `a closed record can be transferred, and stays closed`() throws {
        let day = try Clinic.Day()
        let ben = try day.clinic.staff("Ben", .thanatologist)
        try day.clinic.as(day.ana).call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        let client = try day.clinic.root.call(Records.Transfer(client: day.cleo, to: ben, reason: "Ana left.")).client
        #expect((client.open, client.thanatologist) == (false, ben))
    }

    @Test func `a transfer names another thanatologist who works here, and a reason`() throws {
        let day = try Clinic.Day()
        let support = try day.clinic.staff("Sofia", .support)
        for (to, reason) in [
            (day.ana, "must be another: the client is theirs already."),
            (support, "must be a thanatologist who works here."), (day.cleo, "must be a thanatologist who works here."),
            ("p99", "must be a thanatologist who works here."),
        ] {
            #expect(
                throws: Practice.Invalid(faults: [
                    .init(field: "reason", reason: "must not be empty."), .init(field: "to", reason: reason),
                ])
            ) { try day.clinic.root.call(Records.Transfer(client: day.cleo, to: to, reason: "")) }
        }
    }
}
