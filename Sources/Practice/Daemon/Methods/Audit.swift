import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

/// Reading the audit is an entry of it too: it tells who looks over whose shoulder. The page does not have its own entry.
extension Practice.Audit: Handled {
    static let right = Right.seeAudit
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        var query = AuditQuery(desk.auditScope)
        query.person = person.map { ID($0) }
        query.client = client.map { ID($0) }
        let request = try desk.form { faults in
            query.since = since.flatMap { faults.check("since", $0, desk.start) }
            query.before = until.flatMap { faults.check("until", $0, desk.end) }
            return desk.page(after, limit, &faults)
        }
        let page = try desk.store.audit(query, request)
        desk.what = "\(page.items.count)"
        for client in Set(page.items.compactMap(\.client)) where client == query.client { desk.note(client) }
        return Reply(entries: page.items.map { Practice.Entry($0, desk) }, next: page.next?.description)
    }
}

extension Desk {
    /// The part of the audit that the caller may read. A caller without a person is root.
    fileprivate var auditScope: AuditQuery.Scope {
        guard reach == .own, let caller else { return .everything }
        return caller.role == .client ? .client(caller.id) : .thanatologist(caller.id)
    }

    /// The first instant of a day in the practice's zone, or the instant itself.
    fileprivate func start(_ text: String) throws(Unfit) -> Instant {
        guard let day = CalendarDay(text) else { return try instant(text) }
        return settings.zone.start(of: day)
    }

    /// The first instant after a day, or after the second that is named.
    fileprivate func end(_ text: String) throws(Unfit) -> Instant {
        guard let day = CalendarDay(text) else { return try instant(text) + .seconds(1) }
        return day < CalendarDay.range.upperBound ? settings.zone.start(of: day.next) : Instant(microseconds: .max)
    }

    private func instant(_ text: String) throws(Unfit) -> Instant {
        guard let instant = DateTime(text)?.instant else {
            throw Unfit("must be a day such as 2027-03-05, or an instant such as 2027-03-05T09:00:00+01:00.")
        }
        return instant
    }
}

extension Practice.Entry {
    fileprivate init(_ entry: AuditEntry, _ desk: Desk) {
        self.init(
            id: entry.id.description, at: desk.spelled(entry.at), person: entry.person?.description, did: entry.did,
            client: entry.client?.description, what: entry.what, through: entry.through, personName: entry.personName,
            clientName: entry.clientName)
    }
}
