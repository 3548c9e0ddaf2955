import PostgreSQL
import Storage

// A practice that is kept by a server of PostgreSQL.
extension Store {
    /// Connects, and makes or upgrades the tables of the address's schema where they are missing or older.
    ///
    /// Throws ``StoreError`` if a newer Daybreak made them, and an error of PostgreSQL.
    public convenience init(server address: String, collation: Collation = Collation()) throws {
        let database = try PostgreSQL(address, .writing, program: "practiced")
        self.init(database, .postgreSQL, collation)
        try database.transaction {
            let version = try self.version()
            guard version <= Tables.steps.count else {
                throw StoreError.newer("the server's database", version: version)
            }
            try upgrade(from: version)
            if version == 0 { try database.execute(Self.noticeTables) }
            if version < Tables.steps.count { try state(.tables, "\(Tables.steps.count)") }
        }
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
            guard version <= Tables.steps.count else {
                throw StoreError.newer("the server's database", version: version)
            }
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

    /// The version of the server's tables; 0 if there are none.
    private func version() throws -> Int {
        let isBegun = try database.number("SELECT count(*) FROM pg_class WHERE oid = to_regclass('fact')") == 1
        return isBegun ? try fact(.tables).flatMap { Int($0) } ?? 0 : 0
    }
}
