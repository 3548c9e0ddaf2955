import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Records.CloseRecord: Handled {
    static let right = Right.keepRecords
    static let message: PracticeMessage? = .recordClosed

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.openRecord(client)
        let episodes = try context.store.episodes(of: record.person.id)
        let last = try context.store.lastSession(of: record.person.id)
        let today = context.today
        let closing: (day: CalendarDay, reason: String) = try context.form { faults in
            let checked = faults.check("reason", reason, Field.reason)
            let day = faults.check("on", on) { (text) throws(FieldError) in
                try RecordRules.closing(text, today: today, since: episodes.last?.first, lastSession: last)
            }
            guard let day, let checked else { return nil }
            return (day, checked)
        }
        try context.store.close(
            record, on: closing.day, by: context.caller?.id, at: context.now, reason: closing.reason)
        try context.tellOfRecord(record)
        try context.withdrawAll(of: record)
        // Nobody is invited to a closed record.
        try context.store.endInvitation(of: record.person.id)
        context.changesKeys = true
        try context.sendLetter(
            to: record.person.id, subject: "Your record is closed",
            body: """
                Your record at \(context.settings.name) was closed on \(closing.day). Everything that is kept of you stays as it is. You
                can still read it, and your letters. To come back, write to the practice's support.
                """)
        return Reply(client: Records.Client(try context.record(client), in: context))
    }
}

extension Records.ReopenRecord: Handled {
    static let right = Right.keepRecords
    static let message: PracticeMessage? = .recordReopened

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.record(client)
        guard !record.isOpen else { throw Records.RecordOpen(client: client) }
        let checked = try context.form { faults in faults.check("reason", reason, Field.reason) }
        try context.store.reopen(
            record, why == .mistake ? .mistake : .return, on: context.today, by: context.caller?.id, at: context.now,
            reason: checked)
        try context.tellOfRecord(record)
        try context.sendLetter(
            to: record.person.id, subject: "Your record is open again",
            body: """
                Your record at \(context.settings.name) is open again since \(context.today), and an earlier letter that it is closed
                counts no more. Programmes that ended with the closing begin only when you are enrolled anew.
                """)
        return Reply(client: Records.Client(try context.record(client), in: context))
    }
}

extension Records.Transfer: Handled {
    static let right = Right.transferClients
    static let message: PracticeMessage? = .recordTransferred

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.record(client)
        let transfer: (to: ID<Person>, reason: String) = try context.form { faults in
            let checked = faults.check("reason", reason, Field.reason)
            let successor = try context.thanatologist("to", to, &faults)
            if successor == record.thanatologist { faults.add("to", "must be another: the client is theirs already.") }
            guard let successor, let checked else { return nil }
            return (successor, checked)
        }
        let left = try context.store.unreadLetters(of: record.thanatologist, from: record.person.id)
        try context.transfer(record, to: transfer.to, reason: transfer.reason)
        try context.tellSuccessor(transfer.to, of: [record])
        context.what = transfer.to.description
        return Reply(
            client: Records.Client(try context.record(client), in: context), unread: left.all > 0 ? left.all : nil,
            urgent: left.urgent > 0 ? left.urgent : nil)
    }
}

extension CallContext {
    /// Transfers a record to another thanatologist. Adds news for the client and both thanatologists.
    func transfer(_ record: Record, to thanatologist: ID<Person>, reason: String) throws {
        try store.transfer(record, to: thanatologist, on: today, by: caller?.id, at: now, reason: reason)
        try leaveRooms(record.thanatologist, with: record.person.id)
        // The thanatologist before has its word.
        try store.endInvitation(of: record.person.id)
        changesKeys = true
        try tellOfRecord(record)
        try tell(thanatologist, .record, record.person.id.description)
    }

    /// Writes to a thanatologist whose clients some are now. The record's number names a single one, as in every letter of the
    /// practice: such a letter is erased with the record. One about several names none.
    func tellSuccessor(_ thanatologist: ID<Person>, of records: [Record]) throws {
        guard let first = records.first else { return }
        let isOne = records.count == 1
        let named = isOne ? "No. \(first.number)" : "\(records.count) more clients, whom your list of clients shows"
        try sendLetter(
            to: thanatologist, subject: isOne ? "A client is yours now" : "\(records.count) clients are yours now",
            body: """
                Since \(today), you care for \(named). What \(isOne ? "this client" : "these clients") wrote to the \
                \(settings.therapist) before you is not in your mailbox: if a letter was not answered, ask.
                """, about: isOne ? first.person.id : nil)
    }
}

extension Records.ListTurns: Handled {
    static let right = Right.keepRecords

    func answer(in context: CallContext) throws -> Reply {
        let turns = try context.store.turns(of: try context.record(client).person.id)
        context.what = "\(turns.count)"
        return Reply(turns: turns.map { Records.Turn($0, in: context) })
    }
}

extension Records.Turn {
    init(_ turn: RecordTurn, in context: CallContext) {
        let what: What =
            switch turn.kind {
            case .opened: .opened
            case .closed: .closed
            case .reopened: .reopened
            case .transferred: .transferred
            }
        self.init(
            at: context.spelled(turn.at), what: what, by: turn.by?.description ?? "root", reason: turn.reason,
            on: turn.on.description, why: turn.cause.map { $0 == .mistake ? .mistake : .`return` },
            thanatologist: turn.thanatologist.description, episode: turn.episode)
    }
}
