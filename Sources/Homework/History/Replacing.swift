import GRDB
import Glibc
public import HomeworkRules
import Time

// One history in the place of another, and what is erased: the exceptions to "only ever added to".
extension History {
    /// Copies a file to where it can be prepared (mode 0600).
    public static func lay(_ file: String, at path: String) throws(HistoryError) {
        try Place.copy(file, to: path)
    }

    /// Looks at a file from end to end before it takes a history's place: a copy, of this version or an earlier one, or an
    /// export. It is a history of this version afterwards. How many events it holds.
    ///
    /// - Parameter name: what those who handed it over call it; nil where that is not known.
    public static func prepare(_ path: String, calling name: String? = nil) throws(HistoryError) -> Int {
        do throws(HistoryError) {
            return try makeReady(path)
        } catch {
            throw error.told(of: path, calling: name)
        }
    }

    private static func makeReady(_ path: String) throws(HistoryError) -> Int {
        defer { for suffix in [".lock", "-wal", "-shm"] { unlink(path + suffix) } }
        if try Header.isText(path) { try makeHistory(outOf: path) } else { _ = try Header(of: path) }
        // What brings it up to date is written before it is looked at.
        try candidate(at: path).closeAsOneFile()
        let trial = try candidate(at: path)
        _ = try trial.plan()
        try trial.checkWhole()
        try trial.closeAsOneFile()
        return trial.eventCount
    }

    private static func candidate(at path: String) throws(HistoryError) -> History {
        try History(at: path, patience: .zero, keepsEarlierVersion: false)
    }

    /// Puts a prepared file in the place of the history at that path, which is kept under the other name, with its nights,
    /// and with its log where that could not be brought into it. Nobody may hold the history. There is a whole one at any
    /// instant. `inDoubt`: it was replaced, and a power cut may bring the old one back.
    public static func replace(_ path: String, with prepared: String, keepingAs aside: String) throws(HistoryError) {
        let place = try Place(path)
        defer { withExtendedLifetime(place) {} }
        place.foldLog()
        try Place.sync(prepared)
        do throws(HistoryError) {
            try Place.link(path, to: aside)
            if try place.hasLog() { try Place.link(path + "-wal", to: aside + "-wal") }
            try Backups(of: path).setNightsAside()
            try Place.syncFolder(of: aside)
            try takePlace(of: path, prepared)
        } catch {
            if case .inDoubt = error { throw error }
            // The log may have lost its other name.
            if access(path + "-wal", F_OK) != 0 { try Place.link(aside + "-wal", to: path + "-wal") }
            for suffix in ["", "-wal"] { unlink(aside + suffix) }
            throw error
        }
    }

    /// A history that holds that one event in the place of the one at that path, which is gone with every copy beside it,
    /// and written over. Nobody may hold it. There is a whole one at any instant. `inDoubt`: some of it may be gone.
    public static func beginAnew(at path: String, noting event: Event) throws(HistoryError) {
        let place = try Place(path)
        defer { withExtendedLifetime(place) {} }
        let new = path + ".new"
        Place.remove(new)
        defer { unlink(new + ".lock") }
        let fresh = try candidate(at: new)
        try fresh.record([event])
        try fresh.closeAsOneFile()
        try Place.sync(new)
        place.foldLog()
        do throws(HistoryError) {
            try Backups(of: path).removeAll()
            let remains = Remains()
            for suffix in ["", "-wal", "-journal"] { try remains.take(path + suffix) }
            try takePlace(of: path, new)
            try remains.overwrite()
        } catch {
            throw .inDoubt(reason: error.description)
        }
    }

    /// The old log is durably gone before another file stands beside its name: SQLite would write it into that one.
    private static func takePlace(of path: String, _ new: String) throws(HistoryError) {
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Place.syncFolder(of: path)
        try Place.rename(new, to: path)
        do throws(HistoryError) {
            try Place.syncFolder(of: path)
        } catch {
            throw .inDoubt(reason: error.description)
        }
    }

    /// Makes the mood and the notes of one assignment unknown, in every event that tells them, and records that it was
    /// done. No trace of them is left in the file or its log; the copies beside it are the caller's to remove. `inDoubt`: it
    /// may be done, or a trace be left.
    public func erase(_ id: AssignmentID, noting event: Event) throws(HistoryError) {
        try use { connection throws(HistoryError) in
            try connection.transaction { database in
                try database.execute(sql: SQL.dropAppendOnlyUpdate)
                try database.execute(sql: SQL.eraseMood, arguments: [id.text])
                try database.execute(sql: SQL.eraseNotes, arguments: [id.text])
                try database.execute(sql: SQL.appendOnlyUpdate)
                var writer = try EventWriter(database)
                try writer.write(event, at: eventCount + 1)
            }
            eventCount += 1
            do throws(HistoryError) { try connection.emptyLog() } catch { throw .inDoubt(reason: error.description) }
        }
    }

    private static func makeHistory(outOf export: String) throws(HistoryError) {
        let path = export + ".db"
        Place.remove(path)
        defer { unlink(path + ".lock") }
        do throws(HistoryError) {
            let history = try candidate(at: path)
            try history.use { connection throws(HistoryError) in try connection.take(export) }
            try history.closeAsOneFile()
            try Place.rename(path, to: export)
        } catch {
            Place.remove(path)
            throw error
        }
    }
}

extension Place {
    /// What its log holds is in the file then, where that is sound and can be written; else the log is left.
    fileprivate func foldLog() {
        // Whatever is the matter, another history is to take its place.
        guard (try? find()) == true, (try? hasLog()) == true, (try? Connection.isSound(path)) == true else { return }
        Connection.foldLog(of: path)
    }
}

extension HistoryError {
    /// The same of a file that was laid at that path, and is gone when anybody looks. It is a backup itself.
    fileprivate func told(of path: String, calling name: String?) -> HistoryError {
        let advice = ": restore it from a backup"
        var reason = description
        if isDamage, reason.hasSuffix(advice) { reason.removeLast(advice.count) }
        let file = name.map { "file \($0)" } ?? "file"
        // "The" and "the".
        for suffix in [".db", ""] {
            for kind in ["history", "file"] {
                reason = reason.replacing("he \(kind) \(path)\(suffix)", with: "he \(file)")
            }
        }
        return switch self {
        case .damaged: .damaged(reason: reason)
        case .newer: self
        case .unavailable, .inDoubt: .unavailable(reason: reason)
        }
    }
}
