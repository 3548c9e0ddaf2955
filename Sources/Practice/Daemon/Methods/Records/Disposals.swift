import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import Varlink

extension Records.ExportRecord: Handled {
    static let right = Right.eraseRecords

    func answer(at desk: Desk) throws -> Reply {
        let record = try desk.closedRecord(client)
        let checked = try desk.form { faults in faults.check("reason", reason, Field.reason) }
        let file = try desk.caseFile(of: record)
        try desk.store.addDisposal(.exported, of: record, by: desk.caller?.id, at: desk.now, reason: checked)
        return Reply(file: RawJSON(file))
    }
}

extension Records.EraseRecord: Handled {
    static let right = Right.eraseRecords
    static let message: PracticeMessage? = .recordErased

    func answer(at desk: Desk) throws -> Reply {
        let record = try desk.closedRecord(client)
        let checked = try desk.form { faults in
            if number != record.number {
                faults.add("number", "must be the record's own, to say that it is the right one.")
            }
            return faults.check("reason", reason, Field.reason)
        }
        try desk.store.addDisposal(.erased, of: record, by: desk.caller?.id, at: desk.now, reason: checked)
        try desk.store.erase(record)
        try desk.tell(record.thanatologist, .record, nil)
        desk.signOut(record.person)
        // The copies are renewed after the commit, which also completes the reply.
        try desk.store.state(.outdatedCopies, "1")
        desk.erases = true
        return Reply()
    }
}

extension Records.ListDisposals: Handled {
    static let right = Right.eraseRecords
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        let page = try desk.form { faults in desk.page(before: after, limit, &faults) }
        let disposals = try desk.store.disposals(before: page.number, limit: page.limit + 1)
        desk.what = "\(min(disposals.count, page.limit))"
        return Reply(
            disposals: disposals.prefix(page.limit).map { Records.Disposal($0, for: desk) },
            next: disposals.count > page.limit ? "\(disposals[page.limit - 1].number)" : nil)
    }
}

extension Desk {
    fileprivate func closedRecord(_ client: String) throws -> Record {
        let record = try record(client)
        guard !record.isOpen else { throw Records.RecordOpen(client: client) }
        return record
    }
}

extension Records.Disposal {
    init(_ disposal: Disposal, for desk: Desk) {
        self.init(
            at: desk.spelled(disposal.at), what: disposal.kind == .exported ? .exported : .erased,
            client: disposal.client.description, number: disposal.record, by: disposal.by?.description ?? "root",
            reason: disposal.reason)
    }
}
