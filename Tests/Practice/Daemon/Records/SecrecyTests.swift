import Foundation
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Storage
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

/// Each method of the interface, as it is called about one client and their session.
struct ClientMethod: Sendable, CustomTestStringConvertible {
    let method: String
    /// Its parameters, with `CLIENT` and `SESSION` where their identifiers stand.
    let parameters: String
    /// The roles that may call it: T thanatologist, C client, S support, A administrator.
    let holders: String

    var testDescription: String { method }

    func parameters(client: String, session: String) -> String {
        parameters.replacing("CLIENT", with: client).replacing("SESSION", with: session)
    }

    static let all = [
        ClientMethod("GetClient", #"{"client":"CLIENT"}"#, "TCSA"),
        ClientMethod("EditClient", #"{"client":"CLIENT","revision":1,"name":"X"}"#, "T"),
        ClientMethod("CloseRecord", #"{"client":"CLIENT","reason":"X"}"#, "T"),
        ClientMethod("ReopenRecord", #"{"client":"CLIENT","why":"return","reason":"X"}"#, "T"),
        ClientMethod("Transfer", #"{"client":"CLIENT","to":"p1","reason":"X"}"#, "A"),
        ClientMethod("ListTurns", #"{"client":"CLIENT"}"#, "T"),
        ClientMethod("ListSessions", #"{"client":"CLIENT"}"#, "T"),
        ClientMethod("GetSession", #"{"session":"SESSION"}"#, "T"),
        ClientMethod(
            "AddSession",
            #"{"client":"CLIENT","on":"2027-03-05","minutes":1,"service":"v1","motives":[],"tools":[],"notes":""}"#, "T"
        ),
        ClientMethod("AddAddendum", #"{"session":"SESSION","text":"X"}"#, "T"),
        ClientMethod("VoidSession", #"{"session":"SESSION","reason":"X"}"#, "T"),
        ClientMethod("CaseFile", #"{"client":"CLIENT"}"#, "TC"),
        ClientMethod("ExportRecord", #"{"client":"CLIENT","reason":"X"}"#, "A"),
        ClientMethod("EraseRecord", #"{"client":"CLIENT","number":1,"reason":"X"}"#, "A"),
    ]

    private init(_ method: String, _ parameters: String, _ holders: String) {
        (self.method, self.parameters, self.holders) = ("org.daybreak.Records." + method, parameters, holders)
    }
}

@Suite struct `The secrecy of other people's clients` {
    @Test func `each method about a client is in the table`() {
        let others = ["ListClients", "ListFields", "AddClient", "ListDisposals"].map { "org.daybreak.Records." + $0 }
        #expect(Set(ClientMethod.all.map(\.method) + others) == Set(Records.methods.map { $0.name }))
    }

    @Test func `the holder of an account is not named`() throws {
        let day = try Clinic.Day()
        let ben = try day.clinic.staff("Ben", .thanatologist)
        try day.clinic.as(day.ana).call(Records.EditClient(client: day.cleo, revision: 1, account: "daemon"))
        #expect(
            throws: Practice.Invalid(faults: [.init(field: "account", reason: "must be nobody else's.")])
        ) { try day.clinic.as(ben).call(Records.AddClient(name: "Dora", account: "daemon")) }
    }

    /// A clinic in which Ana has two clients: Cleo with a session, and Emil, whose record is closed, with a voided one.
    private func staffed() throws -> (clinic: Clinic, ben: String, dino: String) {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Records.AddSession(day))
        let emil = try day.clinic.client("Emil", of: day.ana)
        try ana.call(
            Records.AddSession(
                client: emil, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [], tools: [],
                notes: "So."))
        try ana.call(Records.VoidSession(session: "s2", reason: "Wrong."))
        try ana.call(Records.CloseRecord(client: emil, reason: "Asked."))
        let ben = try day.clinic.staff("Ben", .thanatologist)
        return (day.clinic, ben, try day.clinic.client("Dino", of: ben))
    }

    /// The reply without the identifier that was asked for, and the statements that ran for it.
    private func ask(
        _ caller: Clinic.TestCaller, _ method: String, _ parameters: String
    ) throws -> (reply: String, statements: [String]) {
        var reply = ""
        let statements = try caller.clinic.statements { reply = try caller.raw(method, parameters) }
        return (reply.replacing(#/"id":"[^"]*"/#, with: #""id":"…""#), statements)
    }

    @Test(arguments: ClientMethod.all)
    func `for a colleague's client, the answer and the statements are those for an unknown client`(_ call: ClientMethod)
        throws
    {
        let staffed = try staffed()
        let ben = staffed.clinic.as(staffed.ben)
        func ask(_ client: String, _ session: String) throws -> (reply: String, statements: [String]) {
            try self.ask(ben, call.method, call.parameters(client: client, session: session))
        }
        // The first call prepares the statements.
        _ = try ask("p98", "s98")
        let missing = try ask("p99", "s99")
        for (client, session) in [("p2", "s1"), ("p3", "s2"), ("no-such", "no-such")] {
            let hidden = try ask(client, session)
            #expect(hidden.reply == missing.reply, "\(client)")
            #expect(hidden.statements == missing.statements, "\(client)")
        }
        let kind = call.parameters.contains("SESSION") ? "session" : "client"
        #expect(
            missing.reply
                == (call.holders.contains("T")
                    ? #"{"error":"org.daybreak.Practice.NotFound","parameters":{"id":"…","kind":"\#(kind)"}}"#
                    : #"{"error":"org.daybreak.Practice.NotAllowed","parameters":{"right":"\#(right(of: call))"}}"#))
    }

    /// Calls in which a client can be named, with `CLIENT` where their identifier stands, `SESSION` where a session's does,
    /// and `NAME` and `NUMBER` where those do. The last ones have a fault beside.
    static let calls: [(method: String, parameters: String)] = [
        ("Practice.GetPerson", #"{"person":"CLIENT"}"#), ("Practice.Audit", #"{"client":"CLIENT"}"#),
        ("Practice.Audit", #"{"person":"CLIENT"}"#), ("Records.ListClients", #"{"query":"NAME"}"#),
        ("Records.ListClients", #"{"query":"NUMBER"}"#), ("Records.GetClient", #"{"client":"CLIENT"}"#),
        ("Records.CaseFile", #"{"client":"CLIENT"}"#), ("Practice.ListStaff", #"{"query":"NAME"}"#),
        ("Upkeep.PlayAs", #"{"who":"CLIENT"}"#), ("Upkeep.PlayAs", #"{"who":"NAME"}"#),
        ("Records.EditClient", #"{"client":"CLIENT","revision":7,"name":"","born":"1800-01-01"}"#),
        ("Records.CloseRecord", #"{"client":"CLIENT","reason":"","on":"1800-01-01"}"#),
        ("Records.ReopenRecord", #"{"client":"CLIENT","why":"mistake","reason":""}"#),
        (
            "Records.AddSession",
            #"{"client":"CLIENT","on":"never","minutes":0,"service":"v9","motives":["x"],"tools":[],"notes":""}"#
        ),
        ("Records.ListSessions", #"{"client":"CLIENT","limit":0}"#),
        ("Records.AddAddendum", #"{"session":"SESSION","text":""}"#),
        ("Records.VoidSession", #"{"session":"SESSION","reason":""}"#),
        ("Practice.RetireStaff", #"{"person":"CLIENT","revision":1}"#),
        ("Care.Assign", #"{"client":"CLIENT","schedule":"["}"#), ("Care.Homework", #"{"client":"CLIENT"}"#),
        ("Care.SetAvailable", #"{"available":true,"client":"CLIENT","forSeconds":0}"#),
        ("Care.AddTalkingPoint", #"{"client":"CLIENT","text":""}"#),
    ]

    @Test(arguments: calls)
    func `neither a colleague nor another client learns of a client, not even from another fault of the call`(
        method: String, parameters: String
    ) throws {
        let staffed = try staffed()
        for caller in [staffed.clinic.as(staffed.ben), staffed.clinic.as(staffed.dino), staffed.clinic.visitor] {
            func ask(_ client: String, _ session: String, _ name: String, _ number: String) throws -> (String, [String])
            {
                try self.ask(
                    caller, "org.daybreak." + method,
                    parameters.replacing("CLIENT", with: client).replacing("SESSION", with: session)
                        .replacing("NAME", with: name).replacing("NUMBER", with: number))
            }
            _ = try ask("p98", "s98", "Nobody", "98")
            let missing = try ask("p99", "s99", "Nobody", "99")
            for hidden in [try ask("p2", "s1", "Cleo", "1"), try ask("p3", "s2", "Emil", "2")] {
                #expect(hidden == missing)
            }
        }
    }

    private func right(of call: ClientMethod) -> String { Routes.handler(of: call.method)?.right.rawValue ?? "" }

    @Test(arguments: ClientMethod.all)
    func `a method is refused to every caller without the right`(_ call: ClientMethod) throws {
        let day = try Clinic.Day()
        try day.clinic.as(day.ana).call(Records.AddSession(day))
        let (boss, support) = (try day.clinic.staff("B", .administrator), try day.clinic.staff("S", .support))
        let parameters = call.parameters(client: day.cleo, session: "s1")
        let refused = #"{"error":"org.daybreak.Practice.NotAllowed","parameters":{"right":"\#(right(of: call))"}}"#
        for (letter, caller) in [
            ("T", day.clinic.as(day.ana)), ("C", day.clinic.as(day.cleo)), ("S", day.clinic.as(support)),
            ("A", day.clinic.as(boss)), ("V", day.clinic.visitor),
        ] where !call.holders.contains(letter) {
            #expect(try caller.raw(call.method, parameters) == refused, "\(letter)")
        }
    }

    /// Only printed, because other programs change the microseconds.
    @Test func `the time to refuse an unknown client`() throws {
        let day = try Clinic.Day()
        let ben = day.clinic.as(try day.clinic.staff("Ben", .thanatologist))
        var times: [String: [Duration]] = [:]
        for _ in 1...300 {
            for client in [day.cleo, "p999", "no-such"] {
                let parameters = #"{"client":"\#(client)"}"#
                let begin = ContinuousClock.now
                _ = try ben.raw("org.daybreak.Records.GetClient", parameters)
                times[client, default: []].append(ContinuousClock.now - begin)
            }
        }
        for (client, name) in [(day.cleo, "a colleague's"), ("p999", "nobody's"), ("no-such", "no identifier")] {
            let sorted = times[client, default: []].sorted()
            print("not found, \(name): median \(sorted[150]), p99 \(sorted[297])")
        }
    }
}
