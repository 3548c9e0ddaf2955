import Storage
public import Time

// Finds services, words and clients by the names in a spreadsheet.
extension Store {
    /// The identifiers of the offered services, by their folded names.
    public func offeredServices() throws -> [String: [String]] {
        try byName("SELECT name, id FROM service WHERE offered = 1 ORDER BY id", "v")
    }

    /// The offered words, with their identifiers, by their folded spellings.
    public func offeredWords(in vocabulary: String) throws -> [String: [(id: String, word: String)]] {
        let words = try database.rows(
            "SELECT word, id FROM term WHERE offered = 1 AND vocabulary = $1 ORDER BY id", vocabulary
        ) { (id: "t\($0.integer(1) ?? 0)", word: $0.text(0) ?? "") }
        return Dictionary(grouping: words) { Collation.folded($0.word) }
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

    /// The thanatologists who work here and who have left, with their folded names.
    public func namedThanatologists() throws -> [(id: ID<Person>, folded: String, isActive: Bool)] {
        // The first condition is that of the index of staff.
        try database.rows(
            """
            SELECT id, folded, active FROM person WHERE role <> 'client' AND role = 'thanatologist'
            ORDER BY sort_key, id
            """
        ) { (id: $0.id(0) ?? ID(0), folded: $0.text(1) ?? "", isActive: $0.int(2) == 1) }
    }

    /// All clients, with open and closed records. A query by a name reads as much, because folded names have no index.
    public func knownClients() throws -> KnownClients {
        var known = KnownClients()
        try database.each(
            """
            SELECT c.person, c.thanatologist, c.number, p.folded FROM client c JOIN person p ON p.id = c.person
            ORDER BY c.person
            """
        ) { row in
            known.add(
                (client: row.id(0) ?? ID(0), thanatologist: row.id(1) ?? ID(0)), number: row.int(2) ?? 0,
                folded: row.text(3) ?? "")
        }
        return known
    }

    /// The clients of one instant, by their numbers and names.
    public struct KnownClients {
        public typealias Client = (client: ID<Person>, thanatologist: ID<Person>)

        private var byNumber: [Int: Client] = [:]
        /// By their folded names, in the order of their identifiers; two at most, which are as unclear as more.
        private var byName: [String: [Client]] = [:]

        fileprivate init() {}

        fileprivate mutating func add(_ client: Client, number: Int, folded name: String) {
            byNumber[number] = client
            if byName[name, default: []].count < 2 { byName[name, default: []].append(client) }
        }

        /// The clients with this number or exactly this name, without case and accents, and their thanatologists; two at most.
        public func found(numbered number: Int, orNamed name: String) -> [Client] {
            let named = byName[Collation.folded(name)] ?? []
            guard let numbered = byNumber[number], !named.contains(where: { $0.client == numbered.client }) else {
                return named
            }
            return Array((named + [numbered]).sorted { $0.client.number < $1.client.number }.prefix(2))
        }
    }
}
