import PracticeRules
import Storage

/// Facts of a database that stay true after a backup has taken its place.
public struct LastingFacts: Sendable {
    /// The greatest number of a schedule's revision.
    var revision = 0
    /// The clients' records that were erased.
    var erased: [(client: ID<Person>, number: Int)] = []
    /// The fingerprints of the keys that were taken away.
    var removedKeys: [String] = []
    /// The staff who left.
    var retired: [ID<Person>] = []
    /// The greatest identifier that each table has given.
    var identifiers: [(table: String, number: Int)] = []

    /// Of a database that cannot be read, or not everywhere, nobody knows them all.
    public init(of store: Store?) {
        guard let store else { return }
        func known<Fact>(_ read: () throws -> Fact, else none: Fact) -> Fact {
            do { return try read() } catch { return none }  // A damaged database is replaced all the same.
        }
        revision = known(store.greatestRevision, else: 0)
        erased = known(store.erasedRecords, else: [])
        removedKeys = known(store.removedKeys, else: [])
        retired = known(store.retiredStaff, else: [])
        identifiers = known(store.identifiers, else: [])
    }
}

/// Things of a backup that had been ended since it was made.
public struct ReturnedThings: Sendable {
    /// The numbers of the records that were erased, and are back.
    public var records: [Int] = []
    /// The staff who had left, and work here again.
    public var staff: [Person] = []
    /// How many keys were taken out of the backup, because they had been taken away.
    public var keys = 0

    public init() {}
}

extension Store {
    /// Keeps those facts true in this database, a backup that takes the place of the one that had them: no invitation is open, no
    /// key that was taken away opens, and no identifier is given a second time. Needs an open transaction.
    public func keep(_ facts: LastingFacts) throws -> ReturnedThings {
        try leaveOutRevisions(after: facts.revision)
        try database.run("DELETE FROM invitation")
        var returned = ReturnedThings()
        for fingerprint in facts.removedKeys where try key(fingerprint) != nil {
            try removeKey(fingerprint)
            returned.keys += 1
        }
        for (table, number) in facts.identifiers {
            try database.run("UPDATE sqlite_sequence SET seq = $2 WHERE name = $1 AND seq < $2", table, number)
            try database.run(
                """
                INSERT INTO sqlite_sequence (name, seq) SELECT $1, $2
                WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)
                """, table, number)
        }
        returned.records = try facts.erased.filter { try hasRecord($0.number, of: $0.client) }.map(\.number)
        returned.staff = try facts.retired.compactMap { try person($0) }.filter { $0.isActive && $0.role.isStaff }
        return returned
    }

    fileprivate func removedKeys() throws -> [String] {
        try database.rows(
            """
            SELECT DISTINCT a.what FROM audit a WHERE a.did = 'RemoveKey' AND a.what IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM ssh_key k WHERE k.fingerprint = a.what)
            """
        ) { $0.text(0) ?? "" }
    }

    fileprivate func retiredStaff() throws -> [ID<Person>] {
        try database.rows("SELECT id FROM person WHERE active = 0 AND role <> 'client' ORDER BY id") {
            $0.id(0) ?? ID(0)
        }
    }

    fileprivate func identifiers() throws -> [(table: String, number: Int)] {
        try database.rows("SELECT name, seq FROM sqlite_sequence") { ($0.text(0) ?? "", $0.int(1) ?? 0) }
    }
}
