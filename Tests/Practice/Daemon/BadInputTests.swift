import JSON
import PracticeInterfaces
import PracticeRules
import Testing
import Varlink

@testable import PracticeDaemon

@Suite struct `Bad input` {
    /// What each parameter that must be given is when all is well, by the method of each interface.
    private static let good: [String: [String: String]] = [
        "Records.ListClients": [:], "Records.ListFields": [:], "Records.GetClient": ["client": "\"p2\""],
        "Records.AddClient": ["name": "\"Dora\""], "Records.EditClient": ["client": "\"p2\"", "revision": "1"],
        "Records.CloseRecord": ["client": "\"p2\"", "reason": "\"X\""],
        "Records.ReopenRecord": ["client": "\"p2\"", "why": "\"return\"", "reason": "\"X\""],
        "Records.Transfer": ["client": "\"p2\"", "to": "\"p1\"", "reason": "\"X\""],
        "Records.ListTurns": ["client": "\"p2\""], "Records.ListSessions": ["client": "\"p2\""],
        "Records.GetSession": ["session": "\"s1\""],
        "Records.AddSession": [
            "client": "\"p2\"", "on": "\"2027-03-05\"", "minutes": "1", "service": "\"v1\"", "motives": "[]",
            "tools": "[]", "notes": "\"\"",
        ], "Records.AddAddendum": ["session": "\"s1\"", "text": "\"X\""],
        "Records.VoidSession": ["session": "\"s1\"", "reason": "\"X\""],
        "Records.CaseFile": ["client": "\"p2\""],
        "Records.ExportRecord": ["client": "\"p2\"", "reason": "\"X\""],
        "Records.EraseRecord": ["client": "\"p2\"", "number": "1", "reason": "\"X\""], "Records.ListDisposals": [:],

        "Practice.WhoAmI": [:], "Practice.ListStaff": [:], "Practice.GetPerson": ["person": "\"p1\""],
        "Practice.AddStaff": ["name": "\"Eve\"", "role": "\"support\""],
        "Practice.EditStaff": ["person": "\"p3\"", "revision": "1"],
        "Practice.RetireStaff": ["person": "\"p3\"", "revision": "1"], "Practice.ListKeys": [:],
        "Practice.AddKey": ["publicKey": "\"x\""], "Practice.RemoveKey": ["fingerprint": "\"x\""],
        "Practice.Invite": ["person": "\"p2\""], "Practice.ListServices": [:],
        "Practice.GetPicture": ["service": "\"v1\""],
        "Practice.AddService": ["category": "\"A\"", "name": "\"B\"", "description": "\"\""],
        "Practice.EditService": ["service": "\"v1\"", "revision": "1"],
        "Practice.ListTerms": ["vocabulary": "\"motives\""],
        "Practice.AddTerm": ["vocabulary": "\"tools\"", "word": "\"Box\""],
        "Practice.RetireTerm": ["term": "\"t1\""], "Practice.Audit": [:], "Practice.Watch": [:],

        "Upkeep.Status": [:], "Upkeep.Keys": [:], "Upkeep.PlayAs": ["who": "\"Ana\""], "Upkeep.Diagnose": [:],
        "Upkeep.BackUpNight": [:],
        "Upkeep.Backup": [:], "Upkeep.ReadBackup": ["backup": "\"asked-1.db\"", "offset": "0"],
        "Upkeep.LayRestore": ["offset": "0", "piece": "\"AAAA\""], "Upkeep.Restore": ["restore": "\"restore-1.db\""],
        "Upkeep.Fill": [:], "Upkeep.Import": ["kind": "\"clients\"", "rows": "[]"],
    ]

    /// Values that no parameter takes well, and the errors that may answer them.
    private static let bad: [String: String] = [
        "nothing": "null", "a number": "7", "a negative number": "-9223372036854775808", "a huge number": "1e300",
        "too large a number": "99999999999999999999", "a fraction": "0.5", "a truth": "true", "an object": "{}",
        "a list": "[[]]", "a list of numbers": "[1]", "an empty text": "\"\"", "a NUL": "\"\\u0000\"",
        "a text turned around": "\"\\u202e\"", "no identifier": "\"p0\"",
        "a huge identifier": "\"p99999999999999999999\"",
        "another kind's identifier": "\"s2\"", "an escaped surrogate": "\"\\ud800\"", "a quote": "\"' OR 1=1 --\"",
        "a long text": "\"" + String(repeating: "x", count: 300_000) + "\"",
    ]

    @Test func `each method is in the table`() {
        // The gate's methods are its own accounts' alone; `KeyTests` has them.
        let others = Practice.methods + Records.methods + Upkeep.methods
        #expect(Set(Self.good.keys.map { "org.daybreak.\($0)" }) == Set(others.map { $0.name }))
    }

    /// What may answer beside the errors of the practice's interfaces.
    private static let refusals: Set = [
        "org.varlink.service.InvalidParameter", "org.varlink.service.MethodNotImplemented",
        "org.varlink.service.ExpectedMore", "a frame that is no call",
    ]

    @Test(arguments: good.keys.sorted())
    func `a missing, a wrong, a huge and a foreign parameter is refused by name, or taken`(method: String) throws {
        let day = try Clinic.Day()
        try day.clinic.as(day.ana).call(Records.AddSession(day))
        let boss = try day.clinic.staff("Boss", .administrator)
        let name = "org.daybreak.\(method)"
        let interface = try #require(PracticeCatalog.all.first { name.hasPrefix($0.name + ".") })
        let definition = try #require(interface.methods.first { name == "\(interface.name).\($0.name)" })
        let good = Self.good[method] ?? [:]
        // Anybody's keys are an administrator's to see.
        let right = method.contains("Key") ? .anyonesKeys : Routes.handler(of: name)?.right
        let isAnas = right.map { RightsTable.rights(of: .thanatologist).contains($0) } ?? false
        let asker = day.clinic.as(isAnas ? day.ana : boss)
        func reply(_ parameters: [String: String]) throws -> String {
            let text = parameters.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            let outcome: String
            do { outcome = try asker.raw(name, "{\(text)}") } catch is NotACall { return "a frame that is no call" }
            return String(outcome.prefix(while: { $0 != "," })).replacing(#/.*"error":"|".*/#, with: "")
        }
        for missing in good.keys {
            #expect(
                try reply(good.filter { $0.key != missing }) == "org.varlink.service.InvalidParameter", "\(missing)")
        }
        for parameter in definition.input.map(\.name) {
            for (what, value) in Self.bad {
                let error = try reply(good.merging([parameter: value]) { $1 })
                // What is well for one parameter is no fault: an empty text takes a field away, say.
                #expect(!error.hasSuffix("StorageUnavailable"), "\(parameter): \(what)")
                guard !error.contains("{") else { continue }
                let isKnown = Self.refusals.contains(error) || Clinic.errors.contains { $0.name == error }
                #expect(isKnown && !error.hasSuffix("NotAllowed"), "\(parameter): \(what): \(error)")
            }
        }
        #expect(try reply(good.merging(["surprise": "1"]) { $1 }) == "org.varlink.service.InvalidParameter")
    }
}
