import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

extension Care.SetAvailable: Handled {
    static let right = Right.giveHomework
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard let caller = context.caller?.id else { throw Practice.NotAllowed(right: Self.right.rawValue) }
        let record = try client.map(available ? context.openRecord : context.record)
        let word: Availability = try context.form { faults in
            let seconds = forSeconds.flatMap { faults.check("forSeconds", $0, Self.seconds) }
            let link = faults.optional("link", link, else: nil, Field.link)
            let end = seconds.map { context.now + .seconds($0) } ?? context.settings.zone.start(of: context.today.next)
            return Availability(isAvailable: available, until: end, link: available ? link : nil)
        }
        try context.store.set(word, of: caller, for: record?.person.id)
        if let record {
            try context.tell(record.person.id, .presence, nil)
        } else {
            context.changesPresence(of: caller)
        }
        context.what = available ? "available" : "away"
        return Reply()
    }

    private static func seconds(_ number: Int) throws(FieldError) -> Int { try Field.number(number, in: 1...86_400) }
}

extension Care.Waiting: Handled {
    static let right = Right.giveHomework
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard let caller = context.caller?.id else { throw Practice.NotAllowed(right: Self.right.rawValue) }
        let room = try context.waitRoom(of: caller)
        if context.wantsMore {
            context.liveQuery = LiveQuery(
                person: caller, isFollowing: false, thanatologist: caller, until: room.map(\.until).min())
        }
        context.what = "\(room.count)"
        return Reply(
            clients: room.map {
                .init(
                    client: $0.last.client.description, name: $0.last.name, stage: .init($0.stage),
                    since: context.spelled($0.last.at))
            }, today: context.today.description)
    }
}

extension Care.Waiting.Reply.Clients.Stage {
    fileprivate init(_ stage: PracticeRules.Stage) {
        switch stage {
        case .exercise: self = .exercise
        case .waiting: self = .waiting
        case .session: self = .session
        case .mood: self = .mood
        }
    }
}

extension CallContext {
    /// A client on the way through a task.
    struct Waiting {
        let last: Store.LastStage
        let stage: PracticeRules.Stage
        /// The end of the client's day.
        let until: Instant
    }

    /// A thanatologist's connected clients who are on the way through a task, by their happenings of today; the longest first.
    func waitRoom(of thanatologist: ID<Person>) throws -> [Waiting] {
        return try store.lastStages(of: thanatologist, at: now).compactMap { last in
            guard let stage = last.what.stage, state.online.contains(last.client) else { return nil }
            // The end of this stage is told only by the completion.
            if stage == .mood, !last.sharesCompletion { return nil }
            let zone = zones[last.timeZone]
            let today = zone.day(at: now)
            guard last.day == today else { return nil }
            return Waiting(last: last, stage: stage, until: zone.start(of: today.next))
        }
    }
}

extension Care.AddTalkingPoint: Handled {
    static let right = Right.giveHomework

    func answer(in context: CallContext) throws -> Reply {
        _ = try context.once(key) { () -> ID<TalkingPoint> in
            let record = try context.openRecord(client)
            let id = record.person.id
            guard let author = context.caller?.id else { throw Practice.NotFound(kind: "client", id: client) }
            let checked = try context.form { faults in
                faults.check("text", text) { (text) throws(FieldError) in try Field.talkingPoint(text) }
            }
            let open = try context.store.openTalkingPoints(for: id, in: context.settings.zone)
            guard open.count < Self.limit else {
                throw Practice.Invalid(
                    "text", "cannot be added: there are \(Self.limit) talking points for the next session.")
            }
            let added = try context.store.addTalkingPoint(checked, for: id, by: author, at: context.now)
            context.what = added.description
            try context.tell(id, .homework, id.description)
            return added
        }
        return Reply()
    }

    /// The most talking points for one session: nobody speaks of more, and a client's Daybreak takes no more.
    private static let limit = 20
}
