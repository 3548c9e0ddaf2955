public import PracticeRules
import Storage

extension Store {
    /// Somebody to whom another person may write, unless `isClosed`.
    public struct Addressee: Sendable {
        public let id: ID<Person>
        public let name: String
        public let role: Role
        /// The record's number; nil for those who are no clients.
        public let number: Int?
        /// The record of a thanatologist's client is closed.
        public let isClosed: Bool
        let sortKey: String
    }

    /// The people to whom somebody may write, by name: those whom ``LetterRules/mayWrite(_:to:isTheirs:isOpen:)`` allows.
    /// - Parameter withClosed: also a thanatologist's clients whose records are closed.
    public func correspondents(
        of writer: Person, named query: String, withClosed: Bool, _ page: PageRequest
    ) throws -> Page<Addressee> {
        let staff = "person p WHERE p.role <> 'client'"
        let (byName, byClientsName) = ("p.sort_key, p.id", "k.sort_key, k.person")
        func own(_ open: Int) -> (String, String) {
            ("client k JOIN person p ON p.id = k.person WHERE k.thanatologist = $1 AND k.open = \(open)", byClientsName)
        }
        let allowed =
            switch writer.role {
            case .administrator, .support: [("person p WHERE 1 = 1", byName)]
            case .thanatologist: [(staff, byName), own(1)] + (withClosed ? [own(0)] : [])
            case .client:
                [
                    (staff + " AND p.role = 'support'", byName),
                    ("client k JOIN person p ON p.id = k.thanatologist WHERE k.person = $1 AND k.open = 1", byName),
                ]
            }
        let start = page.after ?? .first
        // Each of them from an index in that order, and no more than a page.
        let parts = allowed.map { people, order in
            """
            SELECT * FROM (SELECT p.id, p.name, p.role, p.sort_key FROM \(people) AND p.active = 1 AND p.id <> $1
            AND p.folded LIKE $2 ESCAPE '\\' AND (\(order)) > ($3, $4) ORDER BY \(order) LIMIT $5) AS part
            """
        }
        let found = try database.rows(
            """
            SELECT id, name, role, (SELECT c.number FROM client c WHERE c.person = allowed.id),
            (SELECT c.open FROM client c WHERE c.person = allowed.id), sort_key
            FROM (\(parts.joined(separator: " UNION ALL "))) AS allowed ORDER BY sort_key, id LIMIT $5
            """, writer.id, Collation.pattern(finding: query), start.sortKey, start.id, page.limit + 1
        ) {
            Addressee(
                id: $0.id(0) ?? ID<Person>(0), name: $0.text(1) ?? "",
                role: Role(rawValue: $0.text(2) ?? "") ?? .client, number: $0.int(3),
                isClosed: writer.role == .thanatologist && $0.bool(4) == false, sortKey: $0.text(5) ?? "")
        }
        return Page(found, page) { PageStart(sortKey: $0.sortKey, id: $0.id.number) }
    }
}
