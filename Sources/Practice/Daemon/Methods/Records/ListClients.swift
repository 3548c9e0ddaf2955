import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Records.ListClients: Handled {
    static let right = Right.listClients
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        var filter = ClientFilter()
        filter.holder = context.holder
        filter.thanatologist = thanatologist.map { ID($0) }
        filter.isOpen = open
        let request: PageRequest = try context.form { faults in
            filter.query = query.flatMap { faults.check("query", $0, Field.query) }.flatMap { $0.isEmpty ? nil : $0 }
            return context.page(after, limit, &faults)
        }
        let page = try context.store.clients(filter, request)
        context.what = "\(page.items.count)"
        // A list of one page needs no second count.
        let isWhole = request.after == nil && page.next == nil
        let waiting = try context.waitingClients()
        let late = try context.lateTasks()
        let unread = try context.unreadByClient()
        return Reply(
            clients: page.items.map {
                Records.Row(
                    $0, late: late[$0.id] ?? 0, isWaiting: waiting.contains($0.id), unread: unread[$0.id] ?? 0)
            },
            total: isWhole ? page.items.count : try context.store.clientCount(filter), next: page.next?.description)
    }
}

extension CallContext {
    /// The caller's clients who sit in the wait room; none for anybody who gives no homework.
    fileprivate func waitingClients() throws -> Set<ID<Person>> {
        guard has(.giveHomework), let caller else { return [] }
        return Set(try waitRoom(of: caller.id).filter { $0.stage == .waiting }.map(\.last.client))
    }

    /// The numbers of unread letters and messages of a direct room, by the person from whom they are.
    fileprivate func unreadByClient() throws -> [ID<Person>: Int] {
        guard let caller else { return [:] }
        let letters = try store.unreadLettersBySender(of: caller.id)
        return letters.merging(try store.unreadDirectMessagesBySender(of: caller.id), uniquingKeysWith: +)
    }

    /// The number of late tasks of each of the caller's clients, as far as they share completed tasks; nothing for anybody
    /// who gives no homework.
    fileprivate func lateTasks() throws -> [ID<Person>: Int] {
        guard has(.giveHomework), let caller else { return [:] }
        // A client's day is at most one away from the practice's.
        let days = today - (TaskStanding.grace + 1)...today
        let unended = try store.unendedTasks(of: caller.id, due: days)
        return unended.reduce(into: [:]) { late, tasks in
            let zone = zones[tasks.timeZone]
            let (today, sharedOn) = (zone.day(at: now), zone.day(at: tasks.sharedSince))
            let heardOn = tasks.lastHeard.map(zone.day)
            let count = tasks.due.count {
                TaskStanding.isLate(due: $0, today: today, sharedOn: sharedOn, heardOn: heardOn)
            }
            if count > 0 { late[tasks.client, default: 0] += count }
        }
    }
}

extension Records.Row {
    /// - Parameter unread: the letters and messages of this client that the caller has not read.
    init(_ row: ClientRow, late: Int, isWaiting: Bool, unread: Int) {
        self.init(
            id: row.id.description, number: row.number, name: row.name, thanatologist: row.thanatologist.description,
            open: row.isOpen, sessions: row.sessions, lastSession: row.lastSession?.description, late: late,
            waiting: isWaiting, unread: unread)
    }
}
