import PracticeRules
import Storage

// The letters of erased clients.
extension Store {
    /// A letter of a conversation in which a client who is being erased has a part.
    private struct Touched {
        let letter: ID<Letter>
        let answered: ID<Letter>?
        /// The client wrote it, is one of its recipients, or is whom it is about.
        let hasClient: Bool
        /// It goes whoever else has it.
        let isTheirs: Bool
    }

    /// Removes the letters of a client who is being erased from every mailbox: those that they wrote, that were for nobody else,
    /// or that the practice itself wrote about them; and whatever answers one of these, because it quotes it, and has its
    /// subject. Of the other letters in the same conversations the client's copy goes, and their name out of the words.
    func eraseLetters(of client: Person) throws {
        let all = try touchedLetters(client.id)
        var gone = Set(all.filter(\.isTheirs).map(\.letter))
        var count = -1
        while gone.count != count {
            count = gone.count
            for letter in all {
                if let answered = letter.answered, gone.contains(answered) { gone.insert(letter.letter) }
            }
        }
        // The triggers look for the client in the conversation: the letters with the client come last.
        let kept = all.filter { !gone.contains($0.letter) }
        for letter in kept { try takeOut(client, of: letter.letter) }
        for letter in all where gone.contains(letter.letter) && !letter.hasClient { try removeForAll(letter.letter) }
        for letter in all where gone.contains(letter.letter) && letter.hasClient { try removeForAll(letter.letter) }
        for letter in kept {
            try database.run("DELETE FROM letter_to WHERE letter = $1 AND person = $2", letter.letter, client.id)
            try indexAnew(letter.letter)
        }
        for table in ["copy_words", "folder", "mailbox", "dismissal"] {
            try database.run("DELETE FROM \(table) WHERE person = $1", client.id)
        }
    }

    private func touchedLetters(_ client: ID<Person>) throws -> [Touched] {
        try database.rows(
            """
            SELECT l.id, l.reply_to, coalesce(l.from_person, 0) = $1
            OR EXISTS (SELECT 1 FROM letter_to t WHERE t.letter = l.id AND t.person = $1),
            coalesce(l.about, 0) = $1, l.sent = 1 AND coalesce(l.from_person, 0) <> $1
            AND EXISTS (SELECT 1 FROM letter_to o WHERE o.letter = l.id AND o.person <> $1)
            FROM letter l WHERE l.thread IN (SELECT thread FROM letter WHERE id IN (\(Self.lettersOfPerson))
            UNION SELECT thread FROM letter WHERE about = $1) ORDER BY l.id
            """, client
        ) { row in
            let (hasClient, isAbout, isOthersToo) = (row.bool(2) == true, row.bool(3) == true, row.bool(4) == true)
            return Touched(
                letter: row.id(0) ?? ID(0), answered: row.id(1), hasClient: hasClient || isAbout,
                isTheirs: isAbout || hasClient && !isOthersToo)
        }
    }

    /// Takes a client's copy of a letter away, and their name out of what the others read and find.
    private func takeOut(_ client: Person, of letter: ID<Letter>) throws {
        for number in try holders(of: letter).filter({ $0.person == client.id }).map(\.number) {
            try removeWords(of: number, client.id)
            try database.run("DELETE FROM copy WHERE person = $1 AND number = $2", client.id, number)
        }
        let names = try people(on: letter).map(\.person).filter { $0.id != client.id }.map(\.name)
        let texts = try database.first("SELECT subject, body, sent, names FROM letter WHERE id = $1", letter) {
            (subject: $0.text(0) ?? "", body: $0.text(1) ?? "", isSent: $0.bool(2) ?? false, names: $0.text(3) ?? "")
        }
        guard let texts else { return }
        // A name in the letter that none of the others has now may be the client's of that time.
        let former = Set(texts.names.split(separator: "\n").map(String.init)).subtracting(names)
        let name = ErasedName(former.sorted() + [client.name])
        let body = name.takenOut(of: texts.body)
        try database.run(
            "UPDATE letter SET subject = $2, body = $3, preview = $4, names = $5 WHERE id = $1", letter,
            name.takenOut(of: texts.subject), body, LetterRules.preview(of: body),
            texts.isSent ? names.joined(separator: "\n") : "")
    }

    private func holders(of letter: ID<Letter>) throws -> [(person: ID<Person>, number: Int)] {
        try database.rows("SELECT person, number FROM copy WHERE letter = $1", letter) {
            (person: $0.id(0) ?? ID(0), number: $0.int(1) ?? 0)
        }
    }

    private func removeForAll(_ letter: ID<Letter>) throws {
        for (person, number) in try holders(of: letter) { try removeWords(of: number, person) }
        try database.run("DELETE FROM copy WHERE letter = $1", letter)
        try database.run("DELETE FROM letter WHERE id = $1", letter)
        try database.run("DELETE FROM letter_to WHERE letter = $1", letter)
    }

    /// Writes the words by which a letter is found anew.
    private func indexAnew(_ letter: ID<Letter>) throws {
        let lines = try wordLines(of: letter)
        for (person, number) in try holders(of: letter) {
            try removeWords(of: number, person)
            try index(number, of: person, lines(person))
        }
    }

    /// The step to the version in which letters of the practice itself name whom they are about. Removes what erasures by
    /// earlier versions left: letters about clients who are there no more, and answers to letters that are there no more.
    func eraseWhatWasLeft() throws {
        let told = "from_person IS NULL AND subject LIKE 'A machine comes in as No. %'"
        try database.run(
            """
            UPDATE letter SET about = (SELECT k.person FROM client k WHERE k.number = CAST(substr(letter.subject, 27) AS BIGINT))
            WHERE \(told)
            """)
        let left: [ID<Letter>] = try database.rows(
            """
            WITH RECURSIVE gone (id, thread) AS (
            SELECT l.id, l.thread FROM letter l WHERE l.about IS NULL AND \(told)
            OR l.reply_to IS NOT NULL AND NOT EXISTS (SELECT 1 FROM letter o WHERE o.id = l.reply_to)
            UNION SELECT l.id, l.thread FROM letter l JOIN gone g ON l.thread = g.thread AND l.reply_to = g.id)
            SELECT id FROM gone ORDER BY id
            """
        ) { $0.id(0) ?? ID(0) }
        for letter in left { try removeForAll(letter) }
        // Backups have them, too.
        if !left.isEmpty { try state(.outdatedCopies, "1") }
    }
}

/// The name of an erased client, to be taken out of texts that others keep.
struct ErasedName {
    private let words: Set<String>

    /// Words that begin with a small letter, such as "de la", and single letters tell of nobody, unless there are no others. The
    /// whole name without blanks is one more word, as 李 小龍 is written.
    init(_ name: String) { self.init([name]) }

    /// All names that the client had.
    init(_ names: [String]) {
        words = Set(names.flatMap(Self.words).map(Collation.folded))
    }

    private static func words(of name: String) -> [String] {
        let all = parts(of: name).filter(\.isWord).map(\.text)
        let telling = all.filter { $0.first?.isLowercase == false && $0.utf8.count > 1 }
        return (telling.isEmpty ? all : telling) + [all.joined()]
    }

    /// The text with a "…" in the place of each of the name's words, whatever their case and accents.
    func takenOut(of text: String) -> String {
        let folded = Collation.folded(text)
        guard words.contains(where: folded.contains) else { return text }
        return Self.parts(of: text).map {
            $0.isWord && words.contains(Collation.folded($0.text)) ? "…" : $0.text
        }.joined()
    }

    /// The text as words, and what stands between them.
    private static func parts(of text: String) -> [(text: String, isWord: Bool)] {
        var parts: [(text: String, isWord: Bool)] = []
        var (part, isWord) = (String.UnicodeScalarView(), false)
        for scalar in text.unicodeScalars {
            let belongs = scalar.isOfWord || isWord && scalar.properties.generalCategory == .nonspacingMark
            if belongs != isWord {
                parts.append((String(part), isWord))
                (part, isWord) = (String.UnicodeScalarView(), belongs)
            }
            part.append(scalar)
        }
        return parts + [(String(part), isWord)]
    }
}
