import PostgreSQL
import Storage

// A practice that is kept by a server of PostgreSQL.
extension Store {
    /// Connects. Where the tables of the address's schema are missing or older, or not for the address's role, they are made so.
    ///
    /// Throws ``StoreError`` if a newer Daybreak made them, if an earlier one serves them or if the role may not, and an error of
    /// PostgreSQL.
    ///
    /// - Parameter migration: the address for the role that owns the tables. Empty: the first one's role owns them.
    public convenience init(
        server address: String, migration: String = "", collation: Collation = Collation()
    ) throws {
        let database = try PostgreSQL(address, .writing, program: "practiced")
        self.init(database, .postgreSQL, collation)
        if try !isReady() {
            let owner = try Self.patient(migration.isEmpty ? address : migration, collation)
            do { try owner.migrate(for: try Roles(database).name) } catch let error as PostgreSQLError
                where error.kind == .notAllowed
            {
                throw StoreError.notMigrated
            }
            guard try isReady() else { throw StoreError.migratedElsewhere }
        }
        guard try hasOtherSortKeys() else { return }
        let patient = try Self.patient(address, collation)
        try patient.transaction { try patient.updateSortKeys() }
    }

    /// A connection for changes of the whole practice: a statement may take as long as the practice is large. With the patience
    /// of calls, a large practice could never be upgraded. A daemon that is stopped meanwhile holds its locks for minutes alone.
    private static func patient(_ address: String, _ collation: Collation) throws -> Store {
        let day = Duration.seconds(86_400)
        return Store(
            try PostgreSQL(address, .writing, program: "practiced", patience: day, pause: .seconds(300)), .postgreSQL,
            collation)
    }

    /// True if the tables are those of this version, and the role has all of its rights.
    private func isReady() throws -> Bool {
        guard try Roles(database).lacking().isEmpty else { return false }
        return try version() == Tables.steps.count
    }

    /// Makes the tables or brings them to this version, and gives a daemon's role its rights.
    func migrate(for daemon: String) throws {
        try database.transaction {
            let version = try version()
            // A daemon of an earlier version writes without what the later tables derive from each row.
            if version > 0, version < Tables.steps.count, try isServed() { throw StoreError.servedByEarlier }
            try upgrade(from: version)
            if version == 0 { try database.execute(Self.noticeTables) }
            if version < Tables.steps.count { try state(.tables, "\(Tables.steps.count)") }
            try Roles(database).grant(to: daemon)
        }
    }

    /// The rights that the connection's role lacks or has too much, a sentence for each fault. Nil for a file, which has no roles.
    public func faultsOfRole() throws -> [String]? {
        guard dialect == .postgreSQL else { return nil }
        return try Roles(database).faults()
    }

    /// A connection that only reads.
    public convenience init(readingServer address: String, collation: Collation = Collation()) throws {
        let database = try PostgreSQL(address, .reading, program: "practiced")
        self.init(database, .postgreSQL, collation)
    }

    /// Checks the practice on a server, and returns its counts. Throws if its tallies are not those of its sessions; the rest is
    /// the server's to check.
    public static func verify(server address: String) throws -> Counts {
        let store = try Store(readingServer: address)
        return try store.transaction {
            let version = try store.version()
            guard version > 0 else { return .none }
            guard try version < Tables.withTallies || store.areTalliesRight() else {
                throw StoreError.wrongTallies("the server's database")
            }
            return try store.counts()
        }
    }

    /// The size of the server's database.
    public func bytesOnServer() throws -> Int {
        try database.number("SELECT pg_database_size(current_database())") ?? 0
    }

    /// The version of the server's tables; 0 if there are none. Throws if a newer Daybreak made them.
    func version() throws -> Int {
        let isBegun = try database.number("SELECT count(*) FROM pg_class WHERE oid = to_regclass('fact')") == 1
        let version = isBegun ? try fact(.tables).flatMap { Int($0) } ?? 0 : 0
        guard version <= Tables.steps.count else { throw StoreError.newer("the server's database", version: version) }
        return version
    }
}
