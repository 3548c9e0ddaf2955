import Foundation
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Storage
import Testing
import Varlink

@testable import PracticeDaemon
@testable import PracticeStore

/// Every method that the interfaces declare, with each of its parameters left out, of another type, huge, foreign and stale. The
/// parameters and their types are read from the interfaces themselves.
@Suite struct `Bad input` {
    /// A method with good parameters.
    struct Case: Sendable, CustomTestStringConvertible {
        let method: String
        var testDescription: String { method }
        var interface: Interface { PracticeCatalog.all.first { method.hasPrefix($0.name + ".") }! }
        var definition: Interface.MethodMember { interface.methods.first { method.hasSuffix("." + $0.name) }! }

        static let all = PracticeCatalog.methods.map { Case(method: $0.name) }
            .filter { !Routes.isFromMemory($0.method) }
    }

    /// A value, as JSON.
    private struct Value {
        let what: String
        let json: String

        init(_ what: String, _ json: String) { (self.what, self.json) = (what, json) }
    }

    private static let texts = [
        Value("an empty text", #""""#), Value("spaces", #""  ""#), Value("a NUL", #""\u0000""#),
        Value("a line feed", #""a\nb""#), Value("a text turned around", #""\u202e""#),
        Value("a quote", #""' OR 1=1 --""#), Value("half a surrogate", #""\ud800""#),
        Value("no identifier", #""p0""#), Value("an identifier that is never given", #""p987654321""#),
        Value("a huge identifier", #""p99999999999999999999""#), Value("a negative one", #""p-1""#),
        Value("a service's identifier", #""v1""#), Value("a session's identifier", #""s1""#),
        Value("a person's identifier", #""p1""#), Value("another's client", #""p6""#),
        Value("a day that is none", #""2027-02-30""#), Value("a day far away", #""9999-12-31""#),
        Value("a path", #""../practice.db""#), Value("128 KB", "\"" + String(repeating: "x", count: 1 << 17) + "\""),
    ]
    private static let numbers = [
        Value("0", "0"), Value("a negative number", "-1"), Value("the least number", "-9223372036854775808"),
        Value("the greatest number", "9223372036854775807"), Value("too great a number", "99999999999999999999"),
        Value("a power", "1e300"), Value("a fraction", "0.5"),
    ]
    private static let others = [
        Value("nothing", "null"), Value("a truth", "true"), Value("an object", "{}"), Value("a list", "[]"),
        Value("a list of lists", "[[]]"), Value("a list of numbers", "[1]"), Value("a list of huge texts", hugeTexts),
        Value("a deep list", String(repeating: "[", count: 200) + String(repeating: "]", count: 200)),
        Value("a map", #"{"x":{"y":1}}"#),
    ]
    private static let hugeTexts =
        "["
        + (0..<10).map { _ in "\"" + String(repeating: "x", count: 1_000) + "\"" }
        .joined(separator: ",") + "]"
    private static var all: [Value] { texts + numbers + others }

    /// The allowed errors: those of the interfaces, and Varlink's own for a parameter of another type.
    private static let refusals = Set(
        (Practice.errors + Records.errors + Care.errors + Mail.errors + Chat.errors + Programmes.errors + Upkeep.errors)
            .map { $0.name }
            + [InvalidParameter.name, ExpectedMore.name]
    ).subtracting([Practice.StorageUnavailable.name])

    /// Whether the JSON could be of that type.
    private func fits(_ value: Value, _ type: Interface.FieldType, _ interface: Interface) -> Bool {
        let first = value.json.first ?? " "
        switch type {
        case .optional(let inner): return value.json == "null" || fits(value, inner, interface)
        case .string: return first == "\""
        case .enumeration(let words): return words.contains { "\"\($0)\"" == value.json }
        case .int: return Int(value.json) != nil
        case .float: return first == "-" || first.isNumber
        case .bool: return value.json == "true"
        case .named(let name):
            guard let type = interface.types.first(where: { $0.name == name })?.type else { return true }
            return fits(value, type, interface)
        case .array, .map, .structure, .object, .any: return first == "[" || first == "{"
        }
    }

    private struct ReachedClinic {
        let staffed = try! StaffedClinic()
        private(set) var clinic: Clinic
        private(set) var before: [String] = []

        init() throws {
            clinic = try Clinic(copyOf: staffed.clinic)
            before = try Self.content(of: clinic)
        }

        /// The last caller in the staffed clinic's table who may call the method.
        func caller(_ row: StaffedClinic.Row) -> Clinic.TestCaller {
            let place = row.cells.lastIndex { "+0*".contains($0) } ?? row.cells.startIndex
            return staffed.callers(clinic)[row.cells.distance(from: row.cells.startIndex, to: place)]
        }

        /// Begins again with a fresh copy, without the effects of answered calls.
        mutating func begin() throws { clinic = try Clinic(copyOf: staffed.clinic) }

        /// The rows written so far, those that were taken back among them.
        func written() throws -> Int { try clinic.writer.storage.store().changeCount }

        func hasChanged(since count: Int) throws -> Bool {
            try written() != count && Self.content(of: clinic) != before
        }

        /// The whole content, row by row.
        private static func content(of clinic: Clinic) throws -> [String] {
            let database = try clinic.writer.storage.store().database
            let tables = try clinic.tables().filter { $0 != "sqlite_sequence" }.sorted()
            return try tables.flatMap { table in
                try database.rows("SELECT * FROM \(table)") { row in
                    table + " " + (0..<row.count).map { row.text($0) ?? "-" }.joined(separator: "|")
                }
            }
        }
    }

    @Test(arguments: Case.all)
    func `a wrong parameter is refused with an error of the interface, and changes nothing`(_ one: Case) throws {
        var place = try ReachedClinic()
        let rows = place.staffed.table.filter { type(of: $0.call).name == one.method }
        let row = try #require(rows.first, "the staffed clinic's table has no row for \(one.method)")
        let sent = try JSONSerialization.jsonObject(with: Data(frame(row.call))) as? [String: Any]
        let good = try (sent?["parameters"] as? [String: Any] ?? [:]).mapValues { value in
            let bytes = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
            return String(decoding: bytes, as: UTF8.self)
        }
        func ask(_ parameters: [String: String], _ note: String) throws -> (error: String?, parameters: String) {
            let text = parameters.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            var raw = ""
            var isChanged = false
            do {
                try takingBack(one.method, in: &place) { place in
                    let count = try place.written()
                    raw = try place.caller(row).raw(one.method, "{\(text)}")
                    isChanged = try raw.hasPrefix("{\"error\"") && place.hasChanged(since: count)
                }
            } catch is NotACall { return ("no call", "") }
            let reply = try Reply(frame: Array(raw.utf8))
            let told = String(decoding: reply.parameters, as: UTF8.self)
            if let error = reply.error { #expect(Self.refusals.contains(error), "\(note): \(error) \(told)") }
            #expect(!isChanged, "\(note) is refused by \(reply.error ?? ""), and something was written")
            return (reply.error, told)
        }
        let wrong = { (name: String) in #"{"parameter":"\#(name)"}"# }

        for field in one.definition.input {
            let left = try ask(good.filter { $0.key != field.name }, "without \(field.name)")
            if !field.isOptional {
                #expect(left == (InvalidParameter.name, wrong(field.name)), "without \(field.name)")
            }
            for value in Self.all {
                let note = "\(field.name) is \(value.what)"
                let reply = try ask(good.merging([field.name: value.json]) { $1 }, note)
                if reply.error != "no call", !fits(value, field.type, one.interface) {
                    #expect(reply == (InvalidParameter.name, wrong(field.name)), "\(note)")
                }
            }
        }
        #expect(try ask(good.merging(["surprise": "1"]) { $1 }, "more") == (InvalidParameter.name, wrong("surprise")))
        // The revision that a device has is not that of an edit.
        let isEdit = one.method != Care.Follow.name && one.definition.input.contains { $0.name == "revision" }
        for revision in isEdit ? ["0", "2", "99"] : [] {
            let stale = try ask(good.merging(["revision": revision]) { $1 }, "revision \(revision)")
            // A letter that is no draft yet has no revision.
            let isNew = one.definition.input.contains { $0.name == "draft" } && good["draft"] == nil
            let ofDraft = #"{"faults":[{"field":"revision","reason":"must not be there without a draft."}]}"#
            #expect(
                stale == (isNew ? (Practice.Invalid.name, ofDraft) : (Practice.Changed.name, #"{"revision":1}"#)))
        }
    }

    private struct TakenBack: Error {}

    /// Each call finds the clinic as it was, because its changes are rolled back. Maintenance and an erasure rewrite files as well,
    /// so they have a copy of the clinic.
    private func takingBack(_ method: String, in place: inout ReachedClinic, _ call: (ReachedClinic) throws -> Void)
        throws
    {
        guard Routes.handler(of: method) != nil, method != Records.EraseRecord.name else {
            try call(place)
            return try place.begin()
        }
        do {
            try place.clinic.writer.storage.store().transaction {
                try call(place)
                throw TakenBack()
            }
        } catch is TakenBack {}
    }

    private func frame(_ call: some Method) -> [UInt8] { Array(Call.frame(call).dropLast()) }
}
