public import PracticeRules
import Storage

/// A service that the practice offers.
public struct Service: Equatable, Sendable, Identified {
    public static let letter: Character = "v"

    public let id: ID<Service>
    public var category: String
    public var name: String
    public var description: String
    public var minutes: Int?
    public var fee: Int?
    public var link: String?
    public var isOffered: Bool
    public let hasPicture: Bool
    public let revision: Int

    /// A service before it is added.
    public init() {
        (id, category, name, description) = (ID(0), "", "", "")
        (minutes, fee, link, isOffered, hasPicture, revision) = (nil, nil, nil, true, false, 0)
    }

    init(_ row: borrowing Row) {
        id = row.id(0) ?? ID(0)
        (category, name, description) = (row.text(1) ?? "", row.text(2) ?? "", row.text(3) ?? "")
        (minutes, fee, link) = (row.int(4), row.int(5), row.text(6))
        isOffered = row.bool(7) ?? false
        revision = row.int(8) ?? 0
        hasPicture = !row.isNull(9)
    }
}

extension Store {
    private static let columns = """
        s.id, s.category, s.name, s.description, s.minutes, s.fee, s.link, s.offered, s.revision, p.service \
        FROM service s LEFT JOIN picture p ON p.service = s.id
        """

    /// The services, sorted by category and name. An empty category stands for all.
    ///
    /// - Parameter all: includes services that are no longer offered.
    public func services(in category: String = "", all: Bool) throws -> [Service] {
        try database.rows(
            """
            SELECT \(Self.columns) WHERE s.offered >= $1 AND ($2 = '' OR s.category = $2)
            ORDER BY s.category_key, s.category, s.sort_key, s.id
            """, all ? 0 : 1, category
        ) { Service($0) }
    }

    /// The categories that have services, in alphabetical order.
    public func categories(all: Bool) throws -> [String] {
        try database.rows(
            """
            SELECT category FROM service WHERE offered >= $1 GROUP BY category_key, category
            ORDER BY category_key, category
            """, all ? 0 : 1
        ) { $0.text(0) ?? "" }
    }

    public func service(_ id: ID<Service>) throws -> Service? {
        try database.first("SELECT \(Self.columns) WHERE s.id = $1", id) { Service($0) }
    }

    public func isOffered(_ service: ID<Service>) throws -> Bool {
        try database.number("SELECT offered FROM service WHERE id = $1", service) == 1
    }

    public func serviceCount() throws -> Int { try database.number("SELECT count(*) FROM service") ?? 0 }

    public func add(_ service: Service) throws -> ID<Service> {
        let id = try database.number(
            """
            INSERT INTO service (category, category_key, name, sort_key, description, minutes, fee, link, offered, revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1) RETURNING id
            """, service.category, collation.key(of: service.category), service.name,
            collation.key(of: service.name), service.description, service.minutes, service.fee, service.link,
            service.isOffered)
        guard let id else { preconditionFailure("an added row is returned") }
        return ID(Int64(id))
    }

    /// Writes a service's editable fields, and raises the revision.
    public func update(_ service: Service) throws {
        try database.run(
            """
            UPDATE service SET category = $2, category_key = $3, name = $4, sort_key = $5, description = $6, minutes = $7,
            fee = $8, link = $9, offered = $10, revision = revision + 1 WHERE id = $1
            """, service.id, service.category, collation.key(of: service.category), service.name,
            collation.key(of: service.name), service.description, service.minutes, service.fee, service.link,
            service.isOffered)
    }

    /// The picture of a service; nil if there is none, or the service is not offered.
    ///
    /// - Parameter all: includes services that are no longer offered.
    public func picture(of service: ID<Service>, all: Bool) throws -> Picture? {
        try database.first(
            """
            SELECT p.type, p.bytes FROM picture p JOIN service s ON s.id = p.service
            WHERE p.service = $1 AND s.offered >= $2
            """, service, all ? 0 : 1
        ) { Picture(type: $0.text(0) ?? "", bytes: $0.blob(1) ?? []) }
    }

    /// Replaces the picture; nil removes it.
    public func setPicture(_ picture: Picture?, of service: ID<Service>) throws {
        guard let picture else { return try database.run("DELETE FROM picture WHERE service = $1", service) }
        try database.run(
            """
            INSERT INTO picture (service, type, bytes) VALUES ($1, $2, $3)
            ON CONFLICT (service) DO UPDATE SET type = excluded.type, bytes = excluded.bytes
            """, service, picture.type, picture.bytes)
    }
}
