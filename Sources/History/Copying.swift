import GRDB
import Glibc
import Homework

// A history as a whole: copied, told as text, compared with a copy.
extension History {
    /// Copies all that is recorded into one file (mode 0600). Whatever stood there is replaced; a power cut leaves the one
    /// or the other, whole.
    public func backUp(to path: String) throws(HistoryError) {
        try write(path) { connection, draft throws(HistoryError) in
            try Place.makeEmpty(draft)
            try connection.copy(to: draft)
        }
    }

    /// The same as text: one JSON object a line, the first with the version, then one for each event, by its columns.
    public func export(to path: String) throws(HistoryError) {
        try write(path) { connection, draft throws(HistoryError) in try connection.export(to: draft) }
    }

    /// The first event of an earlier copy that is another one here. What happened never changes, so one of the two is
    /// damaged; nil where that copy is the beginning of this history.
    public func firstDifference(from copy: String) throws(HistoryError) -> Int? {
        var found: Int?
        try use { connection throws(HistoryError) in found = try connection.firstDifference(from: copy) }
        return found
    }

    /// Throws where SQLite finds the file's structure damaged.
    public func checkWhole() throws(HistoryError) {
        try use { connection throws(HistoryError) in try connection.checkWhole() }
    }

    private func write(
        _ path: String, _ body: (Connection, _ draft: String) throws(HistoryError) -> Void
    ) throws(HistoryError) {
        let draft = path + ".new"
        do throws(HistoryError) {
            try use { connection throws(HistoryError) in try body(connection, draft) }
            try Place.sync(draft)
            try Place.rename(draft, to: path)
            try Place.syncFolder(of: path)
        } catch {
            Place.remove(draft)
            throw error
        }
    }
}

extension Connection {
    func copy(to path: String) throws(HistoryError) {
        try access { database in try database.execute(sql: SQL.copy, arguments: [path]) }
    }

    fileprivate func export(to path: String) throws(HistoryError) {
        let descriptor = try Place.make(path)
        try access { database in
            guard let file = fdopen(descriptor, "w") else {
                defer { Glibc.close(descriptor) }
                throw Place.failed("open", path)
            }
            defer { fclose(file) }
            for query in [SQL.exportHead, SQL.exportEvents] {
                let lines = try String.fetchCursor(database, sql: query)
                while let line = try lines.next() {
                    guard fputs(line + "\n", file) >= 0 else { throw Place.failed("write", path) }
                }
            }
            guard fflush(file) == 0 else { throw Place.failed("write", path) }
        }
    }

    fileprivate func firstDifference(from copy: String) throws(HistoryError) -> Int? {
        try access { database in
            try database.execute(sql: SQL.attachEarlier, arguments: [copy])
            defer { try? database.execute(sql: SQL.detachEarlier) }  // Where that fails, the next ATTACH tells.
            let columns = try String.fetchAll(database, sql: SQL.columnsOfEarlier).joined(separator: ", ")
            return try Int.fetchOne(database, sql: SQL.firstDifference(in: columns))
        }
    }

    func checkWhole() throws(HistoryError) {
        let said = try access { database in try String.fetchAll(database, sql: SQL.checkWhole) }
        guard said == ["ok"] else {
            throw .damaged(reason: "The history \(path) is damaged: restore it from a backup")
        }
    }
}
