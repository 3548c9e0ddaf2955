import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Testing
import VarlinkService

@testable import PracticeDaemon

@Suite struct `The status of a practice` {
    @Test func `the status is written a second after a change, and more seldom where its counts take long`() {
        let pauses = [Duration.milliseconds(1), .milliseconds(30), .seconds(5)].map(StatusFileWriter.pause)
        #expect(pauses == [1_000_000, 3_000_000, 10_000_000])
    }

    @Test func `the status counts people, records and sessions, without names`() throws {
        let clinic = try Clinic()
        _ = try clinic.staff("Vera", .administrator)
        let sol = try clinic.staff("Sol", .support)
        let health = try clinic.as(sol).call(Upkeep.Status()).health
        #expect(
            health
                == Upkeep.Health(
                    version: "0.1.0", since: "1970-01-01T01:00:00+01:00", madeUp: false, staff: 2, openClients: 0,
                    closedClients: 0, sessions: 0, connections: 0, watchers: 0, databaseBytes: health.databaseBytes,
                    onServer: TestServer.shared == nil ? nil : true))
        #expect(health.databaseBytes > 0)
    }

    @Test func `visitors and clients cannot read it`() throws {
        let clinic = try Clinic()
        let refused = Practice.NotAllowed(right: "seeStatus")
        #expect(throws: refused) { try clinic.visitor.call(Upkeep.Status()) }
    }

    @Test func `root is an administrator, and so is the account that the daemon runs as, but not through the gate`()
        throws
    {
        let clinic = try Clinic()
        _ = try clinic.root.call(Upkeep.Status())
        let gate = Clinic.TestCaller(
            clinic: clinic, caller: Caller(user: 0, entrance: .gate(key: "SHA256:k", from: "192.0.2.7"), rights: []))
        #expect(throws: Practice.NotAllowed(right: "seeStatus")) { try gate.call(Upkeep.Status()) }
    }
}

@Suite struct `Acting as a person of a made-up practice` {
    private static var demo: PracticeSettings {
        var settings = Clinic.settings
        settings.isDemo = true
        return settings
    }

    private func madeUp(_ settings: PracticeSettings) throws -> Clinic {
        let clinic = try Clinic(settings)
        let store = try clinic.writer.storage.store()
        try store.transaction { try store.state(.madeUp, "1") }
        return clinic
    }

    @Test func `every user may act as every person, by identifier, name, or part of a name`() throws {
        let clinic = try madeUp(Self.demo)
        let vera = try clinic.staff("Vera Ángel", .administrator)
        for who in [vera, "Vera Ángel", "vera angel", "ANG"] {
            #expect(try clinic.visitor.outcome(Upkeep.PlayAs(who: who)).entered?.person.description == vera)
        }
    }

    @Test func `if several people match, they are listed`() throws {
        let clinic = try madeUp(Self.demo)
        let vera = try clinic.staff("Vera", .administrator)
        let veronica = try clinic.staff("Veronica", .support)
        #expect(
            throws: Upkeep.Unclear(choices: [
                .init(person: vera, name: "Vera", role: "administrator"),
                .init(person: veronica, name: "Veronica", role: "support"),
            ])
        ) { try clinic.visitor.call(Upkeep.PlayAs(who: "ver")) }
        #expect(throws: Upkeep.Unclear(choices: [])) { try clinic.visitor.call(Upkeep.PlayAs(who: "Nobody")) }
        #expect(try clinic.visitor.outcome(Upkeep.PlayAs(who: "vera")).entered?.person.description == vera)
    }

    @Test func `it is refused by a daemon without --demo, and in a real practice`() throws {
        let real = try Clinic(Self.demo)
        _ = try real.staff("Vera", .administrator)
        #expect(throws: Upkeep.NotMadeUp()) { try real.visitor.call(Upkeep.PlayAs(who: "Vera")) }
        let hidden = try madeUp(Clinic.settings)
        _ = try hidden.staff("Vera", .administrator)
        #expect(throws: Upkeep.NotMadeUp()) { try hidden.visitor.call(Upkeep.PlayAs(who: "Vera")) }
    }
}
