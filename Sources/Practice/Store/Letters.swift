public import PracticeRules
import Storage
public import Time

/// One person's copy of a letter, or a draft of theirs.
public struct LetterCopy: Equatable, Sendable, Identified {
    public static let letter: Character = "l"

    public let id: ID<LetterCopy>
    /// Of the things in that person's mailbox; the newest has the highest.
    public let number: Int
    public let folder: FolderPlace
    /// True while the letter is a draft.
    public let isDraft: Bool
    public let isRead: Bool
    public var letter: Letter
    /// The same person's copy of the letter that this one answers; nil if there is none any more.
    public let replyTo: ID<LetterCopy>?
}

/// A letter's words. They never change once it is sent.
public struct Letter: Equatable, Sendable, Identified {
    public static let letter: Character = "m"

    public let id: ID<Letter>
    /// The first letter of those that answer one another.
    public let thread: ID<Letter>
    /// Nil for a letter of the practice itself.
    public let from: Correspondent?
    public var to: [Correspondent] = []
    public let subject: String
    public let preview: String
    public let at: Instant
    public let isUrgent: Bool
    public let revision: Int
}

public struct Correspondent: Equatable, Sendable {
    public let id: ID<Person>
    public let name: String
    /// Of a client on a letter: the thanatologist who cares for them now, and the number of the record.
    public let thanatologist: ID<Person>?
    public let number: Int?

    public init(id: ID<Person>, name: String, thanatologist: ID<Person>? = nil, number: Int? = nil) {
        (self.id, self.name, self.thanatologist, self.number) = (id, name, thanatologist, number)
    }

    /// Whether a reader may know who this is: one client does not learn of another, nor a thanatologist of clients who are
    /// theirs no more.
    public func isKnown(to reader: ID<Person>, _ role: Role) -> Bool {
        guard let thanatologist else { return true }
        return Visibility(of: .client, by: role, isSelf: id == reader, isTheirs: thanatologist == reader) != nil
    }
}

/// A letter that is to be written.
public struct LetterText: Equatable, Sendable {
    public var to: [ID<Person>] = []
    public var subject = ""
    public var body = ""
    public var replyTo: ID<Letter>?
    public var isUrgent = false
    /// Of a letter of the practice itself: the client whom it is about, with whose record it is erased.
    public var about: ID<Person>?

    public init() {}
}

/// Which letters are listed.
public struct LetterFilter: Sendable {
    /// Nil for all but the bin.
    public var folder: FolderPlace?
    public var isUnread = false
    public var isUrgent = false
    public var query = ""
    public var thread: ID<Letter>?

    public init() {}
}

extension Store {
    private static let columns = """
        c.id, c.number, c.folder, c.is_read, l.id, l.thread, l.from_person, p.name, l.subject, l.preview, c.at, l.urgent,
        l.revision, l.sent, (SELECT r.id FROM copy r WHERE r.person = c.person AND r.letter = l.reply_to), k.thanatologist,
        k.number
        """
    private static let tables = """
        copy c JOIN letter l ON l.id = c.letter LEFT JOIN person p ON p.id = l.from_person
        LEFT JOIN client k ON k.person = l.from_person
        """

    private static func copy(_ row: borrowing Row) -> LetterCopy {
        let from: ID<Person>? = row.id(6)
        return LetterCopy(
            id: row.id(0) ?? ID(0), number: row.int(1) ?? 0, folder: FolderPlace(row.text(2) ?? ""),
            isDraft: row.bool(13) == false, isRead: row.bool(3) ?? true,
            letter: Letter(
                id: row.id(4) ?? ID(0), thread: row.id(5) ?? ID(0),
                from: from.map {
                    Correspondent(id: $0, name: row.text(7) ?? "", thanatologist: row.id(15), number: row.int(16))
                },
                subject: row.text(8) ?? "",
                preview: row.text(9) ?? "", at: row.instant(10) ?? Instant(microseconds: 0),
                isUrgent: row.bool(11) ?? false, revision: row.int(12) ?? 0), replyTo: row.id(14))
    }

    // MARK: Reading

    /// A person's copy; nil if there is none, or if it is somebody else's.
    public func copy(_ id: ID<LetterCopy>, of person: ID<Person>) throws -> LetterCopy? {
        let found = try database.rows(
            "SELECT \(Self.columns) FROM \(Self.tables) WHERE c.id = $1 AND c.person = $2", id, person
        ) { Self.copy($0) }
        return try withRecipients(found).first
    }

    public func body(of letter: ID<Letter>) throws -> String {
        let body: String?? = try database.first("SELECT body FROM letter WHERE id = $1", letter) { $0.text(0) }
        return (body ?? nil) ?? ""
    }

    /// A person's letters with a number below that one, the newest first; the total is that of all pages.
    public func copies(
        of person: ID<Person>, _ filter: LetterFilter, before number: Int, limit: Int
    ) throws -> (copies: [LetterCopy], total: Int) {
        var conditions = ["c.person = $1"]
        var values: [Value] = [person.databaseValue]
        func add(_ condition: (String) -> String, _ value: any Bindable) {
            values.append(value.databaseValue)
            conditions.append(condition("$\(values.count)"))
        }
        if let folder = filter.folder {
            add({ "c.folder = \($0)" }, folder)
        } else {
            add({ "c.folder <> \($0)" }, FolderPlace.bin)
        }
        if filter.isUnread { conditions.append("c.is_read = 0") }
        if filter.isUrgent { conditions.append("c.urgent = 1") }
        if let thread = filter.thread {
            add({ "c.letter IN (SELECT id FROM letter WHERE thread = \($0))" }, thread)
        }
        let wanted = conditions.joined(separator: " AND ")
        let words = SearchWords.ofQuery(filter.query)
        guard words.isEmpty else {
            return try copies(of: person, with: words, wanted, values, before: number, limit: limit)
        }
        var total = 0
        try database.each("SELECT count(*) FROM copy c WHERE \(wanted)", values) { total = $0.int(0) ?? 0 }
        var found: [LetterCopy] = []
        try database.each(
            """
            SELECT \(Self.columns) FROM \(Self.tables) WHERE \(wanted) AND c.number < $\(values.count + 1)
            ORDER BY c.number DESC LIMIT $\(values.count + 2)
            """, values + [number.databaseValue, limit.databaseValue]
        ) { found.append(Self.copy($0)) }
        return (try withRecipients(found), total)
    }

    /// The copies that have all these words, or words that begin with them. The words of a mailbox lie side by side, and are
    /// read from end to end: a row for each word would make sending ten times slower.
    private func copies(
        of person: ID<Person>, with words: [String], _ wanted: String, _ values: [Value], before number: Int, limit: Int
    ) throws -> (copies: [LetterCopy], total: Int) {
        var search = SearchWords.Search(words)
        try database.each(
            "SELECT number, words FROM copy_words WHERE person = $1 ORDER BY number, part", [person.databaseValue]
        ) { search.look(at: $0, 1, of: $0.int(0) ?? 0) }
        let having = search.found
        guard !having.isEmpty else { return ([], 0) }
        var (total, page): (Int, [ID<LetterCopy>]) = (0, [])
        try database.each(
            "SELECT c.id, c.number FROM copy c WHERE \(wanted) ORDER BY c.number DESC", values
        ) { row in
            guard let id: ID<LetterCopy> = row.id(0), let its = row.int(1), having.contains(its) else { return }
            total += 1
            if page.count < limit, its < number { page.append(id) }
        }
        return (try page.compactMap { try copy($0, of: person) }, total)
    }

    /// The copies beside one in its folder.
    public func neighbours(
        of copy: LetterCopy, of person: ID<Person>
    ) throws -> (newer: ID<LetterCopy>?, older: ID<LetterCopy>?) {
        func neighbour(_ comparison: String, _ order: String) throws -> ID<LetterCopy>? {
            let found: ID<LetterCopy>?? = try database.first(
                """
                SELECT id FROM copy WHERE person = $1 AND folder = $2 AND number \(comparison) $3
                ORDER BY number \(order) LIMIT 1
                """, person, copy.folder, copy.number
            ) { $0.id(0) }
            return found ?? nil
        }
        return (try neighbour(">", "ASC"), try neighbour("<", "DESC"))
    }

    /// How many letters of a client, or of all clients, a person has not read, and how many of them are urgent. Those in the bin
    /// do not count.
    public func unreadLetters(of person: ID<Person>, from client: ID<Person>?) throws -> (all: Int, urgent: Int) {
        try database.first(
            """
            SELECT count(*), coalesce(sum(l.urgent), 0) FROM copy c JOIN letter l ON l.id = c.letter
            JOIN person p ON p.id = l.from_person AND p.role = 'client'
            WHERE c.person = $1 AND c.is_read = 0 AND c.folder <> $2 AND (l.from_person = $3 OR $3 IS NULL)
            """, person, FolderPlace.bin, client
        ) { (all: $0.int(0) ?? 0, urgent: $0.int(1) ?? 0) } ?? (0, 0)
    }

    /// How many letters a person has not read, and how many of them are urgent. Those in the bin do not count.
    public func unreadLetters(of person: ID<Person>) throws -> (all: Int, urgent: Int) {
        try database.first(
            """
            SELECT count(*), coalesce(sum(urgent), 0) FROM copy WHERE person = $1 AND is_read = 0 AND folder <> $2
            """, person, FolderPlace.bin
        ) { (all: $0.int(0) ?? 0, urgent: $0.int(1) ?? 0) } ?? (0, 0)
    }

    /// The same letters, counted by their senders.
    public func unreadLettersBySender(of person: ID<Person>) throws -> [ID<Person>: Int] {
        var counts: [ID<Person>: Int] = [:]
        try database.each(
            """
            SELECT l.from_person, count(*) FROM copy c JOIN letter l ON l.id = c.letter
            WHERE c.person = $1 AND c.is_read = 0 AND c.folder <> $2 AND l.from_person IS NOT NULL GROUP BY l.from_person
            """, [person.databaseValue, FolderPlace.bin.databaseValue]
        ) { counts[$0.id(0) ?? ID(0)] = $0.int(1) ?? 0 }
        return counts
    }

    public func draftCount(of person: ID<Person>) throws -> Int {
        try database.number(
            "SELECT count(*) FROM copy c JOIN letter l ON l.id = c.letter WHERE c.person = $1 AND l.sent = 0", person)
            ?? 0
    }

    private func withRecipients(_ copies: [LetterCopy]) throws -> [LetterCopy] {
        var copies = copies
        for index in copies.indices {
            copies[index].letter.to = try recipients(of: copies[index].letter.id)
        }
        return copies
    }

    func recipients(of letter: ID<Letter>) throws -> [Correspondent] {
        try database.rows(
            """
            SELECT p.id, p.name, k.thanatologist, k.number FROM letter_to t JOIN person p ON p.id = t.person
            LEFT JOIN client k ON k.person = p.id WHERE t.letter = $1 ORDER BY t.position
            """, letter
        ) { Correspondent(id: $0.id(0) ?? ID(0), name: $0.text(1) ?? "", thanatologist: $0.id(2), number: $0.int(3)) }
    }

    // MARK: Writing

    /// Writes a draft: a new one, or, with `draft`, that one anew.
    public func saveDraft(
        _ text: LetterText, _ draft: LetterCopy?, of person: ID<Person>, at: Instant
    ) throws -> ID<LetterCopy> {
        let number = try nextNumber(in: person)
        if let draft {
            try address(draft.letter.id, to: text.to)
            try write(text, to: draft.letter.id, at: at)
            try database.run(
                "UPDATE copy SET number = $2, at = $3, urgent = $4, folder = $5 WHERE id = $1", draft.id, number, at,
                text.isUrgent, FolderPlace.drafts)
            try removeWords(of: draft.number, person)
            try index(number, of: person, wordLines(of: draft.letter.id)(person))
            return draft.id
        }
        let letter = try addLetter(from: person, at: at)
        try address(letter, to: text.to, isNew: true)
        try write(text, to: letter, at: at)
        try index(number, of: person, wordLines(of: letter)(person))
        return try addCopy(
            of: letter, for: person, number, in: .drafts, isRead: true, isUrgent: text.isUrgent, at: at)
    }

    /// Sends a letter: to each recipient's inbox, and the sender's folder of sent letters. Returns the sender's copy, and each
    /// recipient's. A sent letter never changes.
    ///
    /// - Parameters:
    ///   - draft: the draft that becomes the letter.
    ///   - sender: nil for the practice itself.
    public func send(
        _ text: LetterText, _ draft: LetterCopy? = nil, from sender: ID<Person>?, at: Instant
    ) throws -> (own: ID<LetterCopy>?, arrived: [(person: ID<Person>, copy: ID<LetterCopy>)]) {
        let letter = try draft?.letter.id ?? addLetter(from: sender, at: at)
        try address(letter, to: text.to, isNew: draft == nil)
        let people = try people(on: letter)
        let names = people.map(\.person.name).joined(separator: "\n")
        try write(text, to: letter, at: at, sentTo: names)
        let lines = Self.wordLines([text.subject, text.body], names: names, from: sender, people)
        var own = draft?.id
        if let sender {
            let number = try nextNumber(in: sender)
            if let draft {
                try database.run(
                    "UPDATE copy SET number = $2, at = $3, urgent = $4, folder = $5 WHERE id = $1", draft.id, number,
                    at, text.isUrgent, FolderPlace.sent)
                try removeWords(of: draft.number, sender)
            } else {
                own = try addCopy(
                    of: letter, for: sender, number, in: .sent, isRead: true, isUrgent: text.isUrgent, at: at)
            }
            try index(number, of: sender, lines(sender))
        }
        let arrived = try text.to.map { person in
            let number = try nextNumber(in: person)
            let copy = try addCopy(
                of: letter, for: person, number, in: .inbox, isRead: false, isUrgent: text.isUrgent, at: at)
            try index(number, of: person, lines(person))
            return (person: person, copy: copy)
        }
        return (own, arrived)
    }

    /// Adds a letter in which nothing is written yet.
    private func addLetter(from sender: ID<Person>?, at: Instant) throws -> ID<Letter> {
        let added: ID<Letter>?? = try database.first(
            """
            INSERT INTO letter (thread, reply_to, from_person, subject, body, preview, names, urgent, at, sent, revision)
            VALUES (0, NULL, $1, '', '', '', '', 0, $2, 0, 0) RETURNING id
            """, sender, at
        ) { $0.id(0) }
        guard case .some(.some(let letter)) = added else { preconditionFailure("an added row is returned") }
        return letter
    }

    /// Writes a letter that is not sent yet, and raises its revision.
    ///
    /// - Parameter names: the names of its people; the letter is sent. Nil for a draft.
    private func write(_ text: LetterText, to letter: ID<Letter>, at: Instant, sentTo names: String? = nil) throws {
        // At once, because each change of the row writes all of it anew.
        try database.run(
            """
            UPDATE letter SET subject = $2, body = $3, preview = $4, urgent = $5, at = $6, reply_to = $7, about = $8,
            thread = coalesce((SELECT thread FROM letter WHERE id = $7), id), revision = revision + 1, names = $9, sent = $10
            WHERE id = $1
            """, letter, text.subject, text.body, LetterRules.preview(of: text.body), text.isUrgent, at, text.replyTo,
            text.about, names ?? "", names != nil)
    }

    private func address(_ letter: ID<Letter>, to people: [ID<Person>], isNew: Bool = false) throws {
        if !isNew { try database.run("DELETE FROM letter_to WHERE letter = $1", letter) }
        for (position, person) in people.enumerated() {
            try database.run(
                "INSERT INTO letter_to (letter, position, person) VALUES ($1, $2, $3)", letter, position, person)
        }
    }

    private func addCopy(
        of letter: ID<Letter>, for person: ID<Person>, _ number: Int, in folder: FolderPlace, isRead: Bool,
        isUrgent: Bool, at: Instant
    ) throws -> ID<LetterCopy> {
        let added: ID<LetterCopy>?? = try database.first(
            """
            INSERT INTO copy (person, number, folder, letter, at, is_read, urgent) VALUES ($1, $2, $3, $4, $5, $6, $7)
            RETURNING id
            """, person, number, folder, letter, at, isRead, isUrgent
        ) { $0.id(0) }
        guard case .some(.some(let copy)) = added else { preconditionFailure("an added row is returned") }
        return copy
    }

    /// The next number of a mailbox, without gaps.
    private func nextNumber(in mailbox: ID<Person>) throws -> Int {
        let number = try database.number(
            """
            INSERT INTO mailbox (person, number) VALUES ($1, 1)
            ON CONFLICT (person) DO UPDATE SET number = mailbox.number + 1 RETURNING number
            """, mailbox)
        guard let number else { preconditionFailure("a mailbox returns its number") }
        return number
    }

    // MARK: A person's copies

    public func mark(_ copies: [LetterCopy], isRead: Bool) throws {
        for copy in copies { try database.run("UPDATE copy SET is_read = $2 WHERE id = $1", copy.id, isRead) }
    }

    public func move(_ copies: [LetterCopy], to folder: FolderPlace) throws {
        for copy in copies { try database.run("UPDATE copy SET folder = $2 WHERE id = $1", copy.id, folder) }
    }

    /// Removes a person's copies. Of a letter that was sent everybody else's stay.
    public func remove(_ copies: [LetterCopy], of person: ID<Person>) throws {
        for copy in copies {
            try removeWords(of: copy.number, person)
            try database.run("DELETE FROM copy WHERE id = $1", copy.id)
            if copy.isDraft {
                try database.run("DELETE FROM letter_to WHERE letter = $1", copy.letter.id)
                try database.run("DELETE FROM letter WHERE id = $1", copy.letter.id)
            }
        }
    }

    /// The letters that a person, `$1`, wrote or got. With OR, PostgreSQL would read all letters.
    static let lettersOfPerson =
        "SELECT id FROM letter WHERE from_person = $1 UNION SELECT letter FROM letter_to WHERE person = $1"

    /// A letter's sender and recipients, with their roles.
    func people(on letter: ID<Letter>) throws -> [(person: Correspondent, role: Role)] {
        try database.rows(
            """
            SELECT p.id, p.name, k.thanatologist, p.role FROM person p LEFT JOIN client k ON k.person = p.id
            WHERE p.id IN (SELECT from_person FROM letter WHERE id = $1
            UNION SELECT person FROM letter_to WHERE letter = $1)
            """, letter
        ) {
            (
                person: Correspondent(id: $0.id(0) ?? ID(0), name: $0.text(1) ?? "", thanatologist: $0.id(2)),
                role: Role(rawValue: $0.text(3) ?? "") ?? .client
            )
        }
    }

    // MARK: Searching

    /// The words by which each of a letter's people finds it: of its subject, its body, and the names that they may know.
    func wordLines(of letter: ID<Letter>) throws -> (ID<Person>) -> [String] {
        let texts = try database.first(
            "SELECT subject, body, names, from_person, sent FROM letter WHERE id = $1", letter
        ) {
            (
                words: [$0.text(0) ?? "", $0.text(1) ?? ""], names: $0.text(2) ?? "",
                writer: $0.id(3) as ID<Person>?, isSent: $0.bool(4) ?? false
            )
        }
        guard let texts else { return { _ in [] } }
        let people = try people(on: letter)
        // The names of its time are written down once it is sent.
        let names = texts.isSent ? texts.names : people.map(\.person.name).joined(separator: "\n")
        return Self.wordLines(texts.words, names: names, from: texts.writer, people)
    }

    private static func wordLines(
        _ words: [String], names: String, from writer: ID<Person>?, _ people: [(person: Correspondent, role: Role)]
    ) -> (ID<Person>) -> [String] {
        let all = SearchWords.lines(of: words + [names])
        lazy var ofText = SearchWords.lines(of: words)
        return { reader in
            let role = people.first { $0.person.id == reader }?.role ?? .client
            let known = people.map(\.person).filter { $0.isKnown(to: reader, role) }
            if reader == writer || known.count == people.count { return all }
            return ofText + SearchWords.lines(of: known.map(\.name))
        }
    }

    func index(_ number: Int, of person: ID<Person>, _ lines: [String]) throws {
        for (part, words) in lines.enumerated() {
            try database.run(
                "INSERT INTO copy_words (person, number, part, words) VALUES ($1, $2, $3, $4)", person, number, part,
                words)
        }
    }

    /// The step to the version in which drafts are found by their words.
    func indexDrafts() throws {
        let drafts = try database.rows(
            "SELECT c.person, c.number, c.letter FROM letter l JOIN copy c ON c.letter = l.id WHERE l.sent = 0"
        ) { (person: $0.id(0) ?? ID<Person>(0), number: $0.int(1) ?? 0, letter: $0.id(2) ?? ID<Letter>(0)) }
        for draft in drafts {
            try removeWords(of: draft.number, draft.person)
            try index(draft.number, of: draft.person, wordLines(of: draft.letter)(draft.person))
        }
    }

    func removeWords(of number: Int, _ person: ID<Person>) throws {
        try database.run("DELETE FROM copy_words WHERE person = $1 AND number = $2", person, number)
    }
}
