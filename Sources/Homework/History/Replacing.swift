public import Files
import Glibc
public import HomeworkRules
import Storage
import Text
import Time

/// A file that was checked from end to end, and can take a history's place.
public struct PreparedHistory: Sendable {
    public let path: String
    /// The file that was checked.
    private let identity: FileIdentity?
    /// The plan that follows from its events.
    public private(set) var plan: Plan
    public var eventCount: Int { plan.eventCount }

    fileprivate init(path: String, plan: Plan) throws(FileError) {
        self.path = path
        self.plan = plan
        identity = try FileIdentity(of: path)
    }

    /// Records more events in the file, which is not in its place yet. Throws if the file that was checked has lost its name.
    public mutating func record(_ events: [Event]) throws(HistoryError) {
        try checkStillThere()
        guard !events.isEmpty else { return }
        defer { History.removeFilesBeside(path) }
        let history = try History.candidate(at: path, known: eventCount)
        try history.record(events)
        try history.closeAsOneFile()
        plan.apply(events)
    }

    /// Throws if the file that was checked has lost its name.
    fileprivate func checkStillThere() throws(HistoryError) {
        do {
            guard let identity, try FileIdentity(of: path) == identity else {
                throw FileError(path, "The file \(path) has vanished, or another one has its name")
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}

// Putting one history in the place of another: the exception to "events are only ever added".
extension History {
    /// Checks a file from end to end before it takes a history's place: a copy, of this version or an earlier one, or an
    /// export. Makes it a history of this version. It may be called on any thread.
    ///
    /// - Parameter name: the person's own name for the file, for errors; nil if it is unknown.
    public static func prepare(_ path: String, calling name: String? = nil) throws(HistoryError) -> PreparedHistory {
        defer { removeFilesBeside(path) }
        do {
            // An earlier attempt that the disk cut short may have left one.
            try File.removeLogs(of: path)
            let isText = try File.prefix(1, of: path) == [UInt8(ascii: "{")]
            let log = path + Backups.draftsLog
            if try File.exists(log), !isText { try File.rename(log, to: path + "-wal") }
            if isText { try makeHistory(outOf: path) } else { try HistoryFile.checkHeader(of: path) }
            // Bringing it up to date writes to it, so it is checked afterwards, as it is on the disk.
            let trial = try candidate(at: path, known: try bringUpToDate(path))
            // A daemon's history has the day of its first start. The events of one that was copied from under it are in its log.
            guard trial.eventCount > 0 else {
                throw HistoryError.damaged(
                    reason: "It holds no event: copy a history that is in use with `daybreak backup`")
            }
            let plan = try trial.plan()
            try trial.checkTexts()
            // A copy of a history has its damaged index, too.
            _ = try trial.mendIndexes()
            try trial.checkWhole()
            try trial.closeAsOneFile()
            return try PreparedHistory(path: path, plan: plan)
        } catch {
            throw HistoryError(error, path: path).calling(path, name)
        }
    }

    /// Throws if the rules would have refused a text: an export can be edited, and a terminal obeys control characters.
    private func checkTexts() throws(HistoryError) {
        try use { database in
            try database.each("SELECT seq, zone, assignment, body FROM event ORDER BY seq") { row in
                let event = row.int(0) ?? 0
                guard row.utf8(3, { $0.count }) ?? 0 < SQLiteDatabase.longestBody else {
                    throw HistoryError.damaged(reason: "Event \(event) is longer than any that Daybreak writes")
                }
                let fields = try EventFields(assignment: row.text(2), body: row.utf8(3) { Array($0) })
                guard let fault = fields.textFault(zone: row.text(1) ?? "") else { return }
                throw HistoryError.damaged(reason: "Event \(event) has \(fault)")
            }
        }
    }

    /// Returns the number of events. The file is free for another opening afterwards.
    private static func bringUpToDate(_ path: String) throws(HistoryError) -> Int {
        let history = try candidate(at: path)
        try history.closeAsOneFile()
        return history.eventCount
    }

    fileprivate static func removeFilesBeside(_ path: String) {
        for suffix in [".lock", "-wal", "-shm", Backups.draftsLog] { unlink(path + suffix) }
    }

    /// - Parameter known: how many events it has at least.
    fileprivate static func candidate(
        at path: String, isNew: Bool = false, known: Int = 0
    ) throws(HistoryError) -> History {
        try History(at: path, patience: .zero, mayMake: isNew, keepsEarlierVersion: false, known: known)
    }

    private static func makeHistory(outOf export: String) throws {
        let path = export + ".db"
        HistoryFile.remove(path)
        defer { unlink(path + ".lock") }
        do {
            let history = try candidate(at: path, isNew: true)
            try history.use { database in
                do { try database.importEvents(from: export) } catch is Lines.TooLong {
                    throw HistoryError.damaged(
                        reason: "The file \(export) has a longer line than `daybreak export` writes")
                }
            }
            try history.closeAsOneFile()
            try File.rename(path, to: export)
        } catch {
            HistoryFile.remove(path)
            throw error
        }
    }

    /// Puts a prepared file in the place of the history at that path, which is kept under the other name, with its nights,
    /// and with its log if that could not be brought into it. Nobody may hold the history. There is a whole one at any
    /// instant. Returns the name under which it is kept; nil if there was none. `inDoubt`: it was replaced, and a power
    /// cut may bring the old one back.
    public static func replace(
        _ path: String, with prepared: PreparedHistory, keepingAs aside: String
    ) throws(HistoryError) -> String? {
        do {
            try prepared.checkStillThere()
            let file = try HistoryFile(path)
            defer { withExtendedLifetime(file) {} }
            file.bringInLog()
            let isKept = try File.exists(path)
            let backups = Backups(of: path)
            if let fault = try backups.replace(path, with: prepared.path, keepingAs: aside) {
                throw HistoryError.inDoubt(reason: fault.description)
            }
            backups.removeOldReplaced(keeping: aside)
            return isKept ? aside : nil
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Makes a history that holds that one event, for ``beginAnew(at:)``. Nothing is replaced yet, so a failure leaves nothing in
    /// doubt. It may be called on any thread.
    public static func prepareAnew(at path: String, noting event: Event) throws(HistoryError) {
        let new = path + ".new"
        HistoryFile.remove(new)
        defer { unlink(new + ".lock") }
        do {
            try checkErasable(path)
            let fresh = try candidate(at: new, isNew: true)
            try fresh.record([event])
            try fresh.closeAsOneFile()
            try File.sync(new)
        } catch {
            HistoryFile.remove(new)
            throw .unavailable(reason: HistoryError(error, path: path).description)
        }
    }

    /// Puts the history that ``prepareAnew(at:noting:)`` made in the place of the one at that path, which is gone with every copy
    /// beside it, and overwritten. Nobody may hold it. There is a whole one at any instant. `inDoubt`: some of it may be gone.
    public static func beginAnew(at path: String) throws(HistoryError) {
        do {
            let file = try HistoryFile(path)
            defer { withExtendedLifetime(file) {} }
            // Nothing is removed if there is none to take the history's place.
            try File.sync(path + ".new")
            file.bringInLog()
            try Backups(of: path).removeAll()
            let removed = RemovedFiles()
            for suffix in ["", "-wal", "-journal"] { try removed.add(path + suffix) }
            if let fault = try Backups.put(path + ".new", inPlaceOf: path) { throw fault }
            try removed.overwrite()
        } catch {
            throw .inDoubt(reason: HistoryError(error, path: path).description)
        }
    }

    /// Throws if another program holds the history.
    public static func checkFree(_ path: String) throws(FileError) {
        do { _ = try HistoryFile(path) } catch { throw error as? FileError ?? FileError(path, "\(error)") }
    }

    /// Throws if the history is a link, or no file: the file at the other end of a link would stay.
    public static func checkErasable(_ path: String) throws(FileError) {
        for suffix in ["", "-wal", "-journal"] { try RemovedFiles.check(path + suffix) }
    }
}

extension HistoryFile {
    /// Copies the log into the file if both are sound and can be written; else leaves the log.
    fileprivate func bringInLog() {
        // Failures are ignored, because another history is about to take this one's place.
        guard (try? find()) == true, (try? hasLog()) == true, (try? Self.isSound(path)) == true else { return }
        let database = try? SQLiteDatabase(path)  // A failure is ignored here, too.
        try? database?.emptyLog()  // A failure is ignored here, too.
    }
}

extension HistoryError {
    /// This error with the person's name for the file in place of `path`, which no longer exists when the error is read.
    fileprivate func calling(_ path: String, _ name: String?) -> HistoryError {
        let advice = ": restore it from a backup"
        var reason = description
        if isDamage, reason.hasSuffix(advice) { reason.removeLast(advice.count) }
        let file = name.map { "file \($0)" } ?? "file"
        // Matches "The" and "the".
        for suffix in [".db", ""] {
            for kind in ["history", "file"] {
                reason = reason.substituting("he \(file)", for: "he \(kind) \(path)\(suffix)")
            }
        }
        return switch self {
        case .damaged: .damaged(reason: reason)
        case .newer: self
        case .unavailable, .inDoubt: .unavailable(reason: reason)
        }
    }
}
