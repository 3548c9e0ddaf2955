import Foundation
import PracticeInterfaces
import StaffInterfaces
import Storage
import Varlink
import VarlinkService

@testable import PracticeDaemon
@testable import PracticeStore

extension Clinic.TestCaller {
    /// A call whose parameters are written by hand; the reply as it is on the wire.
    func raw(_ method: String, _ parameters: String) throws -> String {
        let frame = #"{"method":"\#(method)","parameters":\#(parameters)}"#
        let call = try Call(frame: Array(frame.utf8))
        // The server makes the same check before it carries a call out.
        if let error = Self.introspection.check(call) {
            return String(decoding: Reply.frame(error: error).dropLast(), as: UTF8.self)
        }
        let outcome = clinic.carryOut(Job(number: 1, call: call, caller: caller))
        return String(decoding: outcome.frame.dropLast(), as: UTF8.self)
    }

    private static let introspection = Introspection(
        vendor: "", product: "", version: "", url: "", interfaces: PracticeCatalog.all)
}

extension Clinic {
    /// The statements that ran during `body`, in their order.
    func statements(_ body: () throws -> Void) throws -> [String] {
        final class Heard { var texts: [String] = [] }
        let heard = Heard()
        let databases = try [writer, reader].map { try $0.storage.store().database }
        for database in databases { database.onStatement = { heard.texts.append($0) } }
        defer { for database in databases { database.onStatement = nil } }
        try body()
        return heard.texts
    }

    /// The steps in which SQLite reads a table from end to end for one of these statements, each with its statement.
    func scans(for statements: Set<String>) throws -> [String] {
        let database = try SQLiteDatabase(database)
        var scans: [String] = []
        for sql in statements.sorted() where !["SAVEPOINT", "PRAGMA"].contains(sql.prefix { $0 != " " }) {
            let values = (1...20).filter { sql.contains("$\($0)") }.map { _ in Value.null }
            try database.each("EXPLAIN QUERY PLAN " + sql, values) { row in
                let step = row.text(3) ?? ""
                // The rows that a statement has itself are no table: the counts of the session that is written, a
                // page of names, and one's own clients.
                let isOwn = ["SCAN CONSTANT ROW", "SCAN counted", "SCAN part", "SCAN allowed", "SCAN o"].contains(step)
                if step.hasPrefix("SCAN"), !isOwn {
                    scans.append("\(step): \(sql.split(separator: "\n").joined(separator: " "))")
                }
            }
        }
        return scans
    }

    /// A day of a clinic with one client, whose record has a session.
    struct Day {
        let clinic: Clinic
        let ana: String
        let cleo: String
        let offers: ServicesAndTerms

        init(_ settings: PracticeSettings = Clinic.settings) throws {
            clinic = try Clinic(settings)
            ana = try clinic.staff("Ana", .thanatologist)
            cleo = try clinic.as(ana).call(Records.AddClient(name: "Cleo", key: "cleo")).client.id
            offers = try clinic.offers()
        }
    }
}
