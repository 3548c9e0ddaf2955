import JSON
import PracticeInterfaces
import Testing
import Varlink

@testable import PracticeDaemon

@Suite struct `Bad input about records` {
    /// What each parameter is when all is well.
    private static let good: [String: [String: String]] = [
        "ListClients": [:], "ListFields": [:], "GetClient": ["client": "\"p2\""], "AddClient": ["name": "\"Dora\""],
        "EditClient": ["client": "\"p2\"", "revision": "1"], "CloseRecord": ["client": "\"p2\"", "reason": "\"X\""],
        "ReopenRecord": ["client": "\"p2\"", "why": "\"return\"", "reason": "\"X\""],
        "Transfer": ["client": "\"p2\"", "to": "\"p1\"", "reason": "\"X\""], "ListTurns": ["client": "\"p2\""],
        "ListSessions": ["client": "\"p2\""], "GetSession": ["session": "\"s1\""],
        "AddSession": [
            "client": "\"p2\"", "on": "\"2027-03-05\"", "minutes": "1", "service": "\"v1\"", "motives": "[]",
            "tools": "[]", "notes": "\"\"",
        ], "AddAddendum": ["session": "\"s1\"", "text": "\"X\""],
        "VoidSession": ["session": "\"s1\"", "reason": "\"X\""],
        "CaseFile": ["client": "\"p2\""], "ExportRecord": ["client": "\"p2\"", "reason": "\"X\""],
        "EraseRecord": ["client": "\"p2\"", "number": "1", "reason": "\"X\""], "ListDisposals": [:],
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
        #expect(Set(Self.good.keys.map { "org.daybreak.Records.\($0)" }) == Set(Records.methods.map { $0.name }))
    }

    @Test(arguments: good.keys.sorted())
    func `a missing, a wrong, a huge and a foreign parameter is refused by name, or taken`(method: String) throws {
        let day = try Clinic.Day()
        try day.clinic.as(day.ana).call(Records.AddSession(day))
        let boss = try day.clinic.staff("Boss", .administrator)
        let name = "org.daybreak.Records.\(method)"
        let interface = try #require(PracticeCatalog.all.first { $0.name == "org.daybreak.Records" })
        let definition = try #require(interface.methods.first { $0.name == method })
        let good = Self.good[method] ?? [:]
        let asker = day.clinic.as(
            ["Transfer", "ExportRecord", "EraseRecord", "ListDisposals"].contains(method) ? boss : day.ana)
        func reply(_ parameters: [String: String]) throws -> String {
            let text = parameters.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            let outcome: String
            do { outcome = try asker.raw(name, "{\(text)}") } catch is NotACall { return "a frame that is no call" }
            return String(outcome.prefix(while: { $0 != "," })).replacing(#/.*"error":"|".*/#, with: "")
        }
        let refusals = [
            "org.varlink.service.InvalidParameter", "org.daybreak.Practice.Invalid", "org.daybreak.Practice.NotFound",
            "org.daybreak.Practice.Changed", "org.daybreak.Records.RecordOpen", "org.daybreak.Records.RecordClosed",
            "org.daybreak.Records.SessionVoided", "a frame that is no call",
        ]
        for missing in good.keys {
            #expect(
                try reply(good.filter { $0.key != missing }) == "org.varlink.service.InvalidParameter", "\(missing)")
        }
        for parameter in definition.input.map(\.name) {
            for (what, value) in Self.bad {
                let error = try reply(good.merging([parameter: value]) { $1 })
                // What is well for one parameter is no fault: an empty text takes a field away, say.
                #expect(!error.hasSuffix("StorageUnavailable"), "\(parameter): \(what)")
                if !error.contains("{") { #expect(refusals.contains(error), "\(parameter): \(what): \(error)") }
            }
        }
        #expect(try reply(good.merging(["surprise": "1"]) { $1 }) == "org.varlink.service.InvalidParameter")
    }
}
