import GRDB
import Glibc
public import Homework

// One history in the place of another, and what is erased: the exceptions to "only ever added to".
extension History {
    /// Copies a file to where it can be prepared (mode 0600).
    public static func lay(_ file: String, at path: String) throws(HistoryError) {
        try Place.copy(file, to: path)
    }

    /// Looks at a file from end to end before it takes a history's place: a copy, of this version or an earlier one, or an
    /// export. It is a history of this version afterwards. How many events it holds.
    public static func prepare(_ path: String) throws(HistoryError) -> Int {
        defer { for suffix in [".lock", "-wal", "-shm"] { unlink(path + suffix) } }
        if try Header.isText(path) {
            try makeHistory(outOf: path)
        } else {
            _ = try Header(of: path)
        }
        let trial = try History(at: path, patience: .zero, keepsEarlierVersion: false)
        _ = try trial.plan()
        try trial.checkWhole()
        try trial.closeAsOneFile()
        return trial.eventCount
    }

    /// Puts a prepared file in the place of the history at that path, which is kept under the other name, with its log
    /// and its nights. Nobody may hold the history. There is a whole one at any instant.
    public static func replace(_ path: String, with prepared: String, keepingAs aside: String) throws(HistoryError) {
        let place = try Place(path)
        defer { withExtendedLifetime(place) {} }
        try Place.link(path, to: aside)
        try Place.link(path + "-wal", to: aside + "-wal")
        try Place.sync(prepared)
        try Backups(of: path).setNightsAside()
        try Place.syncFolder(of: aside)
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        try Place.rename(prepared, to: path)
        try Place.syncFolder(of: path)
    }

    /// A history that holds that one event in the place of the one at that path, which is gone with every copy beside it,
    /// and written over. Nobody may hold it. There is a whole one at any instant.
    public static func beginAnew(at path: String, noting event: Event) throws(HistoryError) {
        let place = try Place(path)
        defer { withExtendedLifetime(place) {} }
        try Backups(of: path).removeAll()
        let new = path + ".new"
        Place.remove(new)
        defer { unlink(new + ".lock") }
        let fresh = try History(at: new, patience: .zero, keepsEarlierVersion: false)
        try fresh.record([event])
        try fresh.closeAsOneFile()
        let remains = Remains()
        for suffix in ["", "-wal", "-journal"] { try remains.take(path + suffix) }
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Place.rename(new, to: path)
        try Place.syncFolder(of: path)
        try remains.overwrite()
    }

    /// Makes the mood and the notes of one assignment unknown, in every event that tells them, and records that it was
    /// done. No trace of them is left in the file or its log; the copies beside it are the caller's to remove.
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
            try connection.emptyLog()
        }
    }

    private static func makeHistory(outOf export: String) throws(HistoryError) {
        let path = export + ".db"
        Place.remove(path)
        do throws(HistoryError) {
            let history = try History(at: path, patience: .zero, keepsEarlierVersion: false)
            try history.use { connection throws(HistoryError) in try connection.take(export) }
            try history.closeAsOneFile()
            unlink(path + ".lock")
            try Place.rename(path, to: export)
        } catch {
            Place.remove(path)
            unlink(path + ".lock")
            throw error
        }
    }
}
