import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Testing
import Time
import VarlinkService

@testable import PracticeDaemon

@Suite struct `The limits of a practice` {
    private func settings(_ change: (inout PracticeSettings) -> Void) -> PracticeSettings {
        var settings = Clinic.settings
        change(&settings)
        return settings
    }

    private func crowded(_ limit: Int, user: UInt32? = nil) -> String {
        let whose = user.map { ",\"user\":\($0)" } ?? ""
        return #"{"error":"org.daybreak.Practice.TooManyConnections","parameters":{"limit":\#(limit)\#(whose)}}"#
    }

    private func user(_ number: UInt32, _ clinic: Clinic) -> Clinic.TestCaller {
        Clinic.TestCaller(clinic: clinic, caller: Caller(user: number, account: nil, rights: []))
    }

    @Test func `connections beyond limits.connections are refused with an error, and logged once`() throws {
        let open = try OpenClinic(settings { $0.connections = 8 })
        var crowd = try (0..<8).map { try open.connect(user(4_000 + $0, open.clinic)) }
        for number in 0..<3 {
            let late = open.knock(user(5_000 + UInt32(number), open.clinic))
            #expect(try open.hear(late) == crowded(8))
            #expect(try open.hear(late) == "cut")
        }
        #expect(open.said == ["warning: Connections are refused: there are 8, which is the limit, carrying on"])
        crowd.removeLast().leave()
        _ = try open.connect(user(5_000, open.clinic))
    }

    @Test func `only the user with too many connections is refused by limits.connections_of_person`() throws {
        let open = try OpenClinic(settings { $0.connectionsOfPerson = 4 })
        let crowd = try (0..<4).map { _ in try open.connect(open.clinic.visitor) }
        for _ in 0..<3 {
            let late = open.knock(open.clinic.visitor)
            #expect(try open.hear(late) == crowded(4, user: 4_000))
            #expect(try open.hear(late) == "cut")
        }
        #expect(
            open.said
                == ["warning: Connections of user 4000 are refused: there are 4, which is the limit, carrying on"])
        let root = try open.connect(open.clinic.root)
        #expect(try open.ask(Practice.ListStaff(), root).hasPrefix(#"{"parameters""#))
        crowd[0].leave()
        _ = try open.connect(open.clinic.visitor)
    }

    @Test func `connections over SSH count for the person, not for the gate's account`() throws {
        // An account that every machine has plays the gate's.
        let open = try OpenClinic(settings { ($0.connectionsOfPerson, $0.gate.account) = (2, "daemon") })
        let user = try #require(Account.user("daemon"))
        let (ana, ben) = (try open.clinic.staff("Ana", .thanatologist), try open.clinic.staff("Ben", .thanatologist))
        try open.clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        try open.clinic.as(ben).call(Practice.AddKey(publicKey: Keys.cleo))
        let gate = Clinic.TestCaller(clinic: open.clinic, caller: Caller(user: user, account: "daemon", rights: []))
        let connections = try (0..<5).map { _ in try open.connect(gate) }
        func enter(_ key: String, _ place: Int) throws -> String {
            try open.ask(Gate.Enter(fingerprint: key, through: "192.0.2.7"), connections[place])
        }
        for place in 0..<2 {
            #expect(try enter(Keys.anas, place) == #"{"parameters":{"person":"\#(ana)"}}"#)
        }
        let refusal =
            #"{"error":"org.daybreak.Practice.TooManyConnections","parameters":{"limit":2,"person":"\#(ana)"}}"#
        #expect(try enter(Keys.anas, 2) == refusal)
        #expect(try open.hear(connections[2]) == "cut")
        #expect(try enter(Keys.cleos, 3) == #"{"parameters":{"person":"\#(ben)"}}"#)
        connections[0].leave()
        #expect(try enter(Keys.anas, 4) == #"{"parameters":{"person":"\#(ana)"}}"#)
        #expect(
            open.said == ["warning: Connections of \(ana) are refused: there are 2, which is the limit, carrying on"])
    }

    @Test func `unanswered calls beyond limits.calls_of_person are refused, and accepted again after an answer`() throws
    {
        let open = try OpenClinic(settings { $0.callsOfPerson = 2 })
        let ada = try open.clinic.staff("Ada", .administrator)
        let clients = try (0..<4).map { _ in try open.connect(open.clinic.as(ada)) }
        let other = try open.connect(open.clinic.root)
        let refusal = #"{"error":"org.daybreak.Practice.TooManyCalls","parameters":{"limit":2}}"#
        // Another program's transaction keeps the calls waiting.
        let store = try open.clinic.writer.storage.store()
        try store.transaction {
            try store.state(.madeUp, "1")
            for (number, client) in clients[..<2].enumerated() {
                try open.send(Practice.AddStaff(name: "Person \(number)", role: "support"), client)
            }
            // This reply comes after the loop has read the calls before it.
            #expect(try open.ask(Practice.WhoAmI(), other).hasPrefix(#"{"parameters""#))
            for client in clients[2...] { #expect(try open.ask(Practice.WhoAmI(), client) == refusal) }
            #expect(try open.ask(Practice.WhoAmI(), other).hasPrefix(#"{"parameters""#))
        }
        for client in clients[..<2] { #expect(try open.hear(client).contains(#""name":"Person "#)) }
        for client in clients { #expect(try open.ask(Practice.WhoAmI(), client).hasPrefix(#"{"parameters""#)) }
        #expect(
            open.said == ["warning: Calls of \(ada) are refused: there are 2, which is the limit, carrying on"])
    }

    @Test func `the case files that one person asks for let those of others come in between`() throws {
        let open = try OpenClinic(Clinic.settings)
        let (ana, ben) = (try open.clinic.staff("Ana", .thanatologist), try open.clinic.staff("Ben", .thanatologist))
        let (cleo, dino) = (try open.clinic.client("Cleo", of: ana), try open.clinic.client("Dino", of: ben))
        let anas = try (0..<3).map { _ in try open.connect(open.clinic.as(ana)) }
        let (bens, other) = (try open.connect(open.clinic.as(ben)), try open.connect(open.clinic.root))
        // Another program's transaction keeps the calls waiting.
        let store = try open.clinic.writer.storage.store()
        try store.transaction {
            try store.state(.madeUp, "1")
            for connection in anas { try open.send(Records.CaseFile(client: cleo), connection) }
            try open.send(Records.CaseFile(client: dino), bens)
            // This reply comes after the loop has read the calls before it.
            #expect(try open.ask(Practice.WhoAmI(), other).hasPrefix(#"{"parameters""#))
        }
        for connection in anas + [bens] { #expect(try open.hear(connection).hasPrefix(#"{"parameters":{"file""#)) }
        let newest = try open.clinic.root.call(Practice.Audit(limit: 4)).entries
        #expect(newest.map(\.did) == Array(repeating: "CaseFile", count: 4))
        #expect(newest.map(\.person) == [ana, ana, ben, ana])
    }

    @Test func `as many may come in over SSH at a time as connect`() throws {
        let open = try OpenClinic(settings { ($0.callsOfPerson, $0.gate.account) = (2, "daemon") })
        let user = try #require(Account.user("daemon"))
        let ana = try open.clinic.staff("Ana", .thanatologist)
        try open.clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        let gate = Clinic.TestCaller(clinic: open.clinic, caller: Caller(user: user, account: "daemon", rights: []))
        let connections = try (0..<4).map { _ in try open.connect(gate) }
        let other = try open.connect(open.clinic.root)
        let store = try open.clinic.writer.storage.store()
        try store.transaction {
            try store.state(.madeUp, "1")
            for connection in connections {
                try open.send(Gate.Enter(fingerprint: Keys.anas, through: "192.0.2.7"), connection)
            }
            #expect(try open.ask(Practice.WhoAmI(), other).hasPrefix(#"{"parameters""#))
        }
        for connection in connections { #expect(try open.hear(connection) == #"{"parameters":{"person":"\#(ana)"}}"#) }
        #expect(open.said == [])
    }

    @Test func `a page has limits.page rows if the call names no number`() throws {
        let clinic = try Clinic(settings { $0.page = 3 })
        for name in ["Ana", "Ben", "Cleo", "Dora"] { _ = try clinic.staff(name, .support) }
        let page = try clinic.root.call(Practice.ListStaff())
        #expect(page.people.map(\.name) == ["Ana", "Ben", "Cleo"])
        #expect(try clinic.root.call(Practice.ListStaff(after: page.next)).people.map(\.name) == ["Dora"])
    }

    @Test(arguments: [200, 300]) func `a call asks for no more than limits.longest_page rows`(longest: Int) throws {
        let clinic = try Clinic(settings { $0.longestPage = longest })
        #expect(
            throws: Practice.Invalid(faults: [.init(field: "limit", reason: "must be a number from 1 to \(longest).")])
        ) { try clinic.root.call(Practice.ListStaff(limit: longest + 1)) }
        try clinic.root.call(Practice.ListStaff(limit: longest))
    }
}
