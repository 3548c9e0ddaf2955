import Files
public import HomeworkRules
import Storage

// Erasing the words of one assignment from the copies of a history.
extension History {
    /// Erases what ``erase(_:isOpen:noting:)`` erases from the copies beside the history at that path, durably, and the talking
    /// points that are erased in the history: in a copy they may not be those of the task's session. Replaced histories, their
    /// nights and the copies from before a migration are kept without it. All other copies hold only events that the history has
    /// as well, and are removed.
    ///
    /// Returns the kept kinds of copies that were removed too: they are damaged or of a later version, so they cannot be
    /// erased in part.
    public static func erase(
        _ id: AssignmentID, fromCopiesOf path: String, noting event: Event
    ) throws(HistoryError) -> [String] {
        try erase(fromCopiesOf: path, noting: event) { try $0.erase(id) }
    }

    /// Erases the talking points that wait for the next session in each of them, in the same way, and those that are erased in the
    /// history: in a copy a session may have come after them.
    public static func eraseTalkingPoints(
        fromCopiesOf path: String, noting event: Event
    ) throws(HistoryError) -> [String] {
        try erase(fromCopiesOf: path, noting: event) { try $0.eraseTalkingPoints() }
    }

    private static func erase(
        fromCopiesOf path: String, noting event: Event, _ words: (SQLiteDatabase) throws -> Bool
    ) throws(HistoryError) -> [String] {
        let erased = try erasedTalkingPoints(of: path)
        do {
            let backups = Backups(of: path)
            let names = try backups.erasable()
            var removed: [String] = []
            var kept: Set<String> = []
            for copy in backups.ofFormerDatabases(among: names) {
                // A crash in the middle of a restore leaves the history with the name of a copy as well.
                guard try FileIdentity(of: copy) != FileIdentity(of: path) else { continue }
                do throws(HistoryError) {
                    try erase(fromCopy: copy, noting: event) { database in
                        let own = try words(database)
                        let others = try database.eraseTalkingPoints(erased)
                        return own || others
                    }
                    for suffix in ["", "-wal"] { kept.insert(copy + suffix) }
                } catch {
                    switch error {
                    case .damaged, .newer: removed.append(copy)
                    case .unavailable, .inDoubt: throw error
                    }
                }
            }
            try backups.removeAll(names, except: kept)
            return removed
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Of a damaged history, nobody knows them.
    private static func erasedTalkingPoints(of path: String) throws(HistoryError) -> [(sequence: Int, at: Int64)] {
        do throws(HistoryError) {
            return try readCopy(path, isChecked: false) { database, _ in try database.erasedTalkingPoints() } ?? []
        } catch {
            guard case .damaged = error else { throw error }
            return []
        }
    }

    /// Replaces the copy, if it has any of the words, and overwrites the old file. A log goes in any case: its last commit may be
    /// damaged, and then nobody reads the words in it.
    private static func erase(
        fromCopy copy: String, noting event: Event, _ words: (SQLiteDatabase) throws -> Bool
    ) throws(HistoryError) {
        try readCopy(copy, isChecked: true) { database, _ in
            let isChanged = try database.transaction {
                guard try words(database) else { return false }
                try database.write([event], after: try database.lastEvent())
                return true
            }
            guard try isChanged || File.size(of: copy + "-wal") > 0 else { return }
            let removed = RemovedFiles()
            for suffix in ["", "-wal"] { try removed.add(copy + suffix) }
            let draft = copy + ".new"
            try database.copyWhole(to: draft)
            if let fault = try Backups.put(draft, inPlaceOf: copy) { throw fault }
            try removed.overwrite()
        }
    }
}

extension SQLiteDatabase {
    /// Erases the mood and the notes of one assignment from every event, with the talking points of its sessions; false if
    /// there were none. Needs an open transaction.
    ///
    /// - Parameter isOpen: the waiting talking points are for its session. Nil: if it was unlocked, and no session was left.
    @discardableResult func erase(_ id: AssignmentID, isOpen: Bool? = nil) throws -> Bool {
        let before = changeCount
        try execute(Tables.allowChanges)
        try run(
            """
            UPDATE event SET body = '{"mood":""}'
            WHERE kind IN ('moodLogged', 'moodCorrected') AND assignment = $1 AND body <> '{"mood":""}'
            """, id.text)
        try run("\(Self.eraseNotes) AND assignment = $1", id.text)
        let left = try rows(HistoryReader.sessionsLeft, id.text) { $0.int(0) ?? 0 }
        let waits = try isOpen ?? (left.isEmpty && wasUnlocked(id))
        for end in left + (waits ? [Int.max] : []) {
            let begin = try number(HistoryReader.leftBefore, end) ?? 0
            try run("\(Self.eraseNotes) AND assignment IS NULL AND seq > $1 AND seq < $2", begin, end)
        }
        try execute(Tables.neverChanged)
        return changeCount > before
    }

    /// Erases the talking points that no session was for yet; false if there were none. Needs an open transaction.
    @discardableResult func eraseTalkingPoints() throws -> Bool {
        let before = changeCount
        try execute(Tables.allowChanges)
        let begin = try number(HistoryReader.leftBefore, Int.max) ?? 0
        try run("\(Self.eraseNotes) AND assignment IS NULL AND seq > $1", begin)
        try execute(Tables.neverChanged)
        return changeCount > before
    }

    /// The numbers and times of the talking points without words.
    fileprivate func erasedTalkingPoints() throws -> [(sequence: Int, at: Int64)] {
        try rows(
            "SELECT seq, at FROM event WHERE kind = 'noteWritten' AND assignment IS NULL AND body = '{\"note\":\"\"}'"
        ) { ($0.int(0) ?? 0, $0.integer(1) ?? 0) }
    }

    /// Erases these; false if none of them is here with its words. Needs an open transaction.
    fileprivate func eraseTalkingPoints(_ erased: [(sequence: Int, at: Int64)]) throws -> Bool {
        let before = changeCount
        try execute(Tables.allowChanges)
        for (sequence, at) in erased {
            try run("\(Self.eraseNotes) AND assignment IS NULL AND seq = $1 AND at = $2", sequence, at)
        }
        try execute(Tables.neverChanged)
        return changeCount > before
    }

    private static let eraseNotes = """
        UPDATE event SET body = '{"note":""}' WHERE kind = 'noteWritten' AND body <> '{"note":""}'
        """

    private func wasUnlocked(_ id: AssignmentID) throws -> Bool {
        try number("SELECT 1 FROM event WHERE kind = 'unlocked' AND assignment = $1 LIMIT 1", id.text) != nil
    }
}
