import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Records.ListSessions: Handled {
    static let right = Right.keepRecords

    func answer(in context: CallContext) throws -> Reply {
        let page = try context.form { faults in context.page(before: after, limit, &faults) }
        let sessions = try context.store.sessions(
            of: try context.record(client).person.id, before: page.number, limit: page.limit)
        context.what = "\(sessions.count)"
        // A client's sessions are numbered from 1 without gaps.
        let next = sessions.last.flatMap { $0.number > 1 ? "\($0.number)" : nil }
        return Reply(sessions: sessions.map { Records.Session($0, in: context) }, next: next)
    }
}

extension Records.GetSession: Handled {
    static let right = Right.keepRecords

    func answer(in context: CallContext) throws -> Reply {
        Reply(session: Records.Session(try context.session(session), in: context))
    }
}

extension Records.AddSession: Handled {
    static let right = Right.keepRecords

    func answer(in context: CallContext) throws -> Reply {
        let added = try context.once(key) {
            let record = try context.openRecord(client)
            guard let thanatologist = context.caller?.id else { throw Practice.NotFound(kind: "client", id: client) }
            let new = try context.form { faults in try draft(for: record, in: context, &faults) }
            let session = try context.store.addSession(new, of: record.person.id, by: thanatologist, at: context.now)
            for person in [thanatologist, record.person.id] { try context.tell(person, .session, session.description) }
            return session
        }
        return Reply(session: Records.Session(try context.session(added.description), in: context))
    }

    private func draft(for record: Record, in context: CallContext, _ faults: inout Faults) throws -> NewSession? {
        let episodes = try context.store.episodes(of: record.person.id)
        let today = context.today
        let day = faults.check("on", on) { (text) throws(FieldError) in
            try SessionRules.day(text, today: today, in: episodes)
        }
        let minutes = faults.check("minutes", minutes) { (number) throws(FieldError) in
            try Field.number(number, in: SessionRules.minutes)
        }
        let service = ID<Service>(service)
        if try !context.store.isOffered(service) { faults.add("service", "must be a service that is offered.") }
        let motives = try context.terms("motives", motives, &faults)
        let tools = try context.terms("tools", tools, &faults)
        let fee = fee.flatMap { fee in
            faults.check("fee", fee) { (number) throws(FieldError) in try Field.number(number, in: SessionRules.fee) }
        }
        let notes = faults.check("notes", notes, SessionRules.notes)
        guard let day, let minutes, let notes else { return nil }
        return NewSession(
            on: day.day, episode: day.episode, minutes: minutes, service: service, terms: motives + tools, fee: fee,
            currency: context.settings.currency, notes: notes)
    }
}

extension Records.AddAddendum: Handled {
    static let right = Right.keepRecords

    func answer(in context: CallContext) throws -> Reply {
        let amended: ID<Session> = try context.once(key) {
            let found = try context.session(session)
            let checked = try context.form { faults in
                if found.addenda.count >= SessionRules.addenda {
                    faults.add("text", "cannot be added: a session has no more than \(SessionRules.addenda) addenda.")
                }
                return faults.check("text", text, SessionRules.addendum)
            }
            guard let author = context.caller?.id else { throw Practice.NotFound(kind: "session", id: session) }
            try context.store.addAddendum(checked, to: found.id, of: found.client, by: author, at: context.now)
            try context.tellOfSession(found)
            return found.id
        }
        return Reply(session: Records.Session(try context.session(amended.description), in: context))
    }
}

extension Records.VoidSession: Handled {
    static let right = Right.keepRecords

    func answer(in context: CallContext) throws -> Reply {
        let found = try context.session(session)
        guard found.void == nil else { throw Records.SessionVoided(session: session) }
        let checked = try context.form { faults in faults.check("reason", reason, Field.reason) }
        guard let author = context.caller?.id else { throw Practice.NotFound(kind: "session", id: session) }
        try context.store.void(found.id, of: found.client, by: author, at: context.now, reason: checked)
        try context.tellOfSession(found)
        return Reply(session: Records.Session(try context.session(session), in: context))
    }
}

extension CallContext {
    /// Adds news of a session for the client and for their thanatologist, who is the caller.
    fileprivate func tellOfSession(_ session: Session) throws {
        for person in [caller?.id, session.client] { try tell(person, .session, session.id.description) }
    }

    /// A session that the caller may see. Adds the client and the session to the call's audit.
    func session(_ id: String) throws -> Session {
        guard let (client, number) = try store.place(of: ID(id), of: holder),
            let session = try store.session(number, of: client)
        else { throw Practice.NotFound(kind: "session", id: id) }
        note(client)
        what = session.id.description
        return session
    }

    /// The words of a session out of one vocabulary, without repetitions.
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

    /// The requested page of a list that is sorted by descending numbers: the numbers below `number`.
    func page(before after: String?, _ limit: Int?, _ faults: inout Faults) -> (number: Int, limit: Int)? {
        let number = after.map { Int($0) } ?? Int(Int32.max)
        if number == nil { faults.add("after", Self.noCursor) }
        return page(nil, limit, &faults).flatMap { page in number.map { ($0, page.limit) } }
    }
}

extension Records.Session {
    init(_ session: Session, in context: CallContext) {
        self.init(
            id: session.id.description, client: session.client.description,
            thanatologist: session.thanatologist.description, number: session.number, on: session.on.description,
            minutes: session.minutes, service: session.service.description, motives: session.motives.map(\.description),
            tools: session.tools.map(\.description), fee: session.fee, notes: session.notes,
            addenda: session.addenda.map { .init(at: context.spelled($0.at), by: $0.by.description, text: $0.text) },
            recorded: context.spelled(session.recorded), voided: session.void.map { context.spelled($0.at) },
            voidedBy: session.void?.by.description, voidReason: session.void?.reason, currency: session.currency,
            episode: session.episode)
    }
}
