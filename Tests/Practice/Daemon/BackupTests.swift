import Files
import Foundation
import Glibc
import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Storage
import Testing
import Time
import Varlink

@testable import PracticeDaemon

@Suite(.ofFile) struct `Backups of a practice` {
    private let clinic: Clinic
    private let vera: String

    init() throws {
        clinic = try Clinic()
        vera = try clinic.staff("Vera", .administrator)
    }

    private var backups: URL { clinic.folder.appending(path: "backups") }
    private var nights: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: backups.path).filter { $0.hasPrefix("night-") }.sorted()
        }
    }

    /// The bytes of a backup, fetched in pieces.
    private func fetched() throws -> [UInt8] {
        let caller = clinic.as(vera)
        let made = try caller.call(Upkeep.Backup())
        var bytes: [UInt8] = []
        var next: Int? = 0
        while let offset = next {
            let reply = try caller.call(Upkeep.ReadBackup(backup: made.backup, offset: offset))
            bytes += try #require(Base64.decode(reply.piece))
            next = reply.next
        }
        #expect(bytes.count == made.bytes)
        return bytes
    }

    /// The name of an upload.
    private func laid(_ bytes: [UInt8], by caller: Clinic.TestCaller? = nil) throws -> String {
        let caller = caller ?? clinic.as(vera)
        var name: String?
        var offset = 0
        while offset < bytes.count || name == nil {
            let piece = Base64.encode(Array(bytes[offset..<min(offset + 100_000, bytes.count)]))
            let reply = try caller.call(Upkeep.UploadRestore(restore: name, offset: offset, piece: piece))
            (name, offset) = (reply.restore, reply.bytes)
        }
        return try #require(name)
    }

    /// A database in which no program has made anything.
    private func unused() throws -> [UInt8] {
        let path = clinic.folder.appending(path: "unused.db").path
        _ = try NewFile(at: path)
        try SQLiteDatabase(path).execute("CREATE TABLE word (text); DROP TABLE word; VACUUM")
        return try Array(Data(contentsOf: URL(filePath: path)))
    }

    private func staff() throws -> Int? { try clinic.root.call(Upkeep.Status()).health.staff }

    @Test func `one backup is made each night, and the last seven are kept`() throws {
        for _ in 1...9 {
            _ = try clinic.root.call(Upkeep.BackUpNight())
            _ = try clinic.root.call(Upkeep.BackUpNight())
            clinic.clock.advance(by: .seconds(86_400))
        }
        #expect(try nights == (7...13).map { "night-2027-03-\($0 < 10 ? "0" : "")\($0).db" })
        let store = try Store(backups.appending(path: "night-2027-03-13.db").path)
        #expect(try store.counts().staff == 1)
        try store.close()
    }

    @Test func `the settings choose the number and the folder of the nightly backups`() throws {
        var settings = Clinic.settings
        let elsewhere = clinic.folder.appending(path: "elsewhere")
        (settings.nights, settings.backups) = (2, elsewhere.path)
        let clinic = try Clinic(settings)
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).sorted() }
        for _ in 1...4 {
            #expect(try clinic.root.call(Upkeep.BackUpNight()).kept == 2)
            clinic.clock.advance(by: .seconds(86_400))
        }
        // Files of others stay, whatever they are called.
        let others = ["asked-for.txt", "letter.new", "night-notes.txt", "restore-1.db"]
        for name in others { try Data("mine".utf8).write(to: elsewhere.appending(path: name)) }
        try clinic.root.call(Upkeep.BackUpNight())
        #expect(try names() == (others + ["night-2027-03-08.db", "night-2027-03-09.db"]).sorted())
        #expect(try clinic.root.call(Upkeep.Status()).health.lastBackup != nil)
        #expect(try clinic.root.call(Upkeep.Diagnose()).folder == elsewhere.path)
        // The uploaded file takes the database's place within the same file system.
        let kept = try clinic.root.restore(backup: clinic.root.call(Upkeep.Backup()).backup)
        #expect(kept.hasPrefix(clinic.folder.path + "/backups/replaced-2027-03-09-"))
        #expect(
            try names() == (others + ["replaced-night-2027-03-08.db", "replaced-night-2027-03-09.db"]).sorted())
    }

    @Test func `a folder of backups that cannot be used is told as that, and not as a fault of the database`() throws {
        var settings = Clinic.settings
        let elsewhere = clinic.folder.appending(path: "elsewhere").path
        settings.backups = elsewhere
        let clinic = try Clinic(settings)
        mkdir(elsewhere, 0o777)
        chmod(elsewhere, 0o777)
        let reason = "Others may write in the folder \(elsewhere): run chmod go-w \(elsewhere)."
        #expect(throws: Upkeep.BackupsUnavailable(reason: reason)) { try clinic.root.call(Upkeep.BackUpNight()) }
        let refused = try clinic.root.outcome(Upkeep.BackUpNight())
        #expect(refused.storage == .unknown)
        #expect(refused.journalLines.map(\.kind) == [.backupFailed])
        chmod(elsewhere, 0o700)
        try clinic.root.call(Upkeep.BackUpNight())
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make a small disk"))
    func `a full disk of backups is told as that, and not as a fault of the database`() throws {
        var settings = Clinic.settings
        let small = clinic.folder.appending(path: "small").path
        settings.backups = small
        let clinic = try Clinic(settings)
        mkdir(small, 0o700)
        try #require(mount("tmpfs", small, "tmpfs", 0, "size=64k,mode=0700") == 0)
        defer { umount2(small, 2) }  // MNT_DETACH
        let reason = "There is no room for \(small)/night-2027-03-05.db."
        #expect(throws: Upkeep.BackupsUnavailable(reason: reason)) { try clinic.root.call(Upkeep.BackUpNight()) }
    }

    @Test func `a backup writes into the audit, and so proves that the database can be written again`() throws {
        #expect(try clinic.root.outcome(Upkeep.Backup()).storage == .written)
        #expect(try clinic.root.outcome(Upkeep.Status()).storage == .unknown)
    }

    @Test func `a backup is fetched in pieces and restored`() throws {
        let bytes = try fetched()
        _ = try clinic.staff("Later", .support)
        #expect(try staff() == 2)
        let outcome = try clinic.as(vera).outcome(Upkeep.Restore(restore: try laid(bytes)))
        #expect(outcome.journalLines.map(\.kind) == [.storageRestored])
        #expect(try staff() == 1)
        let kept = try FileManager.default.contentsOfDirectory(atPath: backups.path).filter {
            $0.hasPrefix("replaced-")
        }
        #expect(kept.count == 1)
        let before = try Store(backups.appending(path: kept.first ?? "").path)
        #expect(try before.counts().staff == 2)
        try before.close()
    }

    /// A device that slept may have one of them.
    @Test func `after each restore, schedules get numbers that the practice before cannot have given`() throws {
        let ana = try clinic.staff("Ana", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        func assign(_ breaths: Int) throws -> Int {
            let schedule = #"[[\#(breaths), "calm", "2027-03-05"]]"#
            return try clinic.as(ana).call(Care.Assign(client: cleo, schedule: schedule)).revision
        }
        #expect(try assign(5) == 1)
        let bytes = try fetched()
        #expect(try [assign(6), assign(7)] == [2, 3])
        for expected in [1_004, 2_005] {
            clinic.clock.advance(by: .seconds(1))
            _ = try clinic.as(vera).call(Upkeep.Restore(restore: try laid(bytes)))
            #expect(try assign(8) == expected)
        }
    }

    @Test func `the database that a restore keeps is whole by itself`() throws {
        let bytes = try fetched()
        _ = try clinic.staff("Later", .support)
        // A second connection keeps the log from being copied into the file when the first one is closed.
        let reader = try SQLiteDatabase(clinic.database, .reading)
        #expect(try reader.number("SELECT count(*) FROM person") == 2)
        let kept = try clinic.as(vera).call(Upkeep.Restore(restore: try laid(bytes))).kept
        #expect(!FileManager.default.fileExists(atPath: kept + "-wal"))
        #expect(try Store.verify(kept).staff == 2)
        try reader.close()
    }

    @Test func `a file that is no sound practice is refused, and the database is kept`() throws {
        let good = try fetched()
        _ = try clinic.staff("Later", .support)
        var foreign = good
        foreign.replaceSubrange(68..<72, with: [1, 2, 3, 4])
        var newer = good
        newer.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        var damaged = good
        damaged.replaceSubrange(8_192..<12_288, with: [UInt8](repeating: 0xA5, count: 4_096))
        let refused: [([UInt8], String)] = [
            (foreign, "The file is not the database of a practice."),
            (newer, "The file was written by a newer Daybreak: install that one first."),
            (damaged, "The file is damaged."),
            (Array("no database".utf8), "The file is not the database of a practice."),
            ([], "The file is not the database of a practice."),
            // Nothing in it: it would be taken for all that there ever was.
            (try unused(), "The file is not the database of a practice."),
        ]
        for (bytes, reason) in refused {
            #expect(throws: Upkeep.CannotRestore(reason: reason)) {
                try clinic.as(vera).call(Upkeep.Restore(restore: laid(bytes)))
            }
            #expect(try uploads() == [])
        }
        #expect(try staff() == 2)
    }

    private func uploads() throws -> [String] {
        let folder = clinic.folder.appending(path: "backups").path
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("restore-") }
    }

    @Test func `a file that is no practice is refused with its first piece, and one without room before it`() throws {
        let caller = clinic.as(vera)
        let start = Array(try fetched().prefix(100_000))
        let first = try caller.call(Upkeep.UploadRestore(offset: 0, piece: Base64.encode(start))).restore
        #expect(try uploads() == [first])
        #expect(throws: Upkeep.CannotRestore(reason: "The file is not the database of a practice.")) {
            try caller.call(
                Upkeep.UploadRestore(
                    offset: 0, piece: Base64.encode([UInt8](repeating: 7, count: 100_000)), size: 200_000_000))
        }
        // The earlier upload ended as well.
        #expect(try uploads() == [])
        #expect(throws: Upkeep.CannotRestore(reason: "There is no room for it on the disk.")) {
            try caller.call(Upkeep.UploadRestore(offset: 0, piece: Base64.encode(start), size: 1 << 50))
        }
        #expect(try uploads() == [])
    }

    /// A trigger or a view can drop, copy or change what is written later, or never end.
    @Test(arguments: [
        "CREATE TRIGGER dropping BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TABLE other AS SELECT * FROM session",
        "ALTER TABLE person RENAME TO other; CREATE VIEW person AS SELECT * FROM other",
        "DROP TRIGGER audit_is_not_deleted",
    ])
    func `a file with other tables, triggers or views is no practice`(change: String) throws {
        let file = clinic.folder.appending(path: "changed.db")
        try Data(try fetched()).write(to: file)
        try SQLiteDatabase(file.path).execute(change)
        let name = try laid(Array(Data(contentsOf: file)))
        let refused = Upkeep.CannotRestore(reason: "The file has other tables than those that Daybreak makes.")
        #expect(throws: refused) { try clinic.as(vera).call(Upkeep.Restore(restore: name)) }
        #expect(throws: StoreError.otherTables(file.path)) { try Store.verify(file.path) }
        #expect(
            try DatabasePreparation.prepare(.file(file.path), Clinic.settings)
                == .damaged(
                    reason:
                        "The database \(file.path) has other tables than those that Daybreak makes: restore a backup."))
        #expect(try staff() == 1)
    }

    @Test func `a restore tells of the records that were erased since the backup, and are back`() throws {
        let ana = try clinic.staff("Ana", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        let bytes = try fetched()
        try clinic.as(ana).call(Records.CloseRecord(client: cleo, reason: "All is said."))
        #expect(try clinic.as(vera).call(Upkeep.Restore(restore: laid(bytes))).returned == nil)
        try clinic.as(ana).call(Records.CloseRecord(client: cleo, reason: "All is said."))
        try clinic.as(vera).call(Records.EraseRecord(client: cleo, number: 1, reason: "Asked for."))
        #expect(try clinic.as(vera).call(Upkeep.Restore(restore: laid(bytes))).returned == [1])
    }

    /// Things that were ended since the backup stay so, or are told.
    @Test
    func `a restore brings back no key that was taken away, and no number of a person, and names staff who had left`()
        throws
    {
        let ana = try clinic.staff("Ana", .thanatologist)
        let ben = try clinic.staff("Ben", .support)
        let cleo = try clinic.client("Cleo", of: ana)
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        try clinic.as(vera).call(Practice.AddKey(person: cleo, publicKey: Keys.cleo))
        let bytes = try fetched()
        try clinic.as(vera).call(Practice.RemoveKey(fingerprint: Keys.cleos))
        try clinic.as(vera).call(Practice.RetireStaff(person: ben, revision: 1))
        let later = try clinic.staff("Later", .support)
        let reply = try clinic.as(vera).call(Upkeep.Restore(restore: laid(bytes)))
        #expect(reply.removedKeys == 1 && reply.returnedStaff == ["Ben (\(ben))"] && reply.returned == nil)
        #expect(reply.unknown == nil)
        #expect(throws: Gate.UnknownKey()) {
            try clinic.gate.call(Gate.Enter(fingerprint: Keys.cleos, through: "192.0.2.7"))
        }
        #expect(try clinic.gate.call(Gate.Enter(fingerprint: Keys.anas, through: "192.0.2.7")).person == ana)
        // Nobody gets the number of a person of the database before.
        let next = try clinic.staff("Next", .support)
        #expect(ID<Person>(next).number > ID<Person>(later).number)
        // No backup brings the key back, one tried after the other.
        #expect(try clinic.as(vera).call(Upkeep.Restore(restore: laid(bytes))).removedKeys == 1)
        #expect(throws: Gate.UnknownKey()) {
            try clinic.gate.call(Gate.Enter(fingerprint: Keys.cleos, through: "192.0.2.7"))
        }
    }

    /// The key that was taken away opens again, because nothing tells that it was.
    @Test func `a restore over a database that has vanished says that it cannot know what had ended since the backup`()
        throws
    {
        let ana = try clinic.staff("Ana", .thanatologist)
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        let bytes = try fetched()
        try clinic.as(vera).call(Practice.RemoveKey(fingerprint: Keys.anas))
        rename(clinic.database, clinic.folder.appending(path: "aside.db").path)
        let reply = try clinic.root.call(Upkeep.Restore(restore: laid(bytes, by: clinic.root)))
        #expect(reply.unknown == true && reply.removedKeys == nil && reply.kept == "")
        #expect(try clinic.gate.call(Gate.Enter(fingerprint: Keys.anas, through: "192.0.2.7")).person == ana)
        // The database that was restored can be read.
        clinic.clock.advance(by: .seconds(1))
        #expect(try clinic.root.call(Upkeep.Restore(restore: laid(bytes, by: clinic.root))).unknown == nil)
    }

    @Test func `a restore gives no number of a record a second time`() throws {
        let ana = try clinic.staff("Ana", .thanatologist)
        let bytes = try fetched()
        let dora = try clinic.client("Dora", of: ana)
        #expect(try clinic.as(ana).call(Records.GetClient(client: dora)).client.number == 1)
        try clinic.as(vera).call(Upkeep.Restore(restore: laid(bytes)))
        let eva = try clinic.client("Eva", of: ana)
        #expect(try clinic.as(ana).call(Records.GetClient(client: eva)).client.number == 2)
    }

    /// A thread of its own copies; it is not the one that replaced the database.
    @Test func `an administrator who came in with a key looks after the backups of a restored practice`() throws {
        try clinic.as(vera).call(Upkeep.Restore(restore: laid(fetched())))
        let call = try Call(frame: Array(Call.frame(Upkeep.Diagnose()).dropLast()))
        var job = Job(number: 1, call: call, caller: clinic.as(vera).caller)
        job.state = clinic.state
        let reply = try Reply(frame: Array(clinic.reader.carryOut([job])[0].frame.dropLast()))
        #expect(reply.error == nil)
    }

    @Test func `a backup of another practice, or of a made-up one, is told as that`() throws {
        let own = try fetched()
        let other = try Clinic()
        other.clock.advance(by: .seconds(60))
        _ = try other.root.call(Upkeep.Fill())
        let made = try other.root.call(Upkeep.Backup()).backup
        let theirs = [UInt8](try Data(contentsOf: other.folder.appending(path: "backups/\(made)")))
        let same = try clinic.as(vera).call(Upkeep.Restore(restore: laid(own)))
        #expect(same.another == nil && same.madeUp == nil)
        let strange = try clinic.as(vera).call(Upkeep.Restore(restore: laid(theirs)))
        #expect(strange.another == true && strange.madeUp == true)
        // A practice that has nobody yet gets back what it lost.
        let anew = try Clinic()
        #expect(try anew.root.call(Upkeep.Restore(restore: laid(own, by: anew.root))).another == nil)
    }

    @Test func `no other file is read, written or restored`() throws {
        for name in ["../practice.db", "restore-../practice.db", "asked-1", "night-2027-03-05.db", ""] {
            let refusal = Upkeep.NoSuchBackup(backup: name)
            #expect(throws: refusal) { try clinic.as(vera).call(Upkeep.ReadBackup(backup: name, offset: 0)) }
            #expect(throws: refusal) { try clinic.as(vera).call(Upkeep.Restore(restore: name)) }
            #expect(throws: refusal) {
                try clinic.as(vera).call(Upkeep.UploadRestore(restore: name, offset: 0, piece: "AAAA"))
            }
        }
        let name = try laid(fetched())
        #expect(throws: Upkeep.CannotRestore(reason: "The pieces of the file do not follow each other.")) {
            try clinic.as(vera).call(Upkeep.UploadRestore(restore: name, offset: 2, piece: "AAAA"))
        }
    }

    @Test func `only callers with the right to maintain may do so, and the audit has it`() throws {
        for role in [Role.support, .thanatologist] {
            let person = clinic.as(try clinic.staff("Sol", role))
            let refusal = Practice.NotAllowed(right: "maintain")
            #expect(throws: refusal) { try person.call(Upkeep.Backup()) }
            #expect(throws: refusal) { try person.call(Upkeep.BackUpNight()) }
            #expect(throws: refusal) { try person.call(Upkeep.ReadBackup(backup: "asked-1.db", offset: 0)) }
            #expect(throws: refusal) { try person.call(Upkeep.UploadRestore(offset: 0, piece: "")) }
            #expect(throws: refusal) { try person.call(Upkeep.Restore(restore: "restore-1.db")) }
            #expect(throws: refusal) { try person.call(Upkeep.Diagnose()) }
        }
        let made = try clinic.as(vera).call(Upkeep.Backup())
        let database = try SQLiteDatabase(clinic.database, .reading)
        #expect(
            try database.rows("SELECT did || ' ' || what FROM audit WHERE did = 'Backup'") { $0.text(0) }
                == ["Backup \(made.backup)"])
    }

    @Test func `a backup holds its own audit entry, and a restored database that of the restore`() throws {
        func entries(_ path: String) throws -> [String?] {
            try SQLiteDatabase(path, .reading).rows(
                "SELECT did || ' ' || what FROM audit WHERE did IN ('Backup', 'Restore') ORDER BY id"
            ) { $0.text(0) }
        }
        let made = try clinic.as(vera).call(Upkeep.Backup()).backup
        #expect(try entries(backups.appending(path: made).path) == ["Backup \(made)"])
        let kept = try clinic.as(vera).restore(backup: made)
        let name = URL(filePath: kept).lastPathComponent
        #expect(try entries(clinic.database) == ["Backup \(made)", "Restore \(name)"])
        #expect(try entries(kept) == ["Backup \(made)"])
    }
}

@Suite(.ofFile) struct `A practice whose storage fails` {
    private let clinic: Clinic

    init() throws {
        clinic = try Clinic()
        for number in 1...200 { _ = try clinic.staff("Person \(number)", .support) }
    }

    private func write(_ bytes: [UInt8], at offset: UInt64) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: clinic.database))
        defer { try? file.close() }
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
    }

    private var damaged: String { "The database \(clinic.database) is damaged: restore a backup." }

    private func harm() throws {
        try clinic.close()
        try write([UInt8](repeating: 0xA5, count: 16 * 4_096), at: 4_096)
    }

    @Test func `a damaged database is never written, and every call reports the damage`() throws {
        try harm()
        let before = try Data(contentsOf: URL(filePath: clinic.database))
        let outcome = try clinic.root.outcome(Practice.AddStaff(name: "Late", role: "support"))
        #expect(outcome.storage == .failed(.damaged(damaged)))
        for _ in 1...3 {
            #expect(throws: Practice.StorageUnavailable(reason: damaged)) {
                try clinic.root.call(Practice.AddStaff(name: "Late", role: "support"))
            }
            #expect(throws: Practice.StorageUnavailable(reason: damaged)) { try clinic.visitor.call(Practice.WhoAmI()) }
            #expect(throws: Practice.StorageUnavailable(reason: damaged)) { try clinic.root.call(Upkeep.Backup()) }
        }
        #expect(try clinic.root.call(Upkeep.Status()).health.storageProblem == damaged)
        #expect(try clinic.root.call(Upkeep.Status()).health.staff == nil)
        #expect(try clinic.root.call(Upkeep.Diagnose()).storage == damaged)
        #expect(try Data(contentsOf: URL(filePath: clinic.database)) == before)
    }

    @Test func `a damaged database does not replace the nightly backups`() throws {
        _ = try clinic.root.call(Upkeep.BackUpNight())
        try harm()
        let outcome = try clinic.root.outcome(Upkeep.BackUpNight())
        #expect(outcome.journalLines == [JournalLine(kind: .backupFailed, reason: damaged)])
        let night = clinic.folder.appending(path: "backups/night-2027-03-05.db").path
        #expect(try Store.verify(night).staff == 200)
    }

    @Test func `a backup ends the damage, and the damaged database is kept`() throws {
        let made = try clinic.root.call(Upkeep.Backup())
        var (pieces, next): ([String], Int?) = ([], 0)
        while let offset = next {
            let reply = try clinic.root.call(Upkeep.ReadBackup(backup: made.backup, offset: offset))
            pieces.append(reply.piece)
            next = reply.next
        }
        try harm()
        let harmed = try Data(contentsOf: URL(filePath: clinic.database))
        _ = try clinic.root.outcome(Practice.WhoAmI())
        var laid = try clinic.root.call(Upkeep.UploadRestore(offset: 0, piece: pieces[0]))
        for piece in pieces.dropFirst() {
            laid = try clinic.root.call(
                Upkeep.UploadRestore(restore: laid.restore, offset: laid.bytes, piece: piece))
        }
        let restored = try clinic.root.call(Upkeep.Restore(restore: laid.restore))
        #expect(restored.staff == 200)
        #expect(restored.unknown == true)
        #expect(try Data(contentsOf: URL(filePath: restored.kept)) == harmed)
        _ = try clinic.staff("After", .support)
        let found = try clinic.root.call(Upkeep.Diagnose())
        #expect([found.storage, found.backups, found.settings] == [nil, nil, nil])
        #expect(found.folder == clinic.folder.path + "/backups")
    }

    @Test func `a database that was moved or replaced by hand is reported and not used`() throws {
        let aside = clinic.folder.appending(path: "aside.db").path
        try clinic.root.call(Upkeep.Status())
        rename(clinic.database, aside)
        let gone = "The database \(clinic.database) has vanished: bring it back, or restore a backup."
        #expect(throws: Practice.StorageUnavailable(reason: gone)) { try clinic.root.call(Practice.WhoAmI()) }
        _ = FileManager.default.createFile(atPath: clinic.database, contents: nil)
        let replaced =
            "The database \(clinic.database) was replaced by another file: restart practiced to use that one."
        #expect(throws: Practice.StorageUnavailable(reason: replaced)) { try clinic.staff("Late", .support) }
        #expect(throws: Practice.StorageUnavailable(reason: replaced)) { try clinic.root.call(Practice.ListStaff()) }
        rename(aside, clinic.database)
        _ = try clinic.staff("After", .support)
    }

    /// The daemon closes the database while another connection restores one.
    @Test func `no practice is begun in a file that has lost its content`() throws {
        try clinic.close()
        #expect(truncate(clinic.database, 0) == 0)
        for _ in 1...2 {
            #expect(throws: Practice.StorageUnavailable(reason: damaged)) { try clinic.staff("Late", .support) }
        }
        #expect(try File.size(of: clinic.database) == 0)
    }

    @Test func `another sound practice that replaces the file by hand is neither read nor written`() throws {
        let other = try Clinic(copyOf: clinic)
        _ = try other.staff("Other", .support)
        try other.close()
        try clinic.root.call(Upkeep.Status())
        rename(other.database, clinic.database)
        let before = try Data(contentsOf: URL(filePath: clinic.database))
        let replaced =
            "The database \(clinic.database) was replaced by another file: restart practiced to use that one."
        for _ in 1...2 {
            #expect(throws: Practice.StorageUnavailable(reason: replaced)) { try clinic.staff("Late", .support) }
            #expect(throws: Practice.StorageUnavailable(reason: replaced)) {
                try clinic.root.call(Practice.ListStaff())
            }
            #expect(throws: Practice.StorageUnavailable(reason: replaced)) { try clinic.root.call(Upkeep.Backup()) }
        }
        #expect(try clinic.root.call(Upkeep.Status()).health.storageProblem == replaced)
        #expect(try Data(contentsOf: URL(filePath: clinic.database)) == before)
    }

    @Test func `while another program locks it, calls are refused; afterwards calls are carried out`() throws {
        let other = try SQLiteDatabase(clinic.database)
        try other.execute("BEGIN IMMEDIATE")
        let outcome = try clinic.root.outcome(Practice.AddStaff(name: "Late", role: "support"))
        let reason = "Another program keeps the database \(clinic.database) locked: close it."
        #expect(outcome.storage == .failed(.unavailable(reason)))
        try other.execute("ROLLBACK")
        let after = try clinic.root.outcome(Practice.AddStaff(name: "Late", role: "support"))
        #expect(after.storage == .written)
    }
}

@Suite(.ofFile) struct `The database at the start` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "start-\(UUID())")
    private var path: String { folder.appending(path: "practice.db").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func prepare() throws -> DatabasePreparation.Finding {
        try DatabasePreparation.prepare(.file(path), Clinic.settings)
    }

    private func harm(_ bytes: [UInt8], at offset: UInt64) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    @Test func `a missing database is made, and used from then on`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try prepare() == .sound)
        #expect(try prepare() == .sound)
        #expect(try Store.verify(path).staff == 0)
    }

    /// The daemon was killed in the middle of a restore, whose log could not be brought into the database before.
    @Test func `a log that an interrupted restore kept beside a copy is the database's again`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try prepare() == .sound)
        let crashed = try Store(path)
        try crashed.transaction { try crashed.state(.outdatedCopies, "1") }
        let bytes = ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) }
        try crashed.close()
        for (suffix, bytes) in zip(["", "-wal"], bytes) {
            unlink(path + suffix)
            try #require(bytes).write(to: URL(filePath: path + suffix))
            chmod(path + suffix, 0o600)
        }
        let aside = try Backups(of: path).path("replaced-2027-03-05-1.db")
        for suffix in ["", "-wal"] { #expect(link(path + suffix, aside + suffix) == 0) }
        unlink(path + "-wal")
        #expect(try prepare() == .copiesOutdated)
        #expect(access(aside + "-wal", F_OK) != 0)
    }

    @Test func `no new database is made if one is missing but its log or its backups are left`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let gone = "The database \(path) is gone, but what stood beside it is left: restore a backup."
        try Data([1]).write(to: URL(filePath: path + "-wal"))
        #expect(try prepare() == .damaged(reason: gone))
        try FileManager.default.removeItem(atPath: path + "-wal")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "backups"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for name in ["night-2027-03-05.db", "replaced-2027-03-05-1.db", "replaced-night-2027-03-05.db"] {
            let copy = folder.appending(path: "backups/\(name)")
            try Data([1]).write(to: copy)
            #expect(try prepare() == .damaged(reason: gone), "\(name)")
            #expect(FileManager.default.fileExists(atPath: path) == false)
            // As after a disk that lost the file's content.
            try Data().write(to: URL(filePath: path))
            #expect(try prepare() == .damaged(reason: gone), "\(name)")
            #expect(try Data(contentsOf: URL(filePath: path)) == Data())
            for file in [copy.path, path] { try FileManager.default.removeItem(atPath: file) }
        }
        #expect(try prepare() == .sound)
    }

    @Test func `a database is verified after a kill in the middle of its making`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: URL(filePath: path))
        #expect(try Store.verify(path).staff == 0)
        let database = try SQLiteDatabase(path)
        #expect(try database.keepLog())
        #expect(try Store.verify(path).staff == 0)
        try database.execute("PRAGMA application_id = 1")
        #expect(throws: StoreError.notAPractice(path)) { try Store.verify(path) }
        try database.close()
    }

    @Test func `a database whose log has no index is verified, and left as it is`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try NewFile(at: path)
        let store = try Store(path)
        try store.state(.madeUp, "1")
        let copied = folder.appending(path: "copied.db").path
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copied + suffix) }
        let log = try Data(contentsOf: URL(filePath: copied + "-wal"))
        #expect(!log.isEmpty)
        #expect(try Store.verify(copied).isMadeUp)
        #expect(try Data(contentsOf: URL(filePath: copied + "-wal")) == log)
        #expect(!FileManager.default.fileExists(atPath: copied + "-shm"))
        try store.close()
    }

    @Test func `the database of another program, and one without a header, are not changed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try prepare() == .sound)
        let reason = "\(path) is not the database of a practice: restore a backup."
        try harm([9, 9, 9, 9], at: 68)
        #expect(try prepare() == .damaged(reason: reason))
        try harm(Array("no header at all".utf8), at: 0)
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(try prepare() == .damaged(reason: reason))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `a newer Daybreak's database is refused`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try prepare() == .sound)
        try harm([0, 0, 0, 99], at: 60)
        #expect(throws: StoreError.newer(path, version: 99)) { try prepare() }
    }
}
