import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

extension Records.CloseRecord: Handled {
    static let right = Right.keepRecords
    static let message: PracticeMessage? = .recordClosed

    func answer(at desk: Desk) throws -> Reply {
        let record = try desk.openRecord(client)
        let episodes = try desk.store.episodes(of: record.person.id)
        let last = try desk.store.lastSession(of: record.person.id)
        let today = desk.today
        let closing: (day: CalendarDay, reason: String) = try desk.form { faults in
            let checked = faults.check("reason", reason, Field.reason)
            let day = faults.check("on", on) { (text) throws(Unfit) in
                try RecordRules.closing(text, today: today, since: episodes.last?.first, lastSession: last)
            }
            guard let day, let checked else { return nil }
            return (day, checked)
        }
        try desk.store.close(record, on: closing.day, by: desk.caller?.id, at: desk.now, reason: closing.reason)
        try desk.tellOfRecord(record)
        return Reply(client: Records.Client(try desk.record(client), for: desk))
    }
}

extension Records.ReopenRecord: Handled {
    static let right = Right.keepRecords
    static let message: PracticeMessage? = .recordReopened

    func answer(at desk: Desk) throws -> Reply {
        let record = try desk.record(client)
        guard !record.isOpen else { throw Records.RecordOpen(client: client) }
        let checked = try desk.form { faults in faults.check("reason", reason, Field.reason) }
        try desk.store.reopen(
            record, why == .mistake ? .mistake : .return, on: desk.today, by: desk.caller?.id, at: desk.now,
            reason: checked)
        try desk.tellOfRecord(record)
        return Reply(client: Records.Client(try desk.record(client), for: desk))
    }
}

extension Records.Transfer: Handled {
    static let right = Right.transferClients
    static let message: PracticeMessage? = .recordTransferred

    func answer(at desk: Desk) throws -> Reply {
        let record = try desk.record(client)
        let transfer: (to: ID<Person>, reason: String) = try desk.form { faults in
            let checked = faults.check("reason", reason, Field.reason)
            let successor = try desk.thanatologist("to", to, &faults)
            if successor == record.thanatologist { faults.add("to", "must be another: the client is theirs already.") }
            guard let successor, let checked else { return nil }
            return (successor, checked)
        }
        try desk.transfer(record, to: transfer.to, reason: transfer.reason)
        desk.what = transfer.to.description
        return Reply(client: Records.Client(try desk.record(client), for: desk))
    }
}

extension Desk {
    /// Gives a record to another thanatologist, and tells the three whom it concerns.
    func transfer(_ record: Record, to thanatologist: ID<Person>, reason: String) throws {
        try store.transfer(record, to: thanatologist, on: today, by: caller?.id, at: now, reason: reason)
        try tellOfRecord(record)
        try tell(thanatologist, .record, record.person.id.description)
    }
}

extension Records.ListTurns: Handled {
    static let right = Right.keepRecords

    func answer(at desk: Desk) throws -> Reply {
        let turns = try desk.store.turns(of: try desk.record(client).person.id)
        desk.what = "\(turns.count)"
        return Reply(turns: turns.map { Records.Turn($0, for: desk) })
    }
}

extension Records.Turn {
    init(_ turn: Turn, for desk: Desk) {
        let what: What =
            switch turn.kind {
            case .opened: .opened
            case .closed: .closed
            case .reopened: .reopened
            case .transferred: .transferred
            }
        self.init(
            at: desk.spelled(turn.at), what: what, by: turn.by?.description ?? "root", reason: turn.reason,
            on: turn.on.description, why: turn.cause.map { $0 == .mistake ? .mistake : .`return` },
            thanatologist: turn.thanatologist.description, episode: turn.episode)
    }
}
