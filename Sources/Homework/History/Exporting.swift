import Files
import HomeworkRules
import Storage

// The export of a history as text, and the import of such a text.
extension SQLiteDatabase {
    /// Writes all events as text (mode 0600), one JSON object on each line: first the version and the number of events, then
    /// one object for each event, by its columns. Replaces the file at that path. Atomic and durable.
    ///
    /// - Parameter last: the number of the last event that is exported. Events are numbered from 1, and never change.
    func export(to path: String, through last: Int = .max) throws {
        try File.replace(path) { draft in
            try Folder.checkPrivate(Folder.parent(of: draft))
            HistoryFile.remove(draft)
            let file = try NewFile(at: draft)
            var text: [UInt8] = []
            for query in [Self.exportHead, Self.exportEvents] {
                try each(query, [last.databaseValue]) { line in
                    text += (line.text(0) ?? "").utf8
                    text.append(UInt8(ascii: "\n"))
                    guard text.count >= 64 * 1_024 else { return }
                    try file.write(text)
                    text.removeAll(keepingCapacity: true)
                }
            }
            try file.write(text)
        }
    }

    private static let exportHead = """
        SELECT json_object(
            'daybreak', 'history', 'version', \(Tables.version), 'events', (SELECT count(*) FROM event WHERE seq <= $1))
        """

    /// `json_patch` leaves out NULL values.
    private static let exportEvents: String = {
        let members = Tables.shared.map { "'\($0)', \($0)" }.joined(separator: ", ")
        return
            "SELECT json_patch('{}', json_object(\(members), 'body', json(body))) FROM event WHERE seq <= $1 ORDER BY seq"
    }()

    /// The limit of a line of an export, in bytes: ten times the longest possible event, with every character escaped.
    static var longestLine: Int { 1_024 * 1_024 }

    /// The limit of an event's body, in bytes: with the other columns it fits into a line.
    static var longestBody: Int { longestLine - 4_096 }

    /// Records the events of an export, of any version. Atomic.
    func importEvents(from export: String) throws {
        let lines = try Lines(of: export, limit: Self.longestLine)
        try transaction {
            guard let head = try lines.next() else { throw HistoryError.noExport(line: 1) }
            let (version, announced) = try onLine(1) { try readHead(head) }
            let insert = version < 4 ? Self.insertLineOfVersion3 : Self.insertLine
            var count = 0
            while let line = try lines.next() {
                count += 1
                try onLine(count + 1) { try run(insert, line) }
            }
            // The first versions of Daybreak wrote no number.
            guard announced == nil || announced == count else {
                throw HistoryError.damaged(
                    reason: "It is not whole: it says that it holds \(announced ?? 0) events, and holds \(count)")
            }
        }
    }

    private static let insertLine: String = {
        let values = (Tables.shared + ["body"]).map { "json_extract($1, '$.\($0)')" }
        return "INSERT INTO event (\(Event.columns)) SELECT \(values.joined(separator: ", "))"
    }()

    private static let insertLineOfVersion3: String = {
        let values = Tables.shared.map { "json_extract($1, '$.\($0)')" } + [Tables.bodyOfLineOfVersion3]
        return "INSERT INTO event (\(Event.columns)) SELECT \(values.joined(separator: ", "))"
    }()

    /// Reads the version, and the number of events if the head has it.
    private func readHead(_ line: String) throws -> (version: Int, events: Int?) {
        let version = try number(
            "SELECT json_extract($1, '$.version') WHERE json_extract($1, '$.daybreak') = 'history'", line)
        guard let version else {
            throw HistoryError.damaged(reason: "It does not begin as `daybreak export` does")
        }
        guard version <= Tables.version else { throw HistoryError.newer(found: version, known: Tables.version) }
        return (version, try number("SELECT json_extract($1, '$.events')", line))
    }

    /// Blames the line for an error of SQLite about its JSON or its event. Other errors are the disk's.
    private func onLine<Result>(_ number: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError
            where [SQLiteError.error, SQLiteError.constraint, SQLiteError.mismatch, SQLiteError.tooBig]
            .contains(error.code)
        {
            throw HistoryError.noExport(line: number)
        }
    }
}

extension HistoryError {
    fileprivate static func noExport(line number: Int) -> HistoryError {
        .damaged(reason: "Line \(number) is none that `daybreak export` writes")
    }
}
