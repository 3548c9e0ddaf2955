import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

/// Reading the audit adds an entry to the audit, which is not on the page that the call returns.
extension Practice.Audit: Handled {
    static let right = Right.seeAudit
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        var query = AuditQuery(context.auditScope)
        query.person = person.map { ID($0) }
        query.client = client.map { ID($0) }
        let request = try context.form { faults in
            query.since = since.flatMap { faults.check("since", $0, context.start) }
            query.before = until.flatMap { faults.check("until", $0, context.end) }
            let page = context.page(after, limit, &faults)
            // An entry's sort key is its instant.
            if let key = page?.after?.sortKey, Int64(key) == nil { faults.add("after", CallContext.noCursor) }
            return page
        }
        let page = try context.store.audit(query, request)
        context.what = "\(page.items.count)"
        for client in Set(page.items.compactMap(\.client)) where client == query.client { context.note(client) }
        let places =
            try context.auditScope == .everything ? [:] : context.hiddenPlaces(in: page.items, from: context.caller?.id)
        return Reply(
            entries: page.items.map { Practice.Entry($0, through: places[$0.id] ?? $0.through, context) },
            next: page.next?.description)
    }
}

extension CallContext {
    /// The entries that the caller may read. A caller without a person is root.
    fileprivate var auditScope: AuditQuery.Scope {
        guard reach == .own, let caller else { return .everything }
        return caller.role == .client ? .client(caller.id) : .thanatologist(caller.id)
    }

    /// The address of somebody who works here may be that of a home, and is told to administrators and to themselves alone. For
    /// the entries that have such an address: where they came through without it.
    ///
    /// - Parameter reader: the person who reads them.
    func hiddenPlaces(in entries: [AuditEntry], from reader: ID<Person>?) throws -> [ID<AuditEntry>: String] {
        let staff = try Set(entries.compactMap(\.person)).filter { person in
            try person != reader && store.person(person)?.role.isStaff == true
        }
        let remote = entries.filter { entry in
            entry.through.hasPrefix(AuditEntry.gate) && entry.person.map(staff.contains) == true
        }
        return Dictionary(uniqueKeysWithValues: remote.map { ($0.id, AuditEntry.gate) })
    }

    /// The first instant of a day in the practice's zone, or the instant itself.
    fileprivate func start(_ text: String) throws(FieldError) -> Instant {
        guard let day = CalendarDay(text) else { return try instant(text) }
        return settings.zone.start(of: day)
    }

    /// The first instant after a day or after a second.
    fileprivate func end(_ text: String) throws(FieldError) -> Instant {
        guard let day = CalendarDay(text) else { return try instant(text) + .seconds(1) }
        return day < CalendarDay.range.upperBound ? settings.zone.start(of: day.next) : Instant(microseconds: .max)
    }

    private func instant(_ text: String) throws(FieldError) -> Instant {
        guard let instant = DateTime(text)?.instant else {
            throw FieldError("must be a day such as 2027-03-05, or an instant such as 2027-03-05T09:00:00+01:00.")
        }
        return instant
    }
}

extension Practice.Entry {
    fileprivate init(_ entry: AuditEntry, through: String, _ context: CallContext) {
        self.init(
            id: entry.id.description, at: context.spelled(entry.at), person: entry.person?.description, did: entry.did,
            client: entry.client?.description, what: entry.what, through: through, personName: entry.personName,
            clientName: entry.clientName)
    }
}
