import PracticeInterfaces
import PracticeRules
import Storage
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

@Suite struct `The query plans of the practice` {
    /// Each call of the interface once, as a thanatologist and as an administrator.
    private func everything(_ day: Clinic.Day) throws {
        let (clinic, ana, cleo) = (day.clinic, day.clinic.as(day.ana), day.cleo)
        let ben = try clinic.staff("Ben", .thanatologist)
        _ = try clinic.client("Clara", of: day.ana)
        for (asker, open) in [(ana, nil), (ana, true), (clinic.root, nil), (clinic.root, true)]
            as [(Clinic.TestCaller, Bool?)]
        {
            for query in [nil, "cl", "1"] {
                for thanatologist in [nil, day.ana] {
                    try asker.call(
                        Records.ListClients(open: open, thanatologist: thanatologist, query: query, limit: 1))
                }
            }
        }
        try ana.call(Records.GetClient(client: cleo))
        try ana.call(Records.EditClient(client: cleo, revision: 1, name: "Cléo"))
        try ana.call(Records.AddSession(day, key: "k"))
        try ana.call(Records.ListSessions(client: cleo))
        try ana.call(Records.GetSession(session: "s1"))
        try ana.call(Records.AddAddendum(session: "s1", text: "Later."))
        try ana.call(Records.VoidSession(session: "s1", reason: "Wrong."))
        try ana.call(Records.ListTurns(client: cleo))
        try ana.call(Records.CloseRecord(client: cleo, reason: "Well."))
        try ana.call(Records.ReopenRecord(client: cleo, why: .mistake, reason: "Wrong."))
        try ana.call(Records.CaseFile(client: cleo))
        try clinic.root.call(Records.Transfer(client: cleo, to: ben, reason: "Leave."))
        try clinic.as(ben).call(Records.CloseRecord(client: cleo, reason: "Well."))
        try clinic.root.call(Records.ExportRecord(client: cleo, reason: "Asked."))
        try clinic.root.call(Records.EraseRecord(client: cleo, number: 1, reason: "Asked."))
        try clinic.root.call(Records.ListDisposals())
    }

    @Test func `no call reads all clients or all sessions`() throws {
        let day = try Clinic.Day()
        let statements = Set(try day.clinic.statements { try everything(day) })
        #expect(statements.count > 40)
        let database = try Database(day.clinic.database)
        var scans: [String] = []
        for sql in statements.sorted() where !["SAVEPOINT", "PRAGMA"].contains(sql.prefix { $0 != " " }) {
            let values = (1...20).filter { sql.contains("$\($0)") }.map { _ in Value.null }
            try database.each("EXPLAIN QUERY PLAN " + sql, values) { row in
                let step = row.text(3) ?? ""
                if step.hasPrefix("SCAN") {
                    scans.append("\(step): \(sql.split(separator: "\n").joined(separator: " "))")
                }
            }
        }
        #expect(
            scans == [
                // This happens once for a record.
                "SCAN done_once: DELETE FROM done_once WHERE made = 'p' || $1",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 's' || id FROM session WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what = 'p' || $1",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 's' || id FROM session WHERE client = $1)",
                // These count all clients, and all with a part of a name.
                "SCAN client USING COVERING INDEX sqlite_autoindex_client_2: SELECT count(*) FROM client c",
                "SCAN p: SELECT count(*) FROM client c JOIN person p ON p.id = c.person WHERE p.folded LIKE $1 ESCAPE '\\'",
            ])
    }
}
