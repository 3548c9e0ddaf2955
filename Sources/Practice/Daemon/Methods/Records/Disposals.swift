import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Varlink

extension Records.ExportRecord: Handled {
    static let right = Right.eraseRecords
    static let takesLong = true

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.closedRecord(client)
        let checked = try context.form { faults in faults.check("reason", reason, Field.reason) }
        let file = try context.caseFile(of: record, for: nil)
        try context.store.addDisposal(.exported, of: record, by: context.caller?.id, at: context.now, reason: checked)
        return Reply(file: RawJSON(file))
    }
}

extension Records.EraseRecord: Handled {
    static let right = Right.eraseRecords
    static let isOfWhole = true
    static let message: PracticeMessage? = .recordErased

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.closedRecord(client)
        let checked = try context.form { faults in
            if number != record.number {
                faults.add("number", "must be the record's own, to say that it is the right one.")
            }
            return faults.check("reason", reason, Field.reason)
        }
        // The rows are found by indexes: a damaged one would leave them in the file.
        try context.store.mendIndexes()
        try context.store.addDisposal(.erased, of: record, by: context.caller?.id, at: context.now, reason: checked)
        try context.leaveRooms(record.person, isErased: true)
        try context.store.erase(record)
        try context.tell(record.thanatologist, .record, nil)
        context.signOut(record.person)
        // The reply is completed after the commit, when the backups are made anew.
        try context.store.state(.outdatedCopies, "1")
        context.erases = true
        return Reply()
    }
}

extension Records.ListDisposals: Handled {
    static let right = Right.eraseRecords
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let page = try context.form { faults in context.page(before: after, limit, &faults) }
        let disposals = try context.store.disposals(before: page.number, limit: page.limit + 1)
        context.what = "\(min(disposals.count, page.limit))"
        return Reply(
            disposals: disposals.prefix(page.limit).map { Records.Disposal($0, in: context) },
            next: disposals.count > page.limit ? "\(disposals[page.limit - 1].number)" : nil)
    }
}

extension CallContext {
    fileprivate func closedRecord(_ client: String) throws -> Record {
        let record = try record(client)
        guard !record.isOpen else { throw Records.RecordOpen(client: client) }
        return record
    }
}

extension Records.Disposal {
    init(_ disposal: Disposal, in context: CallContext) {
        self.init(
            at: context.spelled(disposal.at), what: disposal.kind == .exported ? .exported : .erased,
            client: disposal.client.description, number: disposal.record, by: disposal.by?.description ?? "root",
            reason: disposal.reason)
    }
}
