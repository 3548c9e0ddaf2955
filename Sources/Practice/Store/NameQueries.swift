import Storage
public import Time

// Finds services, words and clients by the names in a spreadsheet.
extension Store {
    /// The identifiers of the offered services, by their folded names.
    public func offeredServices() throws -> [String: [String]] {
        try byName("SELECT name, id FROM service WHERE offered = 1 ORDER BY id", "v")
    }

    public func offeredWords(in vocabulary: String) throws -> [String: String] {
        try byName("SELECT word, id FROM term WHERE offered = 1 AND vocabulary = $1 ORDER BY id", "t", vocabulary)
            .compactMapValues(\.first)
    }

    private func byName(_ sql: String, _ letter: Character, _ values: String...) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        try database.each(sql, values.map { .text($0) }) {
            found[Collation.folded($0.text(0) ?? ""), default: []].append("\(letter)\($0.integer(1) ?? 0)")
        }
        return found
    }

    /// The numbers of all clients, by their folded names.
    public func clientNumbers() throws -> [String: [Int]] {
        var found: [String: [Int]] = [:]
        try database.each(
            "SELECT p.folded, c.number FROM client c JOIN person p ON p.id = c.person ORDER BY c.number"
        ) { found[$0.text(0) ?? "", default: []].append($0.int(1) ?? 0) }
        return found
    }

    /// The clients of that name, without case and accents, in the order of their numbers; `limit` at most.
    ///
    /// - Parameters:
    ///   - holder: the thanatologist whose clients count; nil for all clients.
    ///   - born: clients who were born on another day do not count; nil if the day is not known or may not be compared.
    public func namesakes(
        of name: String, born: CalendarDay?, of holder: ID<Person>?, limit: Int
    ) throws -> [(client: ID<Person>, number: Int, name: String)] {
        try database.rows(
            """
            SELECT c.person, c.number, p.name FROM client c JOIN person p ON p.id = c.person
            WHERE p.folded = $1 AND (c.thanatologist = $2 OR $2 IS NULL)
            AND (c.born = $3 OR c.born IS NULL OR $3 IS NULL) ORDER BY c.number LIMIT $4
            """, Collation.folded(name), holder, born, limit
        ) { (client: $0.id(0) ?? ID(0), number: $0.int(1) ?? 0, name: $0.text(2) ?? "") }
    }

    /// The clients with this number or exactly this name, and their thanatologists; two at most.
    public func clients(
        numbered number: Int, orNamed name: String
    ) throws -> [(client: ID<Person>, thanatologist: ID<Person>)] {
        try database.rows(
            """
            SELECT c.person, c.thanatologist FROM client c JOIN person p ON p.id = c.person
            WHERE c.number = $1 OR p.folded = $2 ORDER BY c.person LIMIT 2
            """, number, Collation.folded(name)
        ) { (client: $0.id(0) ?? ID(0), thanatologist: $0.id(1) ?? ID(0)) }
    }
}
