import GRDB
import Glibc
import HomeworkRules
import Time

// A history as a whole: copied, compared with a copy.
extension History {
    /// Copies all that is recorded into one file (mode 0600). Whatever stood there is replaced; a power cut leaves the one
    /// or the other, whole.
    public func backUp(to path: String) throws(HistoryError) {
        try write(path) { connection, draft throws(HistoryError) in
            try Place.makeEmpty(draft)
            try connection.copy(to: draft)
        }
    }

    /// The first event of an earlier copy that is another one here. What happened never changes, so one of the two is
    /// damaged; nil where that copy is the beginning of this history.
    /// Throws `damaged` where SQLite finds the copy so.
    public func firstDifference(from copy: String) throws(HistoryError) -> Int? {
        try Connection.checkSound(copy, .zero)
        var found: Int?
        try use { connection throws(HistoryError) in found = try connection.firstDifference(from: copy) }
        return found
    }

    /// Something was erased here since that copy was made, which may hold it yet.
    public func hasErased(since copy: String) throws(HistoryError) -> Bool {
        var found = false
        try use { connection throws(HistoryError) in
            found = try connection.beside(copy) { try Bool.fetchOne($0, sql: SQL.hasErased) ?? false }
        }
        return found
    }

    /// Throws where SQLite finds the file's structure damaged.
    public func checkWhole() throws(HistoryError) {
        try use { connection throws(HistoryError) in try connection.checkWhole() }
    }

    func write(
        _ path: String, _ body: (Connection, _ draft: String) throws(HistoryError) -> Void
    ) throws(HistoryError) {
        try Place.write(wholeTo: path) { draft throws(HistoryError) in
            try use { connection throws(HistoryError) in try body(connection, draft) }
        }
    }
}

extension Place {
    /// Has `fill` write a file under another name first. Interrupted at any instant, it is there whole or not at all, and what
    /// stood there before stays until then.
    static func write(
        wholeTo path: String, _ fill: (_ draft: String) throws(HistoryError) -> Void
    ) throws(HistoryError) {
        let draft = path + ".new"
        do throws(HistoryError) {
            try fill(draft)
            try sync(draft)
            try rename(draft, to: path)
            try syncFolder(of: path)
        } catch {
            remove(draft)
            throw error
        }
    }
}

extension Connection {
    func copy(to path: String) throws(HistoryError) {
        try access { database in try database.execute(sql: SQL.copy, arguments: [path]) }
    }

    fileprivate func firstDifference(from copy: String) throws(HistoryError) -> Int? {
        try beside(copy) { database in
            let columns = try String.fetchAll(database, sql: SQL.columnsOfEarlier).joined(separator: ", ")
            return try Int.fetchOne(database, sql: SQL.firstDifference(in: columns))
        }
    }

    fileprivate func beside<Result>(
        _ copy: String, _ body: (Database) throws -> Result
    ) throws(HistoryError) -> Result {
        try access { database in
            try database.execute(sql: SQL.attachEarlier, arguments: [copy])
            defer { try? database.execute(sql: SQL.detachEarlier) }  // Where that fails, the next ATTACH tells.
            return try body(database)
        }
    }

    func checkWhole() throws(HistoryError) {
        let said = try access { database in try String.fetchAll(database, sql: SQL.checkWhole) }
        guard said == ["ok"] else {
            throw .damaged(reason: "The history \(path) is damaged: restore it from a backup")
        }
    }
}
