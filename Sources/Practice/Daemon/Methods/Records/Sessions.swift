import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

extension Records.ListSessions: Handled {
    static let right = Right.keepRecords

    func answer(at desk: Desk) throws -> Reply {
        let length = try desk.pageLength(limit)
        let before = try desk.sessionNumber(after)
        let sessions = try desk.store.sessions(of: try desk.record(client).person.id, before: before, limit: length + 1)
        desk.what = "\(min(sessions.count, length))"
        return Reply(
            sessions: sessions.prefix(length).map { Records.Session($0, for: desk) },
            next: sessions.count > length ? "\(sessions[length - 1].number)" : nil)
    }
}

extension Records.GetSession: Handled {
    static let right = Right.keepRecords

    func answer(at desk: Desk) throws -> Reply { Reply(session: try desk.session(ID(session), session)) }
}

extension Records.AddSession: Handled {
    static let right = Right.keepRecords

    func answer(at desk: Desk) throws -> Reply {
        let added = try desk.once(key) {
            let record = try desk.openRecord(client)
            guard let thanatologist = desk.caller?.id else { throw Practice.NotFound(kind: "client", id: client) }
            let new = try desk.form { faults in try draft(for: record, at: desk, &faults) }
            let session = try desk.store.addSession(new, of: record.person.id, by: thanatologist, at: desk.now)
            for person in [record.thanatologist, record.person.id] {
                try desk.tell(person, .session, session.description)
            }
            return session
        }
        return Reply(session: try desk.session(added, added.description))
    }

    private func draft(for record: Record, at desk: Desk, _ faults: inout Faults) throws -> NewSession? {
        let episodes = try desk.store.episodes(of: record.person.id)
        let today = desk.today
        let day = faults.check("on", on) { (text) throws(Unfit) in
            try SessionRules.day(text, today: today, in: episodes)
        }
        let minutes = faults.check("minutes", minutes) { (number) throws(Unfit) in
            try Field.number(number, in: SessionRules.minutes)
        }
        let service = ID<Service>(service)
        if try !desk.store.isOffered(service) { faults.add("service", "must be a service that is offered.") }
        let motives = try desk.terms("motives", motives, &faults)
        let tools = try desk.terms("tools", tools, &faults)
        let fee = fee.flatMap { fee in
            faults.check("fee", fee) { (number) throws(Unfit) in try Field.number(number, in: SessionRules.fee) }
        }
        let notes = faults.check("notes", notes) { (text) throws(Unfit) in
            try Field.text(text, limit: Field.notesLimit)
        }
        guard let day, let minutes, let notes else { return nil }
        return NewSession(
            on: day.day, episode: day.episode, minutes: minutes, service: service, terms: motives + tools, fee: fee,
            currency: desk.settings.currency, notes: notes)
    }
}

extension Desk {
    /// A session, where the caller may know of it. The audit names the client and the session.
    func session(_ id: ID<Session>, _ text: String) throws -> Records.Session {
        guard let (client, number) = try store.place(of: id, of: holder),
            let session = try store.session(number, of: client)
        else { throw Practice.NotFound(kind: "session", id: text) }
        note(client)
        what = session.id.description
        return Records.Session(session, for: self)
    }

    /// The words of a vocabulary that a session has, each once.
    fileprivate func terms(
        _ vocabulary: String, _ named: [String], _ faults: inout Faults
    ) throws -> [ID<Term>] {
        guard named.count <= SessionRules.terms else {
            faults.add(vocabulary, "must be no more than \(SessionRules.terms).")
            return []
        }
        var terms: [ID<Term>] = []
        for name in named {
            let term = ID<Term>(name)
            guard try store.isOffered(term, in: vocabulary) else {
                faults.add(vocabulary, "must be words of the practice's vocabulary that are in use.")
                return []
            }
            if !terms.contains(term) { terms.append(term) }
        }
        return terms
    }

    /// Where a page of sessions begins: before that number.
    fileprivate func sessionNumber(_ after: String?) throws -> Int {
        guard let after else { return Int(Int32.max) }
        return try form { faults in
            if let number = Int(after), number > 0 { return number }
            faults.add("after", "must be what \"next\" said.")
            return nil
        }
    }
}

extension Records.Session {
    init(_ session: Session, for desk: Desk) {
        self.init(
            id: session.id.description, client: session.client.description,
            thanatologist: session.thanatologist.description, number: session.number, on: session.on.description,
            minutes: session.minutes, service: session.service.description, motives: session.motives.map(\.description),
            tools: session.tools.map(\.description), fee: session.fee, notes: session.notes,
            addenda: session.addenda.map { .init(at: desk.spelled($0.at), by: $0.by.description, text: $0.text) },
            recorded: desk.spelled(session.recorded), voided: session.void.map { desk.spelled($0.at) },
            voidedBy: session.void?.by.description, voidReason: session.void?.reason, currency: session.currency,
            episode: session.episode)
    }
}
