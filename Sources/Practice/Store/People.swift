public import PracticeRules
import Storage
public import Time

/// A person of the practice: staff or a client.
public struct Person: Equatable, Sendable, Identified {
    public static let letter: Character = "p"

    public let id: ID<Person>
    public var role: Role
    public var name: String
    public var account: String?
    public var email: String?
    public var phone: String?
    /// False after a person left. They can no longer log in; their data stays.
    public var isActive: Bool
    public var since: CalendarDay
    public var revision: Int
}

extension Store {
    private static let columns = "id, role, name, account, email, phone, active, since, revision"

    static func person(_ row: borrowing Row, from first: Int = 0) -> Person {
        Person(
            id: row.id(first) ?? ID(0), role: Role(rawValue: row.text(first + 1) ?? "") ?? .client,
            name: row.text(first + 2) ?? "", account: row.text(first + 3), email: row.text(first + 4),
            phone: row.text(first + 5), isActive: row.bool(first + 6) ?? false,
            since: row.day(first + 7) ?? CalendarDay(ordinal: 0), revision: row.int(first + 8) ?? 0)
    }

    /// Nil if there is none.
    public func person(_ id: ID<Person>) throws -> Person? {
        try database.first("SELECT \(Self.columns) FROM person WHERE id = $1", id) { Self.person($0) }
    }

    /// The active person with that Unix account.
    public func person(account: String) throws -> Person? {
        try database.first("SELECT \(Self.columns) FROM person WHERE account = $1 AND active = 1", account) {
            Self.person($0)
        }
    }

    /// Adds a person with a new identifier.
    public func addPerson(
        role: Role, name: String, account: String?, email: String?, phone: String?, since: CalendarDay
    ) throws -> Person {
        let added = try database.first(
            """
            INSERT INTO person (role, name, sort_key, folded, account, email, phone, active, since, revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, 1) RETURNING \(Self.columns)
            """, role.rawValue, name, collation.key(of: name), Collation.folded(name), account, email, phone, since
        ) { Self.person($0) }
        guard let added else { preconditionFailure("an added row is returned") }
        return added
    }

    /// Writes a person's editable fields, and raises the revision.
    public func update(_ person: Person) throws -> Person {
        let updated = try database.first(
            """
            UPDATE person SET role = $2, name = $3, sort_key = $4, folded = $5, account = $6, email = $7, phone = $8,
            active = $9, revision = revision + 1 WHERE id = $1 RETURNING \(Self.columns)
            """, person.id, person.role.rawValue, person.name, collation.key(of: person.name),
            Collation.folded(person.name), person.account, person.email, person.phone, person.isActive
        ) { Self.person($0) }
        guard let updated else { preconditionFailure("\(person.id) is there while it is edited") }
        return updated
    }

    /// The active people with this identifier or exactly this name; if there are none, those with the text in their name. At
    /// most twenty, sorted by name.
    public func people(named text: String) throws -> [Person] {
        if let person = try person(ID(text)), person.isActive { return [person] }
        let wanted = Collation.folded(text)
        let all = try people("SELECT \(Self.columns) FROM person WHERE active = 1 ORDER BY sort_key, id")
        let exact = all.filter { Collation.folded($0.name) == wanted }
        return exact.isEmpty ? Array(all.filter { Collation.folded($0.name).contains(wanted) }.prefix(20)) : exact
    }

    private func people(_ sql: String) throws -> [Person] { try database.rows(sql) { Self.person($0) } }

    // MARK: Staff

    /// The filter of the list of staff.
    public struct StaffFilter: Sendable {
        /// Nil for all roles.
        public var role: Role?
        /// Parts of a name; empty for all.
        public var query = ""
        /// Also lists people who left.
        public var alsoInactive = false

        public init() {}
    }

    /// A page of staff, sorted by name, and the total of all pages.
    public func staff(_ filter: StaffFilter, _ page: PageRequest) throws -> (page: Page<Person>, total: Int) {
        let wanted =
            "role <> 'client' AND ($1 = '' OR role = $1) AND active >= $2 AND folded LIKE $3 ESCAPE '\\'"
        let (role, active) = (filter.role?.rawValue ?? "", filter.alsoInactive ? 0 : 1)
        let name = Collation.pattern(finding: filter.query)
        let start = page.after ?? .first
        let found = try database.rows(
            """
            SELECT \(Self.columns), sort_key FROM person WHERE \(wanted) AND (sort_key, id) > ($4, $5)
            ORDER BY sort_key, id LIMIT $6
            """, role, active, name, start.sortKey, start.id, page.limit + 1
        ) { (person: Self.person($0), sortKey: $0.text(9) ?? "") }
        let total = try database.number("SELECT count(*) FROM person WHERE \(wanted)", role, active, name) ?? 0
        let rows = Page(found, page) { PageStart(sortKey: $0.sortKey, id: $0.person.id.number) }
        return (rows.map { $0.person }, total)
    }

    /// The letter of a person's section in a list.
    public func section(of person: Person) -> String { collation.section(of: person.name) }

    public func activeAdministrators() throws -> Int {
        try database.number("SELECT count(*) FROM person WHERE role = 'administrator' AND active = 1") ?? 0
    }

    // MARK: Clients of a thanatologist

    /// Nil if the person is no client.
    public func thanatologist(of client: ID<Person>) throws -> ID<Person>? {
        try database.first("SELECT thanatologist FROM client WHERE person = $1", client) { $0.id(0) } ?? nil
    }

    /// The number of a thanatologist's clients, with open and closed records.
    public func clientCount(of thanatologist: ID<Person>) throws -> Int {
        try database.number("SELECT count(*) FROM client WHERE thanatologist = $1", thanatologist) ?? 0
    }
}
