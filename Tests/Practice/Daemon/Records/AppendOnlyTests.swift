import Foundation
import PracticeInterfaces
import Testing

@testable import PracticeDaemon

/// By hand, with SQLite's own program, as somebody could who has the file.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct `What was recorded stays, in the database too` {
    private func sqlite3(_ clinic: Clinic, _ sql: String) throws -> (status: Int32, said: String) {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/sqlite3")
        program.arguments = ["-bail", clinic.database, sql]
        let output = Pipe()
        (program.standardOutput, program.standardError) = (output, output)
        try program.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        program.waitUntilExit()
        return (program.terminationStatus, said)
    }

    @Test(arguments: [
        ("turn", "reason"), ("session", "notes"), ("session_term", "term"), ("addendum", "text"), ("void", "reason"),
        ("audit", "did"), ("disposal", "reason"),
    ])
    func `no row of these tables is changed or removed`(table: String, column: String) throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let gone = try day.clinic.client("Gone", of: day.ana)
        try ana.call(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [day.offers.loss],
                tools: [], notes: "So."))
        try ana.call(Records.AddAddendum(session: "s1", text: "Later."))
        try ana.call(Records.VoidSession(session: "s1", reason: "Wrong."))
        try ana.call(Records.CloseRecord(client: gone, reason: "Asked."))
        try day.clinic.root.call(Records.EraseRecord(client: gone, number: 2, reason: "Asked."))

        let rows = try sqlite3(day.clinic, "SELECT count(*) > 0, * FROM \(table)")
        #expect(rows.said.hasPrefix("1|"))
        for (sql, done) in [("UPDATE \(table) SET \(column) = ''", "changed"), ("DELETE FROM \(table)", "removed")] {
            let (status, said) = try sqlite3(day.clinic, sql)
            #expect(status != 0)
            #expect(said.contains("what is in \(table) is never \(done)"), "\(said)")
        }
        #expect(try sqlite3(day.clinic, "SELECT count(*) > 0, * FROM \(table)") == rows)
    }
}
