import GRDB
public import HomeworkRules
public import Time

/// What happened, kept for ever: events are added, and never changed.
///
/// One program at a time holds a history, and uses it from one thread. After anything has failed, the next call opens
/// the database anew before it tries again; so the history is well by itself once the cause is gone.
public final class History {
    /// How many events are recorded. They are numbered from 1, without gaps.
    public internal(set) var eventCount: Int
    let place: Place
    private let patience: Duration
    /// Nil while its state is not to be trusted.
    private var connection: Connection?
    /// Closed, and not let go of until all is well: libdispatch takes descriptors and memory of the kernel's to clear a queue
    /// away, and dies where it gets none.
    private var spent: [Connection] = []
    /// It was found damaged, and is not opened before it was found sound.
    private var isSuspect = false
    /// Events that were refused while the disk may have kept them.
    private var inDoubt: [Event] = []

    /// Opens the history at that path, or makes it: a file of mode 0600, in a folder of mode 0700 where that is new.
    ///
    /// Refuses what is another user's, held by another daybreakd, damaged, or of a later version. Waits up to
    /// `patience` where another program locks the database.
    public convenience init(at path: String, patience: Duration = .seconds(10)) throws(HistoryError) {
        try self.init(at: path, patience: patience, keepsEarlierVersion: true)
    }

    /// `keepsEarlierVersion`: it is the history that its backups stand beside, and not one that is to become so. One of an
    /// earlier version is copied before it is brought up to date, and where it is gone none is begun.
    init(at path: String, patience: Duration, keepsEarlierVersion: Bool) throws(HistoryError) {
        place = try Place(path)
        self.patience = patience
        let connection = try Connection.open(place, patience: patience, keepsEarlierVersion: keepsEarlierVersion)
        eventCount = try connection.last()
        self.connection = connection
    }

    /// Writes the events in one durable transaction: all, or none where it throws. When it returns they survive a
    /// power cut.
    ///
    /// `HistoryError.inDoubt`: the disk may have kept them, and could not be asked. They are taken back as soon as it can
    /// be; should the program end before, they may be there when the history is opened next.
    public func record(_ events: [Event]) throws(HistoryError) {
        guard !events.isEmpty else { return }
        var isWritten = false
        do throws(HistoryError) {
            try use { connection throws(HistoryError) in
                inDoubt = events
                isWritten = true
                try connection.write(events, after: eventCount)
                inDoubt = []
                eventCount += events.count
            }
        } catch .inDoubt(let reason) {
            throw isWritten && !canTakeBack() ? .inDoubt(reason: reason) : .unavailable(reason: reason)
        }
    }

    /// Goes through `record` and takes all of it back before it ends. Nothing reaches the disk, and whatever the next
    /// `record` needs has just been used.
    public func rehearse(_ events: [Event]) {
        guard connection != nil else { return }
        // What is the matter comes to light when something is to be kept.
        try? use { connection throws(HistoryError) in
            try connection.write(events, after: eventCount, .rollback)
        }
    }

    /// True where it is certain by now that nothing of what was refused will ever turn up.
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
        // Not over the connection, which has pages in memory that may be others on the disk.
        try use { _ throws(HistoryError) in try Connection.checkSound(place.path, patience) }
    }

    /// Leaves one file on the disk, without a log beside it. Nothing may be asked of the history afterwards.
    public func close() throws(HistoryError) { try connection?.close() }

    /// The same of one that nobody else has open: where a log would be left, it throws. SQLite brings it into the file as it
    /// closes, and does not tell where that fails.
    func closeAsOneFile() throws(HistoryError) {
        try use { connection throws(HistoryError) in try connection.emptyLog() }
        try close()
    }

    /// The plan that follows from everything recorded.
    public func plan() throws(HistoryError) -> Plan {
        var plan = Plan()
        if try !eachInPages({ plan.applyUnsettled($0) }) {
            plan = Plan()
            try each { plan.applyUnsettled($0) }
        }
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

    /// The last so many reminders given at that instant or later, oldest first.
    public func reminders(since: Instant?, limit: Int) throws(HistoryError) -> [GivenReminder] {
        let first = since?.microseconds ?? .min
        var newestFirst: [GivenReminder] = []
        try use { connection throws(HistoryError) in
            try connection.read(SQL.lastReminders, [first, max(0, limit)]) { event, _ in
                guard case .reminded(let reminder) = event.what else { return }
                newestFirst.append(GivenReminder(reminder: reminder, at: event.moment.instant))
            }
        }
        return newestFirst.reversed()
    }

    /// What became of one assignment, oldest first: all but what the schedule said of it.
    public func steps(of id: AssignmentID) throws(HistoryError) -> [Event] {
        try events(SQL.stepsOfOne, [id.text]).map(\.event)
    }

    /// The notes that were collected for the session of that assignment, oldest first; nil for the next session, which
    /// is where they wait until one was left.
    public func talkingPoints(for id: AssignmentID?) throws(HistoryError) -> [Event] {
        var end = Int.max
        if let id {
            let left = try events(SQL.stepsOfOne, [id.text]).last { $0.event.what == .left(id) }
            guard let left else { return [] }
            end = left.sequence
        }
        var begin = 0
        try use { connection throws(HistoryError) in begin = try connection.number(SQL.leftBefore, [end]) }
        return try events(SQL.notesBetween, [begin, end]).map(\.event)
    }
}

extension History {
    /// In their order, one at a time. A gap in their numbers is damage: nothing is ever deleted.
    private func each(_ body: (Event) -> Void) throws(HistoryError) {
        try use { connection throws(HistoryError) in
            var last = 0
            try connection.read(SQL.all) { event, sequence in
                guard sequence == last + 1 else { throw missing(last + 1) }
                last = sequence
                body(event)
            }
            guard last == eventCount else { throw missing(last + 1) }
        }
    }

    private func events(
        _ query: String, _ arguments: StatementArguments
    ) throws(HistoryError) -> [(event: Event, sequence: Int)] {
        var found: [(event: Event, sequence: Int)] = []
        try use { connection throws(HistoryError) in
            try connection.read(query, arguments) { found.append((event: $0, sequence: $1)) }
        }
        return found
    }

    private func missing(_ sequence: Int) -> HistoryError {
        .damaged(reason: "The history \(place.path) is damaged: its event \(sequence) is missing")
    }

    /// Where anything fails, the connection is let go: what it holds in memory may differ from what is on the disk.
    func use(_ body: (Connection) throws(HistoryError) -> Void) throws(HistoryError) {
        do throws(HistoryError) {
            let connection = if let connection { connection } else { try reopen() }
            try place.checkStillThere()
            try body(connection)
            if !spent.isEmpty, place.hasDescriptorsLeft { spent = [] }
        } catch {
            if error.isDamage { isSuspect = true }
            letGo()
            throw error
        }
    }

    private func letGo() {
        guard let old = connection else { return }
        connection = nil
        // What is damaged is not written to, and a log that cannot be looked at is as good as there.
        if isSuspect, (try? place.hasLog()) != false { return old.leaveOpen() }
        try? old.close()  // What it could not write is refused already.
        spent.append(old)
    }

    private func reopen() throws(HistoryError) -> Connection {
        if isSuspect { try Connection.checkSound(place.path, patience) }
        let connection = try Connection.open(place, patience: patience)
        try takeBackWhatWasRefused(connection)
        self.connection = connection
        isSuspect = false
        return connection
    }

    /// A commit that failed may still have reached the disk whole, and come to light when it is opened anew. It was
    /// refused, so nobody may ever see it.
    private func takeBackWhatWasRefused(_ connection: Connection) throws(HistoryError) {
        let found = try connection.last()
        guard found >= eventCount else { throw missing(found + 1) }
        if found > eventCount {
            var surplus: [Event] = []
            try connection.read(SQL.beyond, [eventCount]) { event, _ in surplus.append(event) }
            guard surplus == inDoubt else {
                throw .damaged(reason: "The history \(place.path) holds events that this daybreakd did not write")
            }
            try connection.delete(after: eventCount)
        }
        // It may be in a log that SQLite has removed meanwhile, and that a power cut would bring back.
        if !inDoubt.isEmpty { try Place.syncFolder(of: place.path) }
        inDoubt = []
    }
}

extension Connection {
    /// The number of the last event; 0 where there is none.
    fileprivate func last() throws(HistoryError) -> Int { try number(SQL.last) }

    fileprivate func number(
        _ query: String, _ arguments: StatementArguments = []
    ) throws(HistoryError) -> Int {
        try access { database in try Int.fetchOne(database, sql: query, arguments: arguments) ?? 0 }
    }

    fileprivate func write(
        _ events: [Event], after last: Int, _ completion: Database.TransactionCompletion = .commit
    ) throws(HistoryError) {
        try transaction(completion) { database in
            var writer = try EventWriter(database)
            for (index, event) in events.enumerated() { try writer.write(event, at: last + 1 + index) }
        }
    }

    fileprivate func read(
        _ query: String, _ arguments: StatementArguments = [], _ body: (Event, _ sequence: Int) throws -> Void
    ) throws(HistoryError) {
        try access { database in
            let statement = try database.cachedStatement(sql: query)
            try statement.setArguments(arguments)
            var reader = EventReader(statement, in: database)
            defer {
                reader.end()
                database.releaseMemory()
            }
            while try reader.next() { try body(try reader.event(), reader.row.sequence) }
        }
    }

    fileprivate func delete(after last: Int) throws(HistoryError) {
        try transaction { database in
            try database.execute(sql: SQL.dropAppendOnlyDelete)
            try database.execute(sql: SQL.deleteBeyond, arguments: [last])
            try database.execute(sql: SQL.appendOnlyDelete)
        }
    }
}
