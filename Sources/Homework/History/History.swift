import Files
public import HomeworkRules
import Storage
import Time

/// The events. They are added, and never changed or removed.
///
/// One program at a time holds a history, and uses it from one thread. After a failure the next call opens the database
/// again, so the history recovers by itself once the cause is gone.
public final class History {
    /// How many events are recorded. They are numbered from 1, without gaps.
    public private(set) var eventCount = 0
    let file: HistoryFile
    private let patience: Duration
    private var state: State
    /// The refused events that the disk may have kept.
    private var inDoubt: [Event] = []

    private enum State {
        case open(SQLiteDatabase)
        /// A call failed. The connection was closed, because its memory may differ from the disk.
        case closed
        /// The file was found damaged. It is opened again only after it was found sound.
        case suspect
    }

    /// Opens the history at that path: a file of mode 0600. A new folder has mode 0700.
    ///
    /// Throws if the history belongs to another user, is held by another daybreakd, is damaged, or has a later version. Waits
    /// up to `patience` for another program that locks the database.
    ///
    /// - Parameter mayMake: a missing history is made. Else it is an error.
    /// - Parameter known: how many events were recorded. If fewer are found, the history counts as damaged.
    public convenience init(
        at path: String, patience: Duration = .seconds(10), mayMake: Bool = true, known: Int = 0
    ) throws(HistoryError) {
        try self.init(at: path, patience: patience, mayMake: mayMake, keepsEarlierVersion: true, known: known)
    }

    /// - Parameters:
    ///   - keepsEarlierVersion: see ``HistoryFile/open(patience:mayMake:keepsEarlierVersion:known:)``.
    ///   - known: the same.
    init(
        at path: String, patience: Duration, mayMake: Bool, keepsEarlierVersion: Bool, known: Int = 0
    ) throws(HistoryError) {
        self.patience = patience
        do {
            file = try HistoryFile(path)
            let database = try file.open(
                patience: patience, mayMake: mayMake, keepsEarlierVersion: keepsEarlierVersion, known: known)
            state = .open(database)
            eventCount = try database.lastEvent()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    deinit {
        // The database is closed before the lock on the file ends.
        if case .open(let database) = state { try? close(database) }
    }

    /// Writes the events in one durable transaction: all of them, or none if it throws. Once it returns, they survive a power
    /// cut.
    ///
    /// `HistoryError.inDoubt`: the disk may have kept the events, and could not be read to find out. They are removed as soon
    /// as it can. If the program ends before that, they may be there when the history is opened next.
    public func record(_ events: [Event]) throws(HistoryError) {
        guard !events.isEmpty else { return }
        var isWritten = false
        do throws(HistoryError) {
            try use { database in
                inDoubt = events
                isWritten = true
                try database.transaction { try database.write(events, after: eventCount) }
                inDoubt = []
                eventCount += events.count
            }
        } catch .inDoubt(let reason) {
            throw isWritten && !canTakeBack() ? .inDoubt(reason: reason) : .unavailable(reason: reason)
        }
    }

    /// True if the refused events are certainly not on the disk.
    private func canTakeBack() -> Bool {
        do {
            _ = try reopen()
            return true
        } catch {
            return false
        }
    }

    /// Throws if SQLite finds the file damaged. It reads the file once: some milliseconds for years of homework.
    public func check() throws(HistoryError) {
        // Over a new connection, because the pages in this one's memory may differ from those on the disk.
        try use { _ in try HistoryFile.checkSound(file.path, patience) }
    }

    /// The same for the history at that path, on any thread. While another thread records, damage may be reported of a log that
    /// is being written.
    public static func check(at path: String) throws(HistoryError) {
        do { try HistoryFile.checkSound(path, .seconds(1)) } catch { throw HistoryError(error, path: path) }
    }

    /// Opens the history again if a call failed. Afterwards no refused event is on the disk.
    public func makeReady() throws(HistoryError) { try use { _ in } }

    /// Throws unless something can be written durably: a full disk still lets the file be opened. It changes nothing.
    public func checkWritable() throws(HistoryError) {
        try use { database in
            try database.transaction { try database.execute("PRAGMA user_version = \(Tables.version)") }
        }
    }

    /// Leaves one file on the disk, without a log beside it. The history must not be used afterwards.
    public func close() throws(HistoryError) {
        guard case .open(let database) = state else { return }
        do { try close(database) } catch { throw HistoryError(error, path: file.path) }
        state = .closed
    }

    /// Closes the connection. A log that another program wrote is left as it is, because SQLite copies the log into the file
    /// without looking whether it is still the same.
    private func close(_ database: SQLiteDatabase) throws {
        // A log that cannot be looked at is copied as ever.
        try database.close(keepingLog: (try? file.logChange()) == .written)
    }

    /// Closes a history that no other program has open. Throws if a log would be left: SQLite copies it into the file when it
    /// closes, and does not report a failure.
    func closeAsOneFile() throws(HistoryError) {
        try use { try $0.emptyLog() }
        try close()
    }

    // MARK: Reading

    /// The plan that follows from everything recorded.
    public func plan() throws(HistoryError) -> Plan {
        var plan = Plan()
        try each { plan.applyUnsettled($0) }
        plan.settle()
        return plan
    }

    /// All events, oldest first. For tests and tools: it takes memory for all of them.
    public func events() throws(HistoryError) -> [Event] {
        var events: [Event] = []
        events.reserveCapacity(eventCount)
        try each { events.append($0) }
        return events
    }

    private func each(_ body: (Event) -> Void) throws(HistoryError) {
        try use { database in
            let last = try database.eachEvent(ofHistory: file.path, body)
            guard last == eventCount else { throw HistoryError.missing(last + 1, file.path) }
        }
    }

    /// Reads what was recorded. It may be used as long as this history is.
    public var reader: HistoryReader { HistoryReader(.open(self)) }

    // MARK: Failing and recovering

    /// Runs `body`. If it throws, the connection is closed, because its memory may differ from the disk.
    func use<Result>(_ body: (SQLiteDatabase) throws -> Result) throws(HistoryError) -> Result {
        do {
            let result = try body(try connection())
            file.noteLog()
            return result
        } catch {
            let error = HistoryError(error, path: file.path)
            letGo(after: error)
            throw error
        }
    }

    /// Reads with `body`. A disk that can be read and not written, such as a full one, allows no new connection after a failed
    /// call: then a copy in memory is read.
    func read<Result>(_ body: (SQLiteDatabase) throws -> Result) throws(HistoryError) -> Result {
        do throws(HistoryError) { return try use(body) } catch {
            // The files could not be opened, or they are not the history's.
            guard !error.isDamage, case .closed = state, (try? file.checkStillThere()) != nil else { throw error }
            // If the files cannot be read either, the first error says why.
            let copied = try? Self.readCopy(file.path, isChecked: true) { database, _ in
                try database.keepRecorded(eventCount, file.path)
                return try body(database)
            }
            guard let copied else { throw error }
            return copied
        }
    }

    /// The connection to the files that have the names now.
    private func connection() throws -> SQLiteDatabase {
        guard case .open(let database) = state else { return try reopen() }
        try file.checkStillThere()
        switch try file.logChange() {
        case nil: return database
        case .unnamed:
            try database.emptyLog()
            try database.close()
            state = .closed
        case .written:
            try database.close(keepingLog: true)
            state = .suspect
        }
        return try reopen()
    }

    private func letGo(after error: HistoryError) {
        var isSuspect = error.isDamage
        switch state {
        case .open(let database):
            // A log without a name would be lost with the connection. It stays open, and the next call copies the log into the
            // history. After a failed commit the connection is of no use, and closing it copies the log if the disk allows it.
            if inDoubt.isEmpty, !isSuspect, (try? file.logChange()) == .unnamed { return }
            // A damaged history is not written. If it is unknown whether there is a log, there may be one.
            let keepsLog = isSuspect && (try? file.hasLog()) != false
            try? database.close(keepingLog: keepsLog)  // Events that it could not write were refused already.
        case .closed: break
        case .suspect: isSuspect = true
        }
        state = isSuspect ? .suspect : .closed
    }

    private func reopen() throws -> SQLiteDatabase {
        if case .suspect = state { try HistoryFile.checkSound(file.path, patience) }
        let database = try file.open(patience: patience, mayMake: false, known: eventCount)
        try takeBackRefusedEvents(database)
        file.noteLog()
        state = .open(database)
        return database
    }

    /// Deletes the events of a failed commit that reached the disk all the same. They were refused, so they must never be seen.
    private func takeBackRefusedEvents(_ database: SQLiteDatabase) throws {
        if try database.lastEvent() > eventCount {
            var surplus: [Event] = []
            try database.eachEvent("SELECT \(Event.columns) FROM event WHERE seq > $1 ORDER BY seq", eventCount) {
                event, _ in surplus.append(event)
            }
            guard surplus == inDoubt else { throw HistoryError.foreign(file.path) }
            try database.deleteEvents(after: eventCount)
        }
        // They may be in a log that SQLite has removed, and that a power cut would bring back.
        if !inDoubt.isEmpty { try Folder.sync(of: file.path) }
        inDoubt = []
    }

    /// Makes the indexes anew if one is not the table's; false if nothing was to be done.
    public func mendIndexes() throws(HistoryError) -> Bool {
        try use { database in try database.transaction { try database.mendIndexes() } }
    }

    /// Erases the mood and the notes of one assignment from every event, with the talking points of its sessions, and records
    /// `event`. No trace of them is left in the file or its log. The caller removes the copies beside it. `inDoubt`: it may
    /// have been done, or a trace may be left.
    ///
    /// - Parameter isOpen: the assignment is the open one, whose session the waiting talking points are for.
    public func erase(_ id: AssignmentID, isOpen: Bool, noting event: Event) throws(HistoryError) {
        try erase(noting: event) { try $0.erase(id, isOpen: isOpen) }
    }

    /// Erases the talking points that wait for the next session in the same way.
    public func eraseTalkingPoints(noting event: Event) throws(HistoryError) {
        try erase(noting: event) { try $0.eraseTalkingPoints() }
    }

    private func erase(noting event: Event, _ words: (SQLiteDatabase) throws -> Void) throws(HistoryError) {
        try use { database in
            try database.transaction {
                // The rows are found by indexes: a damaged one would leave words in the file.
                try database.mendIndexes()
                try words(database)
                try database.write([event], after: eventCount)
            }
            eventCount += 1
            do { try database.emptyLog() } catch {
                throw HistoryError.inDoubt(reason: HistoryError(error, path: file.path).description)
            }
        }
    }
}
