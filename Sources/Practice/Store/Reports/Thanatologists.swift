import Storage

extension Store {
    /// A thanatologist, or somebody else of the staff who has held sessions.
    public struct Thanatologist: Equatable, Sendable {
        public let id: ID<Person>
        public let name: String
        public let isActive: Bool
    }

    /// Everybody who holds or held sessions, by name; also people who left.
    public func thanatologists() throws -> [Thanatologist] {
        try database.rows(
            """
            SELECT p.id, p.name, p.active FROM person p WHERE p.role <> 'client' AND (p.role = 'thanatologist'
            OR EXISTS (SELECT 1 FROM session s WHERE s.thanatologist = p.id)) ORDER BY p.sort_key, p.id
            """
        ) { Thanatologist(id: $0.id(0) ?? ID(0), name: $0.text(1) ?? "", isActive: $0.bool(2) ?? false) }
    }

    /// The greatest number of a client; 0 if there is none.
    public func greatestClient() throws -> Int {
        try database.number("SELECT max(person) FROM client") ?? 0
    }
}
