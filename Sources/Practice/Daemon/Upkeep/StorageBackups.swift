import Files
import Glibc
import PracticeInterfaces
import PracticeStore
import Storage
import Time

// The database as a whole: looked at, copied, replaced.
extension PracticeStorage {
    /// The instant of the newest night's copy. One that was made while the clock was ahead of this is none.
    static func lastBackup(_ nights: Backups, at now: Instant) -> Instant? {
        // A copy that cannot be looked at is none.
        nights.nights.compactMap { try? File.written($0) }.filter { $0 <= now.microseconds }.max()
            .map { Instant(microseconds: $0) }
    }

    /// The copy of this night, and the oldest let go of. A damaged database is not copied over the copies of the nights before.
    ///
    /// Where copies still hold what was erased, because their removal failed, they are removed first.
    func backUpNight(on day: CalendarDay) throws {
        try check()
        if try store().fact(.outdatedCopies) != nil { _ = try removeCopies() }
        try copy(to: try nights.path("night-\(day).db"))
        nights.removeOld(on: "\(day)")
        if nights.folder != backups.folder { backups.removeOld() }
    }

    /// What became of the copies after an erasure.
    struct Renewal: Sendable {
        /// The names of the copies that were removed and overwritten.
        var removed: [String] = []
        /// The path of this night's copy, made anew.
        var made: String?
        /// A sentence: why copies may hold what was erased, or why there is no new one.
        var problem: String?

        /// For the journal.
        var journalLine: JournalLine {
            problem.map { JournalLine(kind: .backupFailed, reason: $0) } ?? JournalLine(kind: .backupMade)
        }
    }

    /// Removes every copy, because it holds what was erased, and makes this night's anew.
    func renewBackups(on day: CalendarDay) -> Renewal {
        var renewal = Renewal()
        do { renewal.removed = try removeCopies() } catch {
            renewal.problem =
                "Copies may hold what was erased, until the next night's backup removes them. \(failed(error).reason)"
            return renewal
        }
        do {
            try backUpNight(on: day)
            renewal.made = try nights.path("night-\(day).db")
        } catch {
            renewal.problem = "The copies were removed, and no new one was made. \(failed(error).reason)"
        }
        return renewal
    }

    /// Removes what an erasure noted as outdated, and the note with it; the names.
    private func removeCopies() throws -> [String] {
        var removed = try backups.removeAll()
        if nights.folder != backups.folder { removed += try nights.removeAll() }
        let store = try store()
        try store.transaction { try store.forget(.outdatedCopies) }
        return removed
    }

    /// A copy for somebody who fetches it; its name.
    func backUpToFetch(at now: Instant) throws -> String {
        let name = "asked-\(now.microseconds).db"
        try copy(to: try backups.path(name))
        return name
    }

    /// Throws if SQLite finds the database damaged.
    func check() throws {
        let open = try store()
        guard try Store.isSound(path) else { throw StorageFault(failed(DatabaseError(code: DatabaseError.corrupt))) }
        _ = open
    }

    private func copy(to path: String) throws {
        let store = try store()
        try File.replace(path) { draft in
            unlink(draft)
            _ = try NewFile(at: draft)
            try store.copy(to: draft)
        }
    }

    // MARK: Fetched, and handed over, in pieces

    /// Bytes of one piece.
    static let piece = 512 * 1_024
    /// Of a file that is handed over.
    static let longest = 16 << 30

    func bytes(of backup: String) throws -> Int { try File.size(of: try backups.path(backup)) }

    func read(_ name: String, from offset: Int) throws -> [UInt8] {
        guard Self.isName(name, "asked-"), (0...Self.longest).contains(offset) else {
            throw Upkeep.NoSuchBackup(backup: name)
        }
        let path = try backups.path(name)
        guard try File.exists(path) else { throw Upkeep.NoSuchBackup(backup: name) }
        return try File.piece(of: path, from: offset, count: Self.piece)
    }

    /// Appends a piece; how many bytes there are.
    func append(_ bytes: [UInt8], at offset: Int, to name: String) throws -> Int {
        guard Self.isName(name, "restore-") else { throw Upkeep.NoSuchBackup(backup: name) }
        let path = try backups.path(name)
        if offset == 0, try !File.exists(path) { _ = try NewFile(at: path) }
        guard try File.exists(path) else { throw Upkeep.NoSuchBackup(backup: name) }
        guard try File.size(of: path) == offset, offset + bytes.count <= Self.longest else {
            throw Upkeep.CannotRestore(reason: "The pieces of the file do not follow each other.")
        }
        try File.append(bytes, to: path)
        return offset + bytes.count
    }

    private static func isName(_ name: String, _ prefix: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(".db") && !name.contains("/")
    }

    /// Puts a file that was handed over in the place of the database, once it was found sound from end to end. Where it is
    /// refused, nothing is replaced. The path under which the one before is kept.
    func restore(_ name: String, at now: Instant, on day: CalendarDay) throws -> String {
        guard Self.isName(name, "restore-") else { throw Upkeep.NoSuchBackup(backup: name) }
        let candidate = try backups.path(name)
        guard try File.exists(candidate) else { throw Upkeep.NoSuchBackup(backup: name) }
        do { try Store.prepare(candidate) } catch {
            for suffix in ["", "-wal", "-shm"] { unlink(candidate + suffix) }
            throw Upkeep.CannotRestore(reason: Self.refusal(error))
        }
        let aside = try backups.path("replaced-\(day)-\(now.microseconds).db")
        letGo()
        // They are no copies of the database that is about to come.
        if nights.folder != backups.folder { try nights.setNightsAside() }
        if let fault = try backups.replace(path, with: candidate, keepingAs: aside) { throw fault }
        _ = try store()
        return aside
    }

    private static func refusal(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: error.ofFile + "."
        case let error as DatabaseError where error.code == DatabaseError.full: "There is no room for it on the disk."
        default: "The file is damaged."
        }
    }
}
