import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

extension Records.ListClients: Handled {
    static let right = Right.listClients
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        let length = try desk.pageLength(limit)
        let start = try desk.place(after)
        var filter = ClientFilter()
        filter.holder = desk.holder
        filter.thanatologist = thanatologist.map { ID($0) }
        filter.isOpen = open
        filter.query = query.flatMap { $0.isEmpty ? nil : $0 }
        let rows = try desk.store.clients(filter, after: start, limit: length + 1)
        desk.what = "\(min(rows.count, length))"
        return Reply(
            clients: rows.prefix(length).map { Records.Row($0) }, total: try desk.store.clientCount(filter),
            next: rows.count > length ? rows[length - 1].place.spelled : nil)
    }
}

extension Records.Row {
    /// Homework, the wait room and unread letters are the link's, which is yet to come.
    init(_ row: ClientRow) {
        self.init(
            id: row.id.description, number: row.number, name: row.name, thanatologist: row.thanatologist.description,
            open: row.isOpen, sessions: row.sessions, lastSession: row.lastSession?.description, late: 0,
            waiting: false,
            unread: 0)
    }
}

extension PageStart {
    /// As a caller hands it back: the number, a colon and the sort key.
    var spelled: String { "\(id):\(sortKey)" }
}

extension Desk {
    /// Where a page of a list by name begins.
    func place(_ after: String?) throws -> PageStart {
        guard let after else { return .first }
        return try form { faults in
            let parts = after.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, let id = Int64(parts[0]) { return PageStart(sortKey: String(parts[1]), id: id) }
            faults.add("after", "must be what \"next\" said.")
            return nil
        }
    }
}
