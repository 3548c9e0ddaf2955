import Files
import Glibc
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Storage
import Time

// Checks, copies and replaces the whole database.
extension PracticeStorage {
    /// The database's file. Throws if a server keeps the practice: it has backups of its own.
    private func file() throws -> String {
        guard case .file(let path) = place else { throw Upkeep.KeptByServer() }
        return path
    }

    /// The folder beside the database, with fetched backups, uploads and replaced databases.
    var backups: Backups { get throws { Backups(of: try file()) } }
    /// The nightly backups.
    var nights: Backups { get throws { Self.nights(of: try file(), settings) } }

    static func nights(of path: String, _ settings: PracticeSettings) -> Backups {
        let own = Backups(of: path).folder
        let folder = settings.backups ?? own
        return Backups(in: folder, nights: settings.nights, isShared: folder != own)
    }

    /// The instant of the newest nightly backup. A backup with a later instant than now is ignored: the clock was wrong.
    static func lastBackup(_ nights: Backups, at now: Instant) -> Instant? {
        // An unreadable backup is ignored.
        nights.nights.compactMap { try? File.written($0) }.filter { $0 <= now.microseconds }.max()
            .map { Instant(microseconds: $0) }
    }

    /// Makes this night's backup, and removes the oldest. Throws for a damaged database, and keeps the earlier backups.
    ///
    /// If the removal of backups after an erasure failed, those backups are removed first.
    ///
    /// Returns true if an index was damaged, and was made anew. Throws a step if the database is to be changed for it, and this
    /// thread only reads.
    @discardableResult func backUpNight(on day: CalendarDay) throws -> Bool {
        let (nights, backups) = (try nights, try backups)
        try check()
        let store = try store()
        let areMended = try !store.areIndexesSound()
        let areOutdated = try store.fact(.outdatedCopies) != nil
        if access == .reading, areMended || areOutdated { throw Step(thread: .writing) }
        if areMended { try store.transaction { try store.mendIndexes() } }
        if areOutdated { _ = try removeCopies() }
        let night = try nights.path("night-\(day).db")
        try copy(to: night)
        let now = try File.written(night)
        nights.removeOld(on: "\(day)", at: now)
        if nights.folder != backups.folder { backups.removeOld(at: now) }
        return areMended
    }

    /// The result of renewing the backups after an erasure.
    struct Renewal: Sendable {
        /// The names of the backups that were removed and overwritten.
        var removed: [String] = []
        /// The path of this night's new backup.
        var made: String?
        /// The reason why backups may still hold erased data, or why there is no new backup, as a sentence.
        var problem: String?

        /// The line that the journal gets; nil if there was no backup to renew.
        var journalLine: JournalLine? {
            if let problem { return JournalLine(kind: .backupFailed, reason: problem) }
            return made.map { _ in JournalLine(kind: .backupMade) }
        }
    }

    /// Removes all backups, which hold the erased data, and makes a new one for this night.
    func renewBackups(on day: CalendarDay) -> Renewal {
        var renewal = Renewal()
        // A server's backups are in other hands.
        guard case .file = place else { return renewal }
        do { renewal.removed = try removeCopies() } catch {
            renewal.problem =
                "Copies may hold what was erased, until the next backup removes them. \(failed(error).reason)"
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

    /// Removes the backups that an erasure made outdated, and the fact that says so. Returns their names.
    private func removeCopies() throws -> [String] {
        let (nights, backups) = (try nights, try backups)
        var removed = try backups.removeAll()
        if nights.folder != backups.folder { removed += try nights.removeAll() }
        let store = try store()
        try store.transaction { try store.forget(.outdatedCopies) }
        return removed
    }

    /// The name of a backup that the caller can fetch.
    static func nameToFetch(at now: Instant) -> String { "asked-\(now.microseconds).db" }

    func backUpToFetch(_ name: String) throws { try copy(to: try backups.path(name)) }

    /// Throws if SQLite finds the database damaged.
    func check() throws {
        let open = try store()
        guard case .file(let path) = place else { return }
        guard try Store.isSound(path) else { throw StorageFault(failed(SQLiteError(code: SQLiteError.corrupt))) }
        _ = open
    }

    private func copy(to path: String) throws {
        let store = try store()
        try File.replace(path) { draft in
            unlink(draft)
            _ = try NewFile(at: draft)
            do { try store.copy(to: draft) } catch let error as SQLiteError where Self.ofCopy.contains(error.code) {
                throw FileError(
                    path, error.code == SQLiteError.full ? "There is no room for \(path)" : "\(path) cannot be written")
            }
        }
    }

    /// The errors of a copy that are not the database's own: it is only read.
    private static let ofCopy = [
        SQLiteError.full, SQLiteError.cannotOpen, SQLiteError.readOnly, SQLiteError.permission,
    ]

    // MARK: Transfers in pieces

    /// The size of a piece, in bytes.
    static let piece = 512 * 1_024
    /// The largest uploaded file, in bytes.
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

    /// Makes the file of an upload, and removes what is left of earlier ones. Throws if the whole has no room: the practice
    /// itself needs the rest.
    func beginUpload(_ name: String, of size: Int) throws {
        let backups = try backups
        backups.removeDrafts()
        let path = try backups.path(name)
        guard let room = Folder.room(in: backups.folder), size <= Self.longest, UInt64(max(size, 0)) < room else {
            throw Upkeep.CannotRestore(reason: Self.noRoom)
        }
        _ = try NewFile(at: path)
    }

    /// Appends a piece to an uploaded file, and returns the file's size. A file that is refused, or that cannot be written on,
    /// is removed.
    func append(_ bytes: [UInt8], at offset: Int, to name: String) throws -> Int {
        guard Self.isName(name, "restore-") else { throw Upkeep.NoSuchBackup(backup: name) }
        let path = try backups.path(name)
        guard try File.exists(path) else { throw Upkeep.NoSuchBackup(backup: name) }
        guard try File.size(of: path) == offset, offset + bytes.count <= Self.longest else {
            throw Upkeep.CannotRestore(reason: "The pieces of the file do not follow each other.")
        }
        do {
            try File.append(bytes, to: path)
            if offset == 0 { try Store.checkHeader(of: path) }
        } catch {
            unlink(path)
            let isFull = [ENOSPC, EDQUOT].contains((error as? FileError)?.number ?? 0)
            throw Upkeep.CannotRestore(reason: isFull ? Self.noRoom : Self.refusal(error))
        }
        return offset + bytes.count
    }

    private static let noRoom = "There is no room for it on the disk."

    private static func isName(_ name: String, _ prefix: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(".db") && !name.contains("/")
    }

    /// The result of a restore.
    struct Restored {
        /// The path of the replaced database; empty if there was none.
        let kept: String
        let returned: ReturnedThings
        /// The fault after which a power cut may bring the database before back; nil if the replacement is durable.
        let fault: FileError?
    }

    /// The name under which a database is kept that is replaced now.
    func replacedName(on day: CalendarDay, at instant: Instant) throws -> String {
        File.name(in: try backups.replacedPath(on: "\(day)", at: instant.microseconds))
    }

    /// Replaces the database by an uploaded file that was checked from end to end. Throws if nothing was replaced, such as if the
    /// file is refused.
    ///
    /// - Parameter mark: writes into the file before it replaces the database.
    func restore(_ name: String, keepingAs replaced: String, mark: (Store) throws -> Void) throws -> Restored {
        guard Self.isName(name, "restore-") else { throw Upkeep.NoSuchBackup(backup: name) }
        let candidate = try self.backups.path(name)
        guard try File.exists(candidate) else { throw Upkeep.NoSuchBackup(backup: name) }
        // A database that cannot be opened tells nothing, and the answer says so.
        let facts = LastingFacts(of: try? store())
        var returned = ReturnedThings()
        do {
            try Store.prepare(candidate) { restored in
                returned = try restored.transaction { try restored.keep(facts) }
                try mark(restored)
            }
        } catch {
            for suffix in ["", "-wal", "-shm"] { unlink(candidate + suffix) }
            throw Upkeep.CannotRestore(reason: Self.refusal(error))
        }
        let (path, nights, backups) = (try file(), try nights, try backups)
        let aside = try backups.path(replaced)
        bringInLog()
        letGo()
        var moved: [(path: String, aside: String)] = []
        do {
            // The nightly backups are not copies of the new database.
            if nights.folder != backups.folder { try nights.setNightsAside(&moved) }
            let isThere = try File.exists(path)
            let fault = try backups.replace(path, with: candidate, keepingAs: aside)
            return Restored(kept: isThere ? aside : "", returned: returned, fault: fault)
        } catch {
            Backups.bringBack(moved)
            throw error
        }
    }

    /// Copies the log into the file that is about to be replaced, so that the kept file is whole by itself. The log of a file that
    /// cannot be written, or is damaged, is kept beside it.
    private func bringInLog() {
        do { try store().emptyLog() } catch {}  // The file is replaced in any case.
    }

    private static func refusal(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: error.ofFile + "."
        case let error as SQLiteError where error.code == SQLiteError.full: noRoom
        default: "The file is damaged."
        }
    }
}
