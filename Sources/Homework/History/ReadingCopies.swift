import Files
public import HomeworkRules
import Storage
import Time

// Reading a history that a daemon may be writing: its state at one instant is copied into memory, and read from there. The
// daemon is not disturbed, not even by a lock.
extension History {
    /// The plan that follows from the events of the history at that path, of any version; nil if there is no history.
    public static func readPlan(at path: String) throws(HistoryError) -> Plan? {
        try readCopy(path, isChecked: false) { database, _ in try plan(in: database, path) }
    }

    /// The number of events in the history at that path, and whether its indexes list all of them; nil if there is no history. A
    /// damaged index loses nothing: the daemon makes it anew before the next night's copy. Throws unless SQLite finds the file
    /// sound, its log has lost no commit, no event is missing, each can be read, and replaying them turn by turn, as the daemon did,
    /// gives the same plan as replaying them at once, as a start does.
    public static func verifyWithIndexes(at path: String) throws(HistoryError) -> (count: Int, areIndexesSound: Bool)? {
        try readCopy(path, isChecked: true) { database, areMended in
            let (count, lived) = try liveThrough(database, path)
            guard try plan(in: database, path) == lived else {
                throw HistoryError.damaged(reason: "The history \(path) gives another plan when it is read in one go")
            }
            return (count, !areMended)
        }
    }

    /// The number of events in the history at that path, as ``verifyWithIndexes(at:)`` finds it.
    public static func verify(at path: String) throws(HistoryError) -> Int? { try verifyWithIndexes(at: path)?.count }

    /// Copies the history at that path into one file, or exports it. It goes through memory, so that it works while the
    /// history's disk is full or the daemon cannot open the history. Throws if one of the recorded events is missing.
    ///
    /// - Parameter last: the number of the last event; later ones were refused. Nil if it is unknown.
    public static func copyThroughMemory(
        _ path: String, through last: Int?, asText: Bool, to copy: String
    ) throws(HistoryError) {
        let isThere: Void? = try readCopy(path, isChecked: true) { database, _ in
            if let last { try database.keepRecorded(last, path) }
            if asText { try database.export(to: copy) } else { try database.copyWhole(to: copy) }
        }
        guard isThere != nil else { throw .unavailable(reason: "The history \(path) has vanished: bring it back") }
    }

    /// Calls `body` with a copy in memory, brought up to this version, and with true if the check had to make its indexes anew;
    /// nil if there is no history at that path.
    ///
    /// - Parameter isChecked: throws if SQLite finds the file damaged, or if its log has lost a commit, which SQLite passes over.
    @discardableResult static func readCopy<Result>(
        _ path: String, isChecked: Bool, _ body: (SQLiteDatabase, _ areMended: Bool) throws -> Result
    ) throws(HistoryError) -> Result? {
        do {
            guard try File.exists(path) else { return nil }
            try HistoryFile.checkPlain(path)
            let database = try SQLiteDatabase(copyOf: path)
            let application = try database.number("PRAGMA application_id")
            let version = try database.number("PRAGMA user_version") ?? 0
            guard application == Tables.applicationID, version >= 1 else {
                throw HistoryError.damaged(reason: "The file \(path) is a database of another program, no history")
            }
            try database.checkDefinitions(path)
            if isChecked, try HistoryFile.hasLostCommit(path) { throw HistoryError.unsound(path) }
            let areMended = try isChecked && database.makeSound(path)
            if version < Tables.version { try database.bringUpToDate(from: version, path) }
            return try body(database, areMended)
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    private static func plan(in database: SQLiteDatabase, _ path: String) throws -> Plan {
        var plan = Plan()
        try database.eachEvent(ofHistory: path) { plan.applyUnsettled($0) }
        plan.settle()
        return plan
    }

    /// The events of one turn have one moment.
    private static func liveThrough(_ database: SQLiteDatabase, _ path: String) throws -> (count: Int, plan: Plan) {
        var plan = Plan()
        var turn: [Event] = []
        let count = try database.eachEvent(ofHistory: path) { event in
            if let last = turn.last, last.moment != event.moment {
                plan.apply(turn)
                turn = []
            }
            turn.append(event)
        }
        plan.apply(turn)
        return (count, plan)
    }
}

extension SQLiteDatabase {
    /// Throws unless the copy in memory is sound. A damaged index is no fault: it is made anew, and true is returned.
    fileprivate func makeSound(_ path: String) throws -> Bool {
        do { return try transaction { try mendIndexes() } } catch let error as SQLiteError
            where error.code == SQLiteError.corrupt
        {
            throw HistoryError.unsound(path)
        }
    }
}
