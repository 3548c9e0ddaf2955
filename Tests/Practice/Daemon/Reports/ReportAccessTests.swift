import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing
import Varlink

@testable import PracticeDaemon
@testable import PracticeStore

@Suite struct `Who sees which report` {
    /// Ana and Ben with a client each, and sessions of both.
    private func place() throws -> ReportClinic {
        let place = try ReportClinic()
        let (cleo, dora) = (try place.client("Cleo", of: place.ana), try place.client("Dora", of: place.ben))
        try place.session(cleo, by: place.ana, on: "2027-03-01", tools: [place.offers.letter], fee: 500)
        for _ in 1...2 {
            try place.session(dora, by: place.ben, on: "2027-03-02", tools: [place.offers.letter], fee: 300)
        }
        for (client, staff) in [(cleo, place.ana), (dora, place.ben)] {
            try place.clinic.as(client).call(Mail.Send(to: [staff], subject: "Friday", body: "At ten?"))
        }
        return place
    }

    @Test(arguments: Reports.Kind.allCases)
    func `a thanatologist sees their own numbers alone`(kind: Reports.Kind) throws {
        let place = try place()
        let (ana, ben) = (place.clinic.as(place.ana), place.clinic.as(place.ben))
        for each in [nil, true] {
            let report = Reports.Get(kind: kind, period: .month, count: 2, each: each)
            let own = try ana.call(report)
            var named = report
            named.thanatologist = place.ana
            #expect(try ana.call(named) == own)
            #expect(try place.clinic.as(place.sofia).call(named) == own)
            #expect(try place.clinic.as(place.ada).call(named) == own)
            #expect(own.series.allSatisfy { $0.thanatologist == place.ana && $0.thanatologistName == "Ana" })
            #expect(try ben.call(report) != own)
            #expect(throws: Practice.NotFound(kind: "person", id: place.ana)) { try ben.call(named) }
            let cora = try place.client("Cora \(each ?? false)", of: place.ben)
            try place.session(cora, by: place.ben, on: "2027-02-01", tools: [place.offers.letter], fee: 900)
            #expect(try ana.call(report) == own)
        }
    }

    @Test(arguments: [nil, true])
    func `support and administrators see the same numbers of all`(each: Bool?) throws {
        let place = try place()
        for kind in Reports.Kind.allCases {
            let report = Reports.Get(kind: kind, period: .week, count: 2, each: each)
            let all = try place.clinic.root.call(report)
            #expect(try place.clinic.as(place.ada).call(report) == all)
            #expect(try place.clinic.as(place.sofia).call(report) == all)
        }
        #expect(
            try place.lines(.init(kind: .services, period: .month, count: 1, each: each))
                == (each == nil
                    ? ["Talk: 3.0 | 3.0"] : ["Ana: Talk: 1.0 | 1.0", "Ben: Talk: 2.0 | 2.0"]))
    }

    @Test func `clients and visitors see none`() throws {
        let place = try place()
        let dino = try place.client("Dino", of: place.ana)
        for caller in [place.clinic.as(dino), place.clinic.visitor] {
            #expect(throws: Practice.NotAllowed(right: "seeReports")) {
                try caller.call(Reports.Get(kind: .attended, period: .month))
            }
        }
    }

    @Test func `somebody who holds no sessions, a client and nobody are not found`() throws {
        let place = try place()
        let dino = try place.client("Dino", of: place.ana)
        for person in [dino, "p999", "Ana", ""] {
            #expect(throws: Practice.NotFound(kind: "person", id: person)) {
                try place.clinic.root.call(Reports.Get(kind: .fees, period: .week, thanatologist: person))
            }
        }
        let sofia = Practice.Invalid("thanatologist", "must be a thanatologist: Sofia is none.")
        #expect(throws: sofia) {
            try place.clinic.root.call(Reports.Get(kind: .fees, period: .week, thanatologist: place.sofia))
        }
        #expect(throws: Practice.NotFound(kind: "person", id: place.sofia)) {
            try place.clinic.as(place.ana).call(Reports.Get(kind: .fees, period: .week, thanatologist: place.sofia))
        }
    }

    @Test func `somebody who left stays in the reports of their time`() throws {
        let place = try place()
        let gone = try place.clinic.staff("Gone", .thanatologist)
        let dora = try place.client("Dino", of: gone, since: "2026-12-01")
        try place.session(dora, by: gone, on: "2027-01-07")
        try place.clinic.root.call(Records.Transfer(client: dora, to: place.ana, reason: "Leave."))
        try place.clinic.root.call(Practice.RetireStaff(person: gone, revision: 1))
        #expect(
            try place.lines(.init(kind: .caseload, period: .month, count: 3)) == [
                "Ana: 0.0 0.0 1.0 | 1.0", "Ben: 0.0 0.0 1.0 | 1.0", "Gone: 1.0 0.0 0.0 | 1.0",
            ])
        #expect(
            try place.lines(.init(kind: .caseload, period: .month, count: 1)) == ["Ana: 1.0 | 1.0", "Ben: 1.0 | 1.0"])
    }

    @Test func `a report leaves no entry in the audit and writes nothing`() throws {
        let place = try place()
        let before = try place.clinic.writer.storage.store().changeCount
        for kind in Reports.Kind.allCases {
            try place.clinic.as(place.ana).call(Reports.Get(kind: kind, period: .year))
        }
        #expect(try place.clinic.writer.storage.store().changeCount == before)
    }

    @Test func `wrong periods are refused together, each with its field`() throws {
        let place = try ReportClinic()
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "until", reason: "must be a week such as 2027-W09."),
                .init(field: "count", reason: "must be a number from 1 to 120."),
            ])
        ) { try place.clinic.root.call(Reports.Get(kind: .fees, period: .week, until: "2027-03", count: 121)) }
    }
}
