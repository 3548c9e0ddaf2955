import PracticeInterfaces
import StaffInterfaces
import Storage
import Testing

@testable import PracticeDaemon

@Suite struct `The audit of records` {
    @Test func `each reading and change of a record has an entry, without any person's words`() throws {
        let day = try Clinic.Day()
        let (clinic, ana, cleo) = (day.clinic, day.clinic.as(day.ana), day.cleo)
        let ben = try clinic.staff("Ben", .thanatologist)
        let database = try clinic.look()
        let before = try database.number("SELECT max(id) FROM audit") ?? 0
        try ana.call(Records.ListClients())
        try ana.call(Records.GetClient(client: cleo))
        try ana.call(Records.EditClient(client: cleo, revision: 1, name: "Cléo"))
        try ana.call(Records.AddSession(day))
        try ana.call(Records.ListSessions(client: cleo))
        try ana.call(Records.GetSession(session: "s1"))
        try ana.call(Records.AddAddendum(session: "s1", text: "Later."))
        try ana.call(Records.VoidSession(session: "s1", reason: "Wrong."))
        try ana.call(Records.ListTurns(client: cleo))
        try ana.call(Records.CloseRecord(client: cleo, reason: "Well."))
        try ana.call(Records.ReopenRecord(client: cleo, why: .mistake, reason: "Wrong."))
        try clinic.as(cleo).call(Records.CaseFile(client: cleo))
        try clinic.root.call(Records.Transfer(client: cleo, to: ben, reason: "Leave."))
        try clinic.as(ben).call(Records.CloseRecord(client: cleo, reason: "Well."))
        try clinic.root.call(Records.ExportRecord(client: cleo, reason: "Asked."))
        try clinic.root.call(Records.EraseRecord(client: cleo, number: 1, reason: "Asked."))
        try clinic.root.call(Records.ListDisposals())
        let entries = try database.rows(
            "SELECT coalesce('p' || person, 'root'), did, client, what FROM audit WHERE id > $1 ORDER BY id", before
        ) { [$0.text(0), $0.text(1), $0.text(2), $0.text(3)].map { $0 ?? "-" }.joined(separator: " ") }
        #expect(
            entries == [
                "p1 ListClients - 1", "p1 GetClient 2 -", "p1 EditClient 2 -", "p1 AddSession 2 s1",
                "p1 ListSessions 2 1", "p1 GetSession 2 s1", "p1 AddAddendum 2 s1", "p1 VoidSession 2 s1",
                "p1 ListTurns 2 1", "p1 CloseRecord 2 -", "p1 ReopenRecord 2 -",
                "p2 CaseFile 2 -", "root Transfer 2 \(ben)", "\(ben) CloseRecord 2 -", "root ExportRecord 2 -",
                "root EraseRecord 2 -", "root ListDisposals - 2",
            ])
    }

    @Test func `a refused call has no effect and no entry`() throws {
        let day = try Clinic.Day()
        let ben = try day.clinic.staff("Ben", .thanatologist)
        let database = try day.clinic.look()
        let before = try database.number("SELECT count(*) FROM audit")
        #expect(throws: Practice.NotFound.self) { try day.clinic.as(ben).call(Records.GetClient(client: day.cleo)) }
        #expect(try database.number("SELECT count(*) FROM audit") == before)
    }
}
