public import PracticeRules
import Storage

extension Store {
    /// The people to whom somebody may write, by name: those whom ``LetterRules/mayWrite(_:to:isTheirs:isOpen:)`` allows.
    public func correspondents(
        of writer: Person, named query: String, _ page: PageRequest
    ) throws -> Page<(id: ID<Person>, name: String, role: Role)> {
        let allowed =
            switch writer.role {
            case .administrator, .support: "1 = 1"
            case .thanatologist:
                """
                p.id IN (SELECT s.id FROM person s WHERE s.role <> 'client'
                UNION SELECT k.person FROM client k WHERE k.thanatologist = $1 AND k.open = 1)
                """
            case .client:
                """
                p.id IN (SELECT s.id FROM person s WHERE s.role <> 'client' AND s.role = 'support'
                UNION SELECT m.thanatologist FROM client m WHERE m.person = $1 AND m.open = 1)
                """
            }
        let start = page.after ?? .first
        let found = try database.rows(
            """
            SELECT p.id, p.name, p.role FROM person p
            WHERE p.active = 1 AND p.id <> $1 AND p.folded LIKE $2 ESCAPE '\\' AND (p.sort_key, p.id) > ($3, $4)
            AND \(allowed) ORDER BY p.sort_key, p.id LIMIT $5
            """, writer.id, Collation.pattern(finding: query), start.sortKey, start.id, page.limit + 1
        ) { (id: $0.id(0) ?? ID<Person>(0), name: $0.text(1) ?? "", role: Role(rawValue: $0.text(2) ?? "") ?? .client) }
        return Page(found, page) { PageStart(sortKey: collation.key(of: $0.name), id: $0.id.number) }
    }
}
