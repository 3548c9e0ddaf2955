import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

extension Care.Profile: Handled {
    static let right = Right.haveHomework

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.ownRecord()
        let (person, details) = (record.person, record.details)
        context.note(person.id)
        let fields = Self.fields(details.extra, context.settings.clientFields)
        return Reply(
            name: person.name, number: record.number, born: details.born?.description, phone: person.phone,
            email: person.email, address: details.address, emergencyContact: details.emergencyContact,
            timeZone: details.timeZone, thanatologist: try context.store.person(record.thanatologist)?.name ?? "",
            since: person.since.description, shares: try context.store.shares(of: person.id).words,
            referredBy: details.referredBy, motive: details.motive, fields: fields.isEmpty ? nil : fields)
    }

    /// The practice's own fields of a record, and after them those that the settings name no more.
    private static func fields(_ extra: [String: String], _ known: [ClientField]) -> [Reply.Fields] {
        let former = extra.keys.filter { name in !known.contains { $0.name == name } }.sorted()
        let titles = known.map { ($0.name, $0.title) } + former.map { ($0, $0) }
        return titles.compactMap { name, title in extra[name].map { .init(label: title, value: $0) } }
    }
}

extension Care.SetShares: Handled {
    static let right = Right.haveHomework

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.ownRecord()
        let id = record.person.id
        let chosen = Set(shares.compactMap { Share(rawValue: $0) })
        guard shares.allSatisfy({ Share(rawValue: $0) != nil }) else {
            let known = Share.allCases.map(\.rawValue).joined(separator: ", ")
            throw Practice.Invalid("shares", "must be of \(known).")
        }
        // The same shares again change nothing, and the audit has no entry of them.
        guard try context.store.shares(of: id) != chosen else { return Reply() }
        context.note(id)
        context.what = "\(chosen.count)"
        try context.store.setShares(chosen, of: id, at: context.now)
        for person in [id, record.thanatologist] { try context.tell(person, .homework, id.description) }
        return Reply()
    }
}

/// The audit has no entry of it, because the client's thanatologist, whom it is about, reads the client's entries.
extension Care.GiveFeedback: Handled {
    static let right = Right.haveHomework

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.ownRecord()
        // Feedback without a name is kept without the hour, because other entries have hours beside names.
        let isAnonymous = anonymous == true
        let at = isAnonymous ? context.settings.zone.start(of: context.today) : context.now
        let client = isAnonymous ? nil : record.person.id
        let said = try context.form { faults in words(&faults) }
        let kept = try context.once(key, as: client ?? ID(0), at: at) { () -> ID<Feedback> in
            try context.store.addFeedback(
                said.words, rating: said.rating, about: record.thanatologist, from: client, at: at)
        }
        // The keys of feedback without a name are everybody's together.
        let isThis = try context.store.feedback(kept).map {
            ($0.text, $0.rating, $0.client) == (said.words, said.rating, client)
        }
        guard isThis == true else { throw Practice.Invalid("key", "was used for other feedback: take a new one.") }
        return Reply()
    }

    private func words(_ faults: inout Faults) -> (words: String, rating: Int?)? {
        let words = faults.check("text", text) { (text) throws(FieldError) in try Field.someText(text) }
        let stars = rating.flatMap { rating in
            faults.check("rating", rating) { (number) throws(FieldError) in try Field.number(number, in: 1...5) }
        }
        return words.map { ($0, stars) }
    }
}

extension Care.ListFeedback: Handled {
    static let right = Right.readFeedback
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let request = try context.form { faults -> PageRequest? in
            let request = context.page(after, limit, &faults)
            if let start = request?.after, Int64(start.sortKey) == nil { faults.add("after", CallContext.noCursor) }
            return request
        }
        let page = try context.store.feedback(request, for: context.caller?.id)
        context.what = "\(page.items.count)"
        return Reply(feedback: page.items.map { .init($0, in: context) }, next: page.next?.description)
    }
}

extension Care.ListFeedback.Reply.Feedback {
    init(_ feedback: PracticeStore.Feedback, in context: CallContext) {
        self.init(
            at: context.spelled(feedback.at), about: feedback.about.description, client: feedback.client?.description,
            rating: feedback.rating, text: feedback.text, aboutName: feedback.aboutName,
            clientName: feedback.clientName)
    }
}
