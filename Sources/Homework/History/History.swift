import Files
public import HomeworkRules
import Storage
public import Time

/// What happened, kept for ever: events are added, and never changed.
///
/// One program at a time holds a history, and uses it from one thread. After a failure the next call opens the database
/// anew before it tries again; so the history is well by itself once the cause is gone.
public final class History {
    /// How many events are recorded. They are numbered from 1, without gaps.
    public private(set) var eventCount = 0
    let file: HistoryFile
    private let patience: Duration
    private var state: State
    /// Events that were refused while the disk may have kept them.
    private var inDoubt: [Event] = []

    private enum State {
        case open(Database)
        /// After a failure: what the connection had in memory may differ from the disk.
        case closed
        /// Found damaged: not opened before it was found sound.
        case suspect
    }

    /// Opens the history at that path, or makes it: a file of mode 0600, in a folder of mode 0700 where that is new.
    ///
    /// Refuses a history that is another user's, held by another daybreakd, damaged, or of a later version. Waits up to
    /// `patience` where another program locks the database.
    public convenience init(at path: String, patience: Duration = .seconds(10)) throws(HistoryError) {
        try self.init(at: path, patience: patience, keepsEarlierVersion: true)
    }

    /// - Parameter keepsEarlierVersion: see ``HistoryFile/open(patience:keepsEarlierVersion:)``.
    init(at path: String, patience: Duration, keepsEarlierVersion: Bool) throws(HistoryError) {
        self.patience = patience
        do {
            file = try HistoryFile(path)
            let database = try file.open(patience: patience, keepsEarlierVersion: keepsEarlierVersion)
            state = .open(database)
            eventCount = try database.lastEvent()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    deinit {
        // Before the file is no longer held.
        if case .open(let database) = state { try? database.close() }
    }

    /// Writes the events in one durable transaction: all, or none where it throws. When it returns they survive a
    /// power cut.
    ///
    /// `HistoryError.inDoubt`: the disk may have kept them, and could not be asked. They are taken back as soon as it can
    /// be asked; should the program end before, they may be there when the history is opened next.
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

    /// Whether it is certain that the refused events will never turn up.
    private func canTakeBack() -> Bool {
        do {
            _ = try reopen()
            return true
        } catch {
            return false
        }
    }

    /// Throws where SQLite finds the file damaged. All of it is read, once: some milliseconds for years of homework.
    public func check() throws(HistoryError) {
        // Not over the open connection: its pages in memory may differ from those on the disk.
        try use { _ in try HistoryFile.checkSound(file.path, patience) }
    }

    /// Leaves one file on the disk, without a log beside it. The history must not be used afterwards.
    public func close() throws(HistoryError) {
        guard case .open(let database) = state else { return }
        do { try database.close() } catch { throw HistoryError(error, path: file.path) }
        state = .closed
    }

    /// The same of a history that nobody else has open. Throws where a log would be left: SQLite brings it into the file as it
    /// closes, and does not tell where that fails.
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

    /// Everything recorded, oldest first. For tests and tools: it takes memory for all of it.
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

    /// The last so many reminders given at that instant or later, oldest first.
    public func reminders(since: Instant?, limit: Int) throws(HistoryError) -> [GivenReminder] {
        var newestFirst: [GivenReminder] = []
        try use { database in
            try database.eachEvent(
                """
                SELECT \(Event.columns) FROM event WHERE kind = 'reminded' AND at >= $1
                ORDER BY at DESC, seq DESC LIMIT $2
                """, since?.microseconds ?? .min, max(0, limit)
            ) { event, _ in
                guard case .reminded(let reminder) = event.what else { return }
                newestFirst.append(GivenReminder(reminder: reminder, at: event.moment.instant))
            }
        }
        return newestFirst.reversed()
    }

    /// What became of one assignment, oldest first: all but what the schedule said of it.
    public func steps(of id: AssignmentID) throws(HistoryError) -> [Event] {
        try numberedSteps(of: id).map(\.event)
    }

    static let stepsOfOne = "SELECT \(Event.columns) FROM event WHERE assignment = $1 AND \(Tables.isStep) ORDER BY seq"

    private func numberedSteps(of id: AssignmentID) throws(HistoryError) -> [(event: Event, sequence: Int)] {
        try use { database in
            var steps: [(event: Event, sequence: Int)] = []
            try database.eachEvent(Self.stepsOfOne, id.text) { steps.append((event: $0, sequence: $1)) }
            return steps
        }
    }

    /// The notes that were collected for the session of that assignment, oldest first; nil for the next session, for which
    /// they wait until a session was left.
    public func talkingPoints(for id: AssignmentID?) throws(HistoryError) -> [Event] {
        var end = Int.max
        if let id {
            guard let left = try numberedSteps(of: id).last(where: { $0.event.what == .left(id) }) else { return [] }
            end = left.sequence
        }
        return try use { database in
            let begin = try database.number(Self.leftBefore, end) ?? 0
            var notes: [Event] = []
            try database.eachEvent(Self.notesBetween, begin, end) { note, _ in notes.append(note) }
            return notes
        }
    }

    /// The number of the last session left before that number.
    static let leftBefore = "SELECT max(seq) FROM event WHERE kind = 'left' AND seq < $1"
    /// The notes of no assignment that were written after one number and before another.
    static let notesBetween = """
        SELECT \(Event.columns) FROM event
        WHERE kind = 'noteWritten' AND assignment IS NULL AND seq > $1 AND seq < $2 ORDER BY seq
        """

    // MARK: Failing and recovering

    /// After an error the connection is closed: what it holds in memory may differ from what is on the disk.
    func use<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
        do {
            let database = if case .open(let database) = state { database } else { try reopen() }
            try file.checkStillThere()
            return try body(database)
        } catch {
            let error = HistoryError(error, path: file.path)
            letGo(after: error)
            throw error
        }
    }

    private func letGo(after error: HistoryError) {
        var isSuspect = error.isDamage
        switch state {
        case .open(let database):
            // A damaged history is not written to, and a log that cannot be looked at is as good as there.
            let keepsLog = isSuspect && (try? file.hasLog()) != false
            try? database.close(keepingLog: keepsLog)  // What it could not write is refused already.
        case .closed: break
        case .suspect: isSuspect = true
        }
        state = isSuspect ? .suspect : .closed
    }

    private func reopen() throws -> Database {
        if case .suspect = state { try HistoryFile.checkSound(file.path, patience) }
        let database = try file.open(patience: patience)
        try takeBackRefusedEvents(database)
        state = .open(database)
        return database
    }

    /// A commit that failed may still have reached the disk whole, and come to light when the history is opened anew. Its
    /// events were refused, so nobody may ever see them.
    private func takeBackRefusedEvents(_ database: Database) throws {
        let found = try database.lastEvent()
        guard found >= eventCount else { throw HistoryError.missing(found + 1, file.path) }
        if found > eventCount {
            var surplus: [Event] = []
            try database.eachEvent("SELECT \(Event.columns) FROM event WHERE seq > $1 ORDER BY seq", eventCount) {
                event, _ in surplus.append(event)
            }
            guard surplus == inDoubt else { throw HistoryError.foreign(file.path) }
            try database.deleteEvents(after: eventCount)
        }
        // They may be in a log that SQLite has removed meanwhile, and that a power cut would bring back.
        if !inDoubt.isEmpty { try Folder.sync(of: file.path) }
        inDoubt = []
    }

    /// Makes the mood and the notes of one assignment unknown, in every event that tells them, and records that it was
    /// done. No trace of them is left in the file or its log; the copies beside it are the caller's to remove. `inDoubt`: it
    /// may be done, or a trace be left.
    public func erase(_ id: AssignmentID, noting event: Event) throws(HistoryError) {
        try use { database in
            try database.transaction {
                try database.execute(Tables.allowChanges)
                try database.run(
                    """
                    UPDATE event SET body = '{"mood":""}' WHERE kind IN ('moodLogged', 'moodCorrected') AND assignment = $1
                    """, id.text)
                try database.run(
                    #"UPDATE event SET body = '{"note":""}' WHERE kind = 'noteWritten' AND assignment = $1"#, id.text)
                try database.execute(Tables.neverChanged)
                try database.write([event], after: eventCount)
            }
            eventCount += 1
            do { try database.emptyLog() } catch {
                throw HistoryError.inDoubt(reason: HistoryError(error, path: file.path).description)
            }
        }
    }
}
