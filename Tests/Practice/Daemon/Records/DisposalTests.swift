import Foundation
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Storage
import TestSupport
import Testing

@testable import PracticeDaemon

@Suite struct `Export and erasure of a closed record` {
    /// A closed record in which every table has something.
    private func closed(_ settings: PracticeSettings = Clinic.settings) throws -> Clinic.Day {
        let day = try Clinic.Day(settings)
        let ana = day.clinic.as(day.ana)
        try ana.call(
            Records.EditClient(
                client: day.cleo, revision: 1, name: "Cleopatra Quitzal", phone: "+34600123456",
                email: "cleo@quitzal.example", address: "Quitzal Street", emergencyContact: "Quitzal senior",
                referredBy: "Dr. Quitzal", motive: "Quitzal's motive", account: "daemon"))
        try ana.call(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [day.offers.loss],
                tools: [], notes: "Quitzal " + String(repeating: "wept. ", count: 20_000), key: "quitzal-1"))
        try ana.call(Records.AddAddendum(session: "s1", text: "Quitzal again", key: "quitzal-2"))
        try ana.call(Records.VoidSession(session: "s1", reason: "Quitzal's brother"))
        try ana.call(Records.AddClient(name: "Dora", key: "dora"))
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Quitzal left."))
        return day
    }

    @Test(.ofFile) func `an erased record leaves no byte except in the audit and the disposal`() throws {
        let day = try closed()
        func bytes() throws -> Data {
            try ["", "-wal"].reduce(into: Data()) {
                $0 += try Data(contentsOf: URL(filePath: day.clinic.database + $1))
            }
        }
        #expect(try bytes().range(of: Data("Quitzal".utf8)) != nil)
        try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked for in writing."))
        for text in ["Quitzal", "quitzal", "wept. wept.", "+34600123456"] {
            #expect(try bytes().range(of: Data(text.utf8)) == nil, "\(text)")
        }

        let database = try day.clinic.look()
        let tables = try day.clinic.tables()
        let kept = ["audit", "disposal", "sqlite_sequence", "counter", "news_count"]
        for table in tables where !kept.contains(table) {
            try database.each("SELECT * FROM \(table)") { row in
                let values = (0..<row.count).map { row.text($0) ?? "" }
                #expect(!values.contains("p2") && !values.contains("s1"), "\(table): \(values)")
            }
        }
        for table in ["turn", "session", "session_term", "addendum", "void"] {
            #expect(try database.number("SELECT count(*) FROM \(table) WHERE client = 2") == 0)
        }
        #expect(try database.number("SELECT count(*) FROM audit WHERE client = 2") == 7)
        #expect(try database.number("SELECT count(*) FROM person WHERE id = 2") == 0)
        if let file = database as? SQLiteDatabase { #expect(try file.isSound(withIndexes: true)) }
    }

    /// The pages of all indexes are those of before the session.
    @Test(.ofFile) func `a record is erased although damaged indexes do not list its rows`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try day.clinic.close()
        let path = day.clinic.database
        let pages = try SQLiteDatabase(path).rows("SELECT rootpage FROM sqlite_schema WHERE type = 'index'") {
            $0.int(0) ?? 0
        }
        let earlier = EarlierPages(pages, of: path)
        try day.clinic.kill()
        try ana.call(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [day.offers.loss],
                tools: [], notes: "Quitzal wept", key: "quitzal-1"))
        try ana.call(Records.AddAddendum(session: "s1", text: "Quitzal again", key: "quitzal-2"))
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Quitzal left."))
        try day.clinic.close()
        earlier.putBack()
        try day.clinic.kill()
        #expect(try !SQLiteDatabase(path, .reading).isSound(withIndexes: true))
        try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked for in writing."))
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: path + suffix))
            #expect(bytes.range(of: Data("Quitzal".utf8)) == nil, "\(suffix)")
        }
        #expect(try SQLiteDatabase(path, .reading).isSound(withIndexes: true))
    }

    @Test(.ofFile) func `an erasure names the removed backups and the new one`() throws {
        let day = try closed()
        let folder = day.clinic.folder.path + "/backups"
        for _ in 1...3 {
            try day.clinic.root.call(Upkeep.BackUpNight())
            day.clinic.clock.advance(by: .seconds(86_400))
        }
        let asked = try day.clinic.root.call(Upkeep.Backup()).backup
        let reply = try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked."))
        #expect(
            reply
                == .init(
                    removed: [
                        asked, "night-2027-03-05.db", "night-2027-03-06.db", "night-2027-03-07.db",
                    ], backup: folder + "/night-2027-03-08.db"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["night-2027-03-08.db"])
        let copy = try Data(contentsOf: URL(filePath: folder + "/night-2027-03-08.db"))
        #expect(copy.range(of: Data("Quitzal".utf8)) == nil)
        #expect(
            try SQLiteDatabase(folder + "/night-2027-03-08.db", .reading).number("SELECT count(*) FROM client") == 1)
    }

    @Test(.ofFile) func `an erasure removes the nightly backups in a configured folder, and no other file`() throws {
        var settings = Clinic.settings
        let parent = try Clinic()
        let shared = parent.folder.appending(path: "shared")
        settings.backups = shared.path
        let day = try closed(settings)
        try day.clinic.root.call(Upkeep.BackUpNight())
        try Data("mine".utf8).write(to: shared.appending(path: "photo.db"))
        day.clinic.clock.advance(by: .seconds(86_400))
        let reply = try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked."))
        #expect(
            reply == .init(removed: ["night-2027-03-05.db"], backup: shared.path + "/night-2027-03-06.db"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: shared.path).sorted()
                == ["night-2027-03-06.db", "photo.db"])
    }

    @Test(.ofFile) func `backups that an erasure could not remove are removed in the next night`() throws {
        let day = try closed()
        let folder = day.clinic.folder.path + "/backups"
        try day.clinic.root.call(Upkeep.BackUpNight())
        // Others may write in the folder, so the daemon touches nothing there.
        chmod(folder, 0o777)
        let reply = try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked."))
        let reason = "Others may write in the folder \(folder): run chmod go-w \(folder)."
        #expect(
            reply
                == .init(
                    removed: [],
                    backupProblem:
                        "Copies may hold what was erased, until the next backup removes them. \(reason)"
                ))
        #expect(throws: Practice.NotFound(kind: "client", id: day.cleo)) {
            try day.clinic.root.call(Records.GetClient(client: day.cleo))
        }
        chmod(folder, 0o700)
        try day.clinic.close()
        day.clinic.clock.advance(by: .seconds(86_400))
        try day.clinic.root.call(Upkeep.BackUpNight())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["night-2027-03-06.db"])
        // The backups are renewed only once.
        day.clinic.clock.advance(by: .seconds(86_400))
        try day.clinic.root.call(Upkeep.BackUpNight())
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                == ["night-2027-03-06.db", "night-2027-03-07.db"])
    }

    /// A server's backups are in other hands.
    @Test func `the journal has a backup only where one was made`() throws {
        let day = try closed()
        let outcome = try day.clinic.root.outcome(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked."))
        let made: [PracticeMessage] = TestServer.shared == nil ? [.backupMade] : []
        #expect(outcome.journalLines.map(\.kind) == [.recordErased] + made)
    }

    @Test func `an erased client is unknown, and other records are unchanged`() throws {
        let day = try closed()
        let outcome = try day.clinic.root.outcome(
            Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked for in writing."))
        #expect(outcome.news.map(\.person.description) == [day.ana])
        #expect(outcome.news.map(\.what) == [nil])
        #expect(throws: Practice.NotFound(kind: "client", id: day.cleo)) {
            try day.clinic.root.call(Records.GetClient(client: day.cleo))
        }
        #expect(throws: Practice.NotAllowed(right: "seeCaseFile")) {
            try day.clinic.as(day.cleo).call(Records.CaseFile(client: day.cleo))
        }
        let dora = try day.clinic.as(day.ana).call(Records.AddClient(name: "Dora", key: "dora")).client
        #expect(dora.number == 2)
        #expect(try day.clinic.as(day.ana).call(Records.ListClients()).clients.map(\.id) == [dora.id])
        #expect(
            try day.clinic.root.call(Records.ListDisposals())
                == .init(disposals: [
                    .init(
                        at: "2027-03-05T09:00:00+01:00", what: .erased, client: day.cleo, number: 1, by: "root",
                        reason: "Asked for in writing.")
                ]))
    }

    @Test func `an export is the case file, and is on the list of disposals`() throws {
        let day = try closed()
        let boss = try day.clinic.staff("Boss", .administrator)
        let file = try day.clinic.as(boss).call(Records.ExportRecord(client: day.cleo, reason: "She moves on.")).file
        let own = try day.clinic.as(day.cleo).call(Records.CaseFile(client: day.cleo)).file
        func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }
        #expect(text(own.text).contains("Quitzal's motive"))
        // The client's file has one more entry, for the export, and the name of the exporting person.
        let more = text(own.text).replacing(#/,{[^{]*"did":"ExportRecord"[^}]*}/#, with: "")
        #expect(more.replacing("\"\(boss)\":\"Boss\",", with: "") == text(file.text))
        #expect(
            try day.clinic.as(boss).call(Records.ListDisposals()).disposals == [
                .init(
                    at: "2027-03-05T09:00:00+01:00", what: .exported, client: day.cleo, number: 1, by: boss,
                    reason: "She moves on.")
            ])
    }

    @Test func `an open record is neither exported nor erased`() throws {
        let day = try Clinic.Day()
        #expect(throws: Records.RecordOpen(client: day.cleo)) {
            try day.clinic.root.call(Records.ExportRecord(client: day.cleo, reason: "Asked."))
        }
        #expect(throws: Records.RecordOpen(client: day.cleo)) {
            try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked."))
        }
    }

    @Test func `an erasure needs the record's number and a reason`() throws {
        let day = try closed()
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "number", reason: "must be the record's own, to say that it is the right one."),
                .init(field: "reason", reason: "must not be empty."),
            ])
        ) { try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 2, reason: " ")) }
    }

    @Test func `disposals are listed in pages, newest first`() throws {
        let day = try closed()
        for number in 1...5 { try day.clinic.root.call(Records.ExportRecord(client: day.cleo, reason: "\(number)")) }
        var (reasons, after) = ([String](), String?.none)
        repeat {
            let page = try day.clinic.root.call(Records.ListDisposals(after: after, limit: 2))
            reasons += page.disposals.map(\.reason)
            after = page.next
        } while after != nil
        #expect(reasons == ["5", "4", "3", "2", "1"])
    }
}
