import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Mail.ListRecipients: Handled {
    static let right = Right.mail
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let (page, name) = try context.form { faults in
            let name = faults.check("query", query ?? "", Field.query)
            let page = context.page(after, limit ?? context.settings.longestPage, &faults)
            return page.flatMap { page in name.map { (page, $0) } }
        }
        let note = context.settings.urgentNote.isEmpty ? nil : context.settings.urgentNote
        guard let writer = context.caller else { return Reply(people: [], urgentNote: note) }
        let found = try context.store.correspondents(of: writer, named: name, withClosed: closed ?? false, page)
        return Reply(
            people: found.items.map {
                .init(
                    person: $0.id.description, name: $0.name, role: $0.role.rawValue, number: $0.number,
                    closed: $0.isClosed ? true : nil)
            }, urgentNote: note, next: found.next?.description)
    }
}

extension Mail.SaveDraft: Handled, LetterCall {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let writer = try context.mailboxOwner()
        let saved: ID<LetterCopy> = try context.once(key) {
            let earlier = try context.draft(draft, revision, of: writer)
            let text = try letterText(earlier, of: writer, in: context)
            try context.checkRecipients(of: to == nil ? [] : text.to, named: to)
            if earlier == nil, try context.store.draftCount(of: writer) >= LetterRules.drafts {
                let reason = "cannot be kept: nobody has more than \(LetterRules.drafts)."
                throw Practice.Invalid(faults: [.init(field: "draft", reason: reason)])
            }
            return try context.store.saveDraft(text, earlier, of: writer, at: context.now)
        }
        return Reply(letter: try Mail.Letter(whole: try context.copy(saved.description, of: writer), in: context))
    }
}

extension Mail.Send: Handled, LetterCall {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let writer = try context.mailboxOwner()
        let sent: ID<LetterCopy> = try context.once(key) {
            let earlier = try context.draft(draft, revision, of: writer)
            let text = try letterText(earlier, of: writer, in: context)
            try context.checkRecipients(of: text.to, named: to)
            guard !text.to.isEmpty else { throw Mail.NoRecipients() }
            guard !text.subject.isEmpty || !text.body.isEmpty else {
                throw Practice.Invalid(faults: [.init(field: "body", reason: "must not be empty, without a subject.")])
            }
            let (own, arrived) = try context.store.send(text, earlier, from: writer, at: context.now)
            for (person, copy) in arrived {
                try context.tell(person, text.isUrgent ? .urgent : .mail, copy.description)
            }
            guard let own else { preconditionFailure("a person's letter has a copy of their own") }
            return own
        }
        return Reply(letter: try Mail.Letter(whole: try context.copy(sent.description, of: writer), in: context))
    }
}

/// A call with the fields of a letter. An absent field is as in the draft.
private protocol LetterCall {
    var to: [String]? { get }
    var subject: String? { get }
    var body: String? { get }
    var replyTo: String? { get }
    var urgent: Bool? { get }
}

extension LetterCall {
    /// The letter, checked but for whether its recipients may be written to.
    fileprivate func letterText(
        _ draft: LetterCopy?, of writer: ID<Person>, in context: CallContext
    ) throws -> LetterText {
        var text = LetterText()
        if let draft {
            text.to = draft.letter.to.map(\.id)
            text.subject = draft.letter.subject
            text.body = try context.store.body(of: draft.letter.id)
            text.isUrgent = draft.letter.isUrgent
            text.replyTo = try draft.replyTo.flatMap { try context.store.copy($0, of: writer) }?.letter.id
        }
        if let replyTo { text.replyTo = replyTo.isEmpty ? nil : try context.copy(replyTo, of: writer).letter.id }
        text.isUrgent = urgent ?? text.isUrgent
        if let to {
            guard to.count <= LetterRules.recipients else {
                let reason = "must be no more than \(LetterRules.recipients) people: a broadcast reaches more."
                throw Practice.Invalid(faults: [.init(field: "to", reason: reason)])
            }
            text.to = []
            for person in to.map({ ID<Person>($0) }) where !text.to.contains(person) { text.to.append(person) }
        }
        return try context.form { faults in
            if let subject { text.subject = faults.check("subject", subject, LetterRules.subject) ?? "" }
            if let body { text.body = faults.check("body", body, LetterRules.body) ?? "" }
            return text
        }
    }
}

extension CallContext {
    /// Throws MayNotWrite for the first of them to whom the writer may not write, as the call named them.
    fileprivate func checkRecipients(of people: [ID<Person>], named: [String]?) throws {
        for person in people where try !mayWrite(to: person) {
            throw Mail.MayNotWrite(person: named?.first { ID($0) == person } ?? person.description)
        }
    }

    /// A draft of the caller's, at the revision that they know; nil if they name none.
    fileprivate func draft(_ id: String?, _ revision: Int?, of writer: ID<Person>) throws -> LetterCopy? {
        guard let id else {
            if revision != nil { throw Practice.Invalid("revision", "must not be there without a draft.") }
            return nil
        }
        let copy = try copy(id, of: writer)
        guard copy.isDraft else { throw Practice.NotFound(kind: "draft", id: id) }
        if let revision, revision != copy.letter.revision {
            throw Practice.Changed(revision: copy.letter.revision)
        }
        return copy
    }

    /// Whether the caller may write to somebody.
    func mayWrite(to id: ID<Person>) throws -> Bool {
        guard let caller, id != caller.id else { return false }
        // Both queries always run, so that the time of the answer does not tell whether the person exists.
        let person = try store.person(id)
        let record = try store.record(caller.role == .client ? caller.id : id, of: nil)
        guard let person, person.isActive else { return false }
        let isTheirs = record.map { [caller.id, id].contains($0.thanatologist) } ?? false
        return LetterRules.mayWrite(
            caller.role, to: person.role, isTheirs: isTheirs, isOpen: record?.isOpen ?? true)
    }

    /// Writes a letter of the practice itself to somebody. One about a client has no name in it, and is erased with their record.
    func sendLetter(to person: ID<Person>, subject: String, body: String, about client: ID<Person>? = nil) throws {
        var text = LetterText()
        (text.to, text.subject, text.body, text.about) = ([person], subject, body, client)
        for (person, copy) in try store.send(text, from: nil, at: now).arrived {
            try tell(person, .mail, copy.description)
        }
    }
}
