import Storage

/// A word for sessions, which reports count: a motive of attention, or a tool.
public struct Term: Equatable, Sendable, Identified {
    public static let letter: Character = "t"

    public let id: ID<Term>
    public let word: String
    public let isOffered: Bool

    init(_ row: borrowing Row) {
        id = row.id(0) ?? ID(0)
        word = row.text(1) ?? ""
        isOffered = row.bool(2) ?? false
    }
}

extension Store {
    /// The words of a vocabulary (`motives`, `tools`), in alphabetical order, includes services that are no longer offered.
    public func terms(in vocabulary: String) throws -> [Term] {
        try database.rows(
            "SELECT id, word, offered FROM term WHERE vocabulary = $1 ORDER BY sort_key, id", vocabulary
        ) { Term($0) }
    }

    public func term(_ id: ID<Term>) throws -> Term? {
        try database.first("SELECT id, word, offered FROM term WHERE id = $1", id) { Term($0) }
    }

    /// The word, compared without case.
    public func term(_ word: String, in vocabulary: String) throws -> Term? {
        try database.first(
            "SELECT id, word, offered FROM term WHERE vocabulary = $1 AND lowered = $2", vocabulary, word.lowercased()
        ) { Term($0) }
    }

    /// True if the vocabulary has the word and offers it.
    public func isOffered(_ term: ID<Term>, in vocabulary: String) throws -> Bool {
        try database.number("SELECT offered FROM term WHERE id = $1 AND vocabulary = $2", term, vocabulary) == 1
    }

    public func termCount(in vocabulary: String) throws -> Int {
        try database.number("SELECT count(*) FROM term WHERE vocabulary = $1", vocabulary) ?? 0
    }

    public func addTerm(_ word: String, in vocabulary: String) throws -> Term {
        let added = try database.first(
            """
            INSERT INTO term (vocabulary, word, lowered, sort_key, offered) VALUES ($1, $2, $3, $4, 1)
            RETURNING id, word, offered
            """, vocabulary, word, word.lowercased(), collation.key(of: word)
        ) { Term($0) }
        guard let added else { preconditionFailure("an added row is returned") }
        return added
    }

    /// Stops offering a word, or offers it again. Sessions keep it.
    public func offer(_ term: ID<Term>, _ isOffered: Bool) throws -> Term? {
        try database.first("UPDATE term SET offered = $2 WHERE id = $1 RETURNING id, word, offered", term, isOffered) {
            Term($0)
        }
    }
}
