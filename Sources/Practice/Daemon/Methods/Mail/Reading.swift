import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Mail.List: Handled {
    static let right = Right.mail
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let (page, words) = try context.form { faults in
            let words = faults.check("query", query ?? "", Field.query)
            return context.page(before: after, limit, &faults).flatMap { page in words.map { (page, $0) } }
        }
        guard let reader = context.caller?.id else { return Reply(letters: [], total: 0) }
        var filter = LetterFilter()
        filter.folder = try folder.map { try context.folderPlace($0, of: reader) }
        filter.isUnread = unread ?? false
        filter.isUrgent = urgent ?? false
        filter.query = words
        filter.thread = thread.map { ID($0) }
        let found = try context.store.copies(of: reader, filter, before: page.number, limit: page.limit + 1)
        let copies = found.copies.prefix(page.limit)
        return Reply(
            letters: copies.map { Mail.Letter($0, in: context) }, total: found.total,
            next: found.copies.count > page.limit ? copies.last.map { "\($0.number)" } : nil)
    }
}

extension Mail.Get: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let reader = try context.mailboxOwner()
        var copy = try context.copy(letter, of: reader)
        if !copy.isRead {
            try context.store.mark([copy], isRead: true)
            try context.tell(reader, .mail, copy.id.description)
            copy = try context.copy(letter, of: reader)
        }
        let (newer, older) = try context.store.neighbours(of: copy, of: reader)
        return Reply(
            letter: try Mail.Letter(whole: copy, in: context), newer: newer?.description, older: older?.description)
    }
}

extension Mail.Move: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.mailboxOwner()
        let place = try context.folderPlace(folder, of: owner)
        let copies = try context.copies(letters, of: owner)
        for copy in copies where copy.folder != place {
            let fits = copy.isDraft ? [.drafts, .bin].contains(place) : place != .drafts
            guard fits else {
                let reason =
                    copy.isDraft
                    ? "must be \"drafts\" or \"bin\": \(copy.id) is a draft."
                    : "must be another folder: \(copy.id) is no draft."
                throw Practice.Invalid(faults: [.init(field: "folder", reason: reason)])
            }
        }
        try context.store.move(copies, to: place)
        try context.tell(owner, .mail, nil)
        return Reply(moved: copies.count)
    }
}

extension Mail.Delete: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.mailboxOwner()
        let copies = try context.copies(letters, of: owner)
        let binned = copies.filter { $0.folder != .bin }
        try context.store.remove(copies.filter { $0.folder == .bin }, of: owner)
        try context.store.move(binned, to: .bin)
        try context.tell(owner, .mail, nil)
        return Reply(deleted: copies.count, binned: binned.count)
    }
}

extension Mail.Mark: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.mailboxOwner()
        let copies = try context.copies(letters, of: owner).filter { !$0.isDraft }
        try context.store.mark(copies, isRead: read)
        try context.tell(owner, .mail, nil)
        return Reply(marked: copies.count)
    }
}

extension CallContext {
    /// The caller's copy of a letter.
    func copy(_ letter: String, of owner: ID<Person>) throws -> LetterCopy {
        guard let copy = try store.copy(ID(letter), of: owner) else {
            throw Practice.NotFound(kind: "letter", id: letter)
        }
        return copy
    }

    /// The caller's copies of some letters, each once: all of them, or none.
    fileprivate func copies(_ letters: [String], of owner: ID<Person>) throws -> [LetterCopy] {
        guard letters.count <= LetterRules.atOnce else {
            let reason = "must be no more than \(LetterRules.atOnce) at once."
            throw Practice.Invalid(faults: [.init(field: "letters", reason: reason)])
        }
        var seen: Set<String> = []
        return try letters.filter { seen.insert($0).inserted }.map { try copy($0, of: owner) }
    }

    /// One of the four folders that everybody has, or one of the caller's own.
    fileprivate func folderPlace(_ id: String, of owner: ID<Person>) throws -> FolderPlace {
        let place = FolderPlace(id)
        if case .own(let own) = place, try !store.folders(of: owner).contains(where: { $0.id == own }) {
            throw Practice.NotFound(kind: "folder", id: id)
        }
        return place
    }
}

extension CallContext {
    /// The people on a letter, as a reader may know them: a client whom they may not know is no recipient on it; on a letter from or
    /// to somebody who was the reader's client once, they have no name. Staff get the numbers of clients' records.
    ///
    /// - Parameter reader: nil for all as they are.
    func people(
        from: Correspondent?, to: [Correspondent], asSeenBy reader: Person?
    ) -> (from: (id: String, name: String, number: Int?), to: [(id: String, name: String, number: Int?)]) {
        func isKnown(_ person: Correspondent) -> Bool { reader.map { person.isKnown(to: $0.id, $0.role) } ?? true }
        let isStaff = reader?.role.isStaff == true
        func told(_ person: Correspondent) -> (id: String, name: String, number: Int?) {
            guard isKnown(person) else { return (person.id.description, LetterRules.formerClient, nil) }
            return (person.id.description, person.name, isStaff ? person.number : nil)
        }
        let isOwn = reader.map { $0.id == from?.id } ?? true
        return (from.map(told) ?? ("practice", settings.name, nil), to.filter { isOwn || isKnown($0) }.map(told))
    }
}

extension Mail.Letter {
    /// As a list shows it, without its body.
    init(_ copy: LetterCopy, body: String? = nil, in context: CallContext) {
        let letter = copy.letter
        let people = context.people(from: letter.from, to: letter.to, asSeenBy: context.caller)
        self.init(
            id: copy.id.description, folder: copy.folder.description,
            from: .init(person: people.from.id, name: people.from.name, number: people.from.number),
            to: people.to.map { .init(person: $0.id, name: $0.name, number: $0.number) },
            subject: letter.subject, preview: letter.preview, body: body, at: context.spelled(letter.at),
            urgent: letter.isUrgent, system: letter.from == nil, read: copy.isRead, thread: letter.thread.description,
            replyTo: copy.replyTo?.description, revision: letter.revision)
    }

    init(whole copy: LetterCopy, in context: CallContext) throws {
        self.init(copy, body: try context.store.body(of: copy.letter.id), in: context)
    }
}
