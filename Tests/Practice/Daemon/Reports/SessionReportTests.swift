import PracticeInterfaces
import StaffInterfaces
import Testing
import Varlink

@testable import PracticeDaemon
@testable import PracticeStore

/// On 5 March 2027, a Friday in week 9.
@Suite struct `Reports of sessions` {
    @Test func `a report is told whole`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        for on in ["2027-02-01", "2027-02-28", "2027-03-01"] { try place.session(cleo, by: place.ana, on: on) }
        let reply = try place.clinic.as(place.ada).call(Reports.Get(kind: .attended, period: .month, count: 3))
        #expect(
            reply
                == Reports.Get.Reply(
                    title: "Clients with a session, by month", unit: "clients",
                    periods: ["2027-01", "2027-02", "2027-03"],
                    series: [.init(name: "Clients", values: [0, 1, 1], total: 1)], first: "2027-01-01",
                    last: "2027-03-31", running: true,
                    definition: """
                        Clients with at least one session in the period. They are people: a client with ten sessions counts \
                        once in each period, and once in the total, which is therefore not the sum. A session counts on its \
                        day, and not at all once it was voided.
                        """))
    }

    @Test func `a week belongs to the year that has its Thursday`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        for on in ["2026-12-27", "2026-12-28", "2027-01-03", "2027-01-04"] {
            try place.session(cleo, by: place.ana, on: on)
        }
        let reply = try place.clinic.root.call(
            Reports.Get(kind: .services, period: .week, until: "2027-W01", count: 3))
        #expect(reply.periods == ["2026-W52", "2026-W53", "2027-W01"])
        #expect(reply.series == [.init(name: "Talk", values: [1, 2, 1], total: 4)])
        #expect(reply.running == nil)
        #expect([reply.first, reply.last] == ["2026-12-21", "2027-01-10"])
        #expect(
            try place.lines(.init(kind: .services, period: .year, count: 2)) == ["Talk: 2.0 2.0 | 4.0"])
    }

    @Test func `clients are people, and the total is not the sum`() throws {
        let place = try ReportClinic()
        let (cleo, dora) = (try place.client("Cleo", of: place.ana), try place.client("Dora", of: place.ben))
        for on in ["2027-01-05", "2027-01-06", "2027-02-01"] { try place.session(cleo, by: place.ana, on: on) }
        try place.session(dora, by: place.ben, on: "2027-02-02")
        try place.clinic.root.call(Records.Transfer(client: cleo, to: place.ben, reason: "Leave."))
        try place.session(cleo, by: place.ben, on: "2027-02-03")
        let months = Reports.Get(kind: .attended, period: .month, until: "2027-02", count: 2)
        #expect(try place.lines(months) == ["Clients: 1.0 2.0 | 2.0"])
        #expect(
            try place.lines(.init(kind: .caseload, period: .month, until: "2027-02", count: 2)) == [
                "Ana: 1.0 1.0 | 1.0", "Ben: 0.0 2.0 | 2.0",
            ])
    }

    @Test func `thanatologists stand in alphabetical order, whoever came first or has most clients`() throws {
        let place = try ReportClinic()
        let carl = try place.clinic.staff("Carl", .thanatologist)
        let angel = try place.clinic.staff("Ángel", .thanatologist)
        for (name, thanatologist) in [("Cleo", carl), ("Dora", carl), ("Emil", place.ana), ("Fay", angel)] {
            try place.session(try place.client(name, of: thanatologist), by: thanatologist, on: "2027-02-01")
        }
        #expect(
            try place.lines(.init(kind: .caseload, period: .month, until: "2027-02", count: 1)) == [
                "Ana: 1.0 | 1.0", "Ángel: 1.0 | 1.0", "Ben: 0.0 | 0.0", "Carl: 2.0 | 2.0",
            ])
    }

    @Test func `each currency is counted by itself, and no fee is not a fee of zero`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        for fee in [4_550, 10_000, 0, nil, nil] { try place.session(cleo, by: place.ana, on: "2027-03-01", fee: fee) }
        try place.clinic.close()
        var settings = Clinic.settings
        settings.currency = "JPY"
        let later = try Clinic(settings, copyOf: place.clinic)
        try later.as(place.ana).call(
            Records.AddSession(
                client: cleo, on: "2027-03-02", minutes: 50, service: "v1", motives: [], tools: [], fee: 5_000,
                notes: ""))
        let reply = try later.root.call(Reports.Get(kind: .fees, period: .week, count: 2))
        #expect(reply.unit == "JPY")
        #expect(
            reply.series == [
                .init(name: "JPY", values: [0, 5_000], total: 5_000),
                .init(name: "EUR", values: [0, 145.5], total: 145.5, unit: "EUR"),
                .init(name: "None given", values: [0, 1], total: 1, unit: "sessions"),
                .init(name: "Nothing to give", values: [0, 2], total: 2, unit: "sessions"),
            ])
    }

    @Test func `motives and tools are counted by session, the most frequent first`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        let pet = try place.clinic.term("motives", "Loss of a pet")
        let all = try place.clinic.term("motives", "A")
        for motives in [[pet], [pet, place.offers.loss], [all], []] {
            try place.session(cleo, by: place.ana, on: "2027-03-01", motives: motives, tools: [place.offers.letter])
        }
        #expect(
            try place.lines(.init(kind: .motives, period: .month, count: 1)) == [
                "Loss of a pet: 2.0 | 2.0", "A: 1.0 | 1.0", "Loss of a parent: 1.0 | 1.0",
            ])
        #expect(try place.lines(.init(kind: .tools, period: .month, count: 1)) == ["Letter: 4.0 | 4.0"])
        #expect(
            try place.lines(.init(kind: .motives, period: .month, count: 1, each: true)) == [
                "Ana: Loss of a pet: 2.0 | 2.0", "Ana: A: 1.0 | 1.0", "Ana: Loss of a parent: 1.0 | 1.0",
            ])
    }

    @Test func `services of one name are told apart, and no number follows from the other's`() throws {
        let place = try ReportClinic()
        let services = try ["Grief", "Care", "Care"].map {
            try place.clinic.root.call(Practice.AddService(category: $0, name: "First session", description: ""))
                .service.id
        }
        func add(_ count: Int, of service: Int, by thanatologist: String, _ client: String, on: String) throws {
            for _ in 0..<count {
                try place.clinic.as(thanatologist).call(
                    Records.AddSession(
                        client: client, on: on, minutes: 50, service: services[service], motives: [], tools: [],
                        notes: ""))
            }
        }
        let (cleo, dora) = (try place.client("Cleo", of: place.ana), try place.client("Dora", of: place.ben))
        try add(1, of: 1, by: place.ana, cleo, on: "2027-01-04")
        try add(2, of: 2, by: place.ana, cleo, on: "2027-01-04")
        try add(25, of: 0, by: place.ana, cleo, on: "2027-02-01")
        try add(3, of: 1, by: place.ana, cleo, on: "2027-02-01")
        try add(5, of: 0, by: place.ben, dora, on: "2027-02-02")
        try add(37, of: 1, by: place.ben, dora, on: "2027-02-02")
        let (one, other) = ("Care: First session (\(services[1]))", "Care: First session (\(services[2]))")
        #expect(
            try place.lines(.init(kind: .services, period: .month, until: "2027-01", count: 1)) == [
                "\(other): 2.0 | 2.0", "\(one): 1.0 | 1.0",
            ])
        let february = Reports.Get(kind: .services, period: .month, until: "2027-02", count: 1, share: true)
        #expect(try place.lines(february) == ["\(one): * | *", "Grief: First session: * | *"])
        var each = february
        each.each = true
        #expect(
            try place.lines(each) == [
                "Ana: Grief: First session: 25.0 | 25.0", "Ana: \(one): * | *", "Ben: \(one): 37.0 | 37.0",
                "Ben: Grief: First session: * | *",
            ])
    }

    @Test func `of more than a hundred words, the last are one series`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        let words = try (1...101).map { try place.clinic.term("motives", "Word \(1_000 + $0)") }
        for (number, word) in words.enumerated() {
            try place.session(cleo, by: place.ana, on: "2027-03-01", motives: [word])
            if number < 50 { try place.session(cleo, by: place.ana, on: "2027-03-01", motives: [word]) }
        }
        let series = try place.clinic.root.call(Reports.Get(kind: .motives, period: .month, count: 1)).series
        #expect(series.count == 100)
        #expect(series[98] == .init(name: "Word 1099", values: [1], total: 1))
        #expect(series[99] == .init(name: "2 others", values: [2], total: 2))
    }

    @Test func `a voided session counts nowhere`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        let session = try place.session(cleo, by: place.ana, on: "2027-03-01", tools: [place.offers.letter], fee: 500)
        // Another thanatologist voids it, who has the record by then.
        try place.clinic.root.call(Records.Transfer(client: cleo, to: place.ben, reason: "Leave."))
        try place.clinic.as(place.ben).call(Records.VoidSession(session: session, reason: "Wrong."))
        for kind in [Reports.Kind.motives, .services, .tools] {
            #expect(try place.lines(.init(kind: kind, period: .month, count: 1)) == [])
        }
        #expect(try place.lines(.init(kind: .attended, period: .year, count: 1)) == ["Clients: 0.0 | 0.0"])
        #expect(
            try place.lines(.init(kind: .fees, period: .month, count: 1)) == [
                "EUR: 0.0 | 0.0", "None given: 0.0 | 0.0", "Nothing to give: 0.0 | 0.0",
            ])
    }

    @Test func `a transfer leaves each session with the thanatologist who held it`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        try place.session(cleo, by: place.ana, on: "2027-03-01")
        let before = try place.lines(.init(kind: .services, period: .month, count: 1, each: true))
        try place.clinic.root.call(Records.Transfer(client: cleo, to: place.ben, reason: "Leave."))
        #expect(before == ["Ana: Talk: 1.0 | 1.0"])
        #expect(try place.lines(.init(kind: .services, period: .month, count: 1, each: true)) == before)
    }

    @Test func `the numbers of an erased record go with it, and those of a closed one stay`() throws {
        let place = try ReportClinic()
        let (cleo, dora) = (try place.client("Cleo", of: place.ana), try place.client("Dora", of: place.ana))
        for client in [cleo, cleo, dora] { try place.session(client, by: place.ana, on: "2027-03-01", fee: 500) }
        let session = try place.session(cleo, by: place.ana, on: "2027-03-02")
        try place.clinic.as(place.ana).call(Records.VoidSession(session: session, reason: "Wrong."))
        try place.clinic.as(place.ana).call(Records.CloseRecord(client: cleo, reason: "Well."))
        func numbers() throws -> [String] {
            try [Reports.Kind.attended, .fees, .services].flatMap {
                try place.lines(.init(kind: $0, period: .month, count: 1))
            }
        }
        #expect(
            try numbers() == [
                "Clients: 2.0 | 2.0", "EUR: 15.0 | 15.0", "None given: 0.0 | 0.0", "Nothing to give: 0.0 | 0.0",
                "Talk: 3.0 | 3.0",
            ])
        try place.clinic.root.call(Records.EraseRecord(client: cleo, number: 1, reason: "Asked."))
        #expect(
            try numbers() == [
                "Clients: 1.0 | 1.0", "EUR: 5.0 | 5.0", "None given: 0.0 | 0.0", "Nothing to give: 0.0 | 0.0",
                "Talk: 1.0 | 1.0",
            ])
        let tallies = try place.clinic.writer.storage.store()
        #expect(try tallies.areTalliesRight())
    }
}
