import PracticeInterfaces
import PracticeRules
import Testing

@testable import PracticeDaemon

@Suite struct `Clients and their records` {
    @Test func `a thanatologist adds a client and sees all that was said`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let added = try clinic.as(ana).call(
            Records.AddClient(
                name: " Cleo Vidal ", born: "1980-02-29", phone: "+34 600 123 456", email: "cleo@example.org",
                address: "Calle Mayor 1\n28013 Madrid", emergencyContact: "Omar, +34 600 000 001",
                referredBy: "Dr. Sol",
                motive: "Her mother died in January.", timeZone: "Europe/London", since: "2027-03-01")
        ).client
        let expected = Records.Client(
            id: added.id, number: 1, name: "Cleo Vidal", born: "1980-02-29", phone: "+34600123456",
            email: "cleo@example.org", address: "Calle Mayor 1\n28013 Madrid",
            emergencyContact: "Omar, +34 600 000 001",
            referredBy: "Dr. Sol", motive: "Her mother died in January.", extra: [:], timeZone: "Europe/London",
            thanatologist: ana, open: true, since: "2027-03-01", revision: 1)
        #expect(added == expected)
        #expect(try clinic.as(ana).call(Records.GetClient(client: added.id)).client == expected)
    }

    @Test func `administrators and support see who a client is, and nothing of what was said`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let support = try clinic.staff("Sofia", .support)
        let cleo = try clinic.as(ana).call(
            Records.AddClient(
                name: "Cleo", born: "1980-02-29", phone: "+34600123456", email: "cleo@example.org",
                address: "Calle Mayor 1",
                emergencyContact: "Omar", referredBy: "Dr. Sol", motive: "Her mother died.")
        ).client.id
        let expected = Records.Client(
            id: cleo, number: 1, name: "Cleo", phone: "+34600123456", email: "cleo@example.org", extra: [:],
            timeZone: "Europe/Madrid", thanatologist: ana, open: true, since: "2027-03-05", revision: 1)
        for asker in [clinic.root, clinic.as(support)] {
            #expect(try asker.call(Records.GetClient(client: cleo)).client == expected)
            #expect(throws: Practice.NotAllowed(right: "keepRecords")) {
                try asker.call(Records.ListSessions(client: cleo))
            }
        }
    }

    @Test func `a colleague cannot tell a client that exists from one that does not`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let ben = try clinic.staff("Ben", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        for client in [cleo, "p999", "no-such", ""] {
            #expect(throws: Practice.NotFound(kind: "client", id: client)) {
                try clinic.as(ben).call(Records.GetClient(client: client))
            }
        }
        #expect(try clinic.as(ben).call(Records.ListClients()).total == 0)
    }

    @Test func `a closed record takes no session until it is opened again`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        let offers = try clinic.offers()
        let session = Records.AddSession(
            client: cleo, on: "2027-03-05", minutes: 50, service: offers.talk, motives: [offers.loss],
            tools: [offers.letter], fee: 4_500, notes: "First talk.")
        let closed = try clinic.as(ana).call(Records.CloseRecord(client: cleo, reason: "Goal reached.")).client
        #expect(closed.open == false)
        #expect(closed.closedOn == "2027-03-05")
        #expect(throws: Records.RecordClosed(client: cleo, closedOn: "2027-03-05")) {
            try clinic.as(ana).call(session)
        }
        try clinic.as(ana).call(Records.ReopenRecord(client: cleo, why: .mistake, reason: "Wrong record."))
        let added = try clinic.as(ana).call(session).session
        #expect(
            added
                == Records.Session(
                    id: "s1", client: cleo, thanatologist: ana, number: 1, on: "2027-03-05", minutes: 50,
                    service: offers.talk, motives: [offers.loss], tools: [offers.letter], fee: 4_500,
                    notes: "First talk.", addenda: [], recorded: "2027-03-05T09:00:00+01:00", currency: "EUR",
                    episode: 1))
        #expect(try clinic.as(ana).call(Records.ListSessions(client: cleo)).sessions == [added])
        #expect(try clinic.as(ana).call(Records.GetSession(session: "s1")).session == added)
    }

    @Test func `a transfer gives a client to another thanatologist, and both hear of it`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let ben = try clinic.staff("Ben", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        let outcome = try clinic.root.outcome(Records.Transfer(client: cleo, to: ben, reason: "Ana is on leave."))
        #expect(outcome.news.map(\.person.description) == [ana, cleo, ben])
        #expect(throws: Practice.NotFound(kind: "client", id: cleo)) {
            try clinic.as(ana).call(Records.GetClient(client: cleo))
        }
        let turns = try clinic.as(ben).call(Records.ListTurns(client: cleo)).turns
        #expect(turns.map(\.what) == [.opened, .transferred])
        #expect(turns.map(\.thanatologist) == [ana, ben])
        #expect(turns.map(\.by) == [ana, "root"])
    }
}
