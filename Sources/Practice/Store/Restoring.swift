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
    /// The greatest number that each counter has given, such as that of a record.
    var counters: [(name: String, number: Int)] = []
    /// The first thing that was done in the practice; nil for a practice that is empty.
    var beginning: String?
    /// False if there may be more of them: the database could not be read, or not everywhere.
    var isWhole = false

    /// - Parameter store: nil for a database that cannot be opened.
    public init(of store: Store?) {
        guard let store else { return }
        var isWhole = true
        func known<Fact>(_ read: () throws -> Fact, else none: Fact) -> Fact {
            do { return try read() } catch {
                // A damaged database is replaced all the same.
                isWhole = false
                return none
            }
        }
        revision = known(store.greatestRevision, else: 0)
        erased = known(store.erasedRecords, else: [])
        removedKeys = known(store.removedKeys, else: [])
        retired = known(store.retiredStaff, else: [])
        identifiers = known(store.identifiers, else: [])
        counters = known(store.counters, else: [])
        beginning = known({ try store.isEmpty() ? nil : try store.beginning() }, else: nil)
        self.isWhole = isWhole
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
    /// True if the backup is of another practice: the two do not begin alike.
    public var isOfAnother = false
    /// False if there may be more: the database before could not be read, or not everywhere.
    public var areAll = true

    public init() {}
}

extension Store {
    /// Keeps those facts true in this database, a backup that takes the place of the one that had them: no invitation is open, no
    /// key that is known to have been taken away opens, and no identifier that is known is given a second time. Needs an open
    /// transaction.
    public func keep(_ facts: LastingFacts) throws -> ReturnedThings {
        try leaveOutRevisions(after: facts.revision)
        try database.run("DELETE FROM invitation")
        var returned = ReturnedThings()
        returned.areAll = facts.isWhole
        for fingerprint in facts.removedKeys where try key(fingerprint) != nil {
            try removeKey(fingerprint)
            returned.keys += 1
        }
        // The audit of a backup that is older than the removal does not have it, and a further one may be restored.
        try state(.removedKeys, Set(facts.removedKeys).union(try removedKeys()).sorted().joined(separator: " "))
        let theirs = try self.beginning()
        returned.isOfAnother = facts.beginning != nil && theirs != nil && theirs != facts.beginning
        // The records of another practice have its own numbers.
        for (name, number) in facts.counters where !returned.isOfAnother || name != "client" {
            try database.run(
                """
                INSERT INTO counter (name, number) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET number = max(counter.number, $2)
                """, name, number)
        }
        for (table, number) in facts.identifiers {
            try database.run("UPDATE sqlite_sequence SET seq = $2 WHERE name = $1 AND seq < $2", table, number)
            try database.run(
                """
                INSERT INTO sqlite_sequence (name, seq) SELECT $1, $2
                WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)
                """, table, number)
        }
        // Its numbers are other people's.
        if returned.isOfAnother { return returned }
        returned.records = try facts.erased.filter { try hasRecord($0.number, of: $0.client) }.map(\.number)
        returned.staff = try facts.retired.compactMap { try person($0) }.filter { $0.isActive && $0.role.isStaff }
        return returned
    }

    fileprivate func removedKeys() throws -> [String] {
        let audited = try database.rows(
            "SELECT DISTINCT what FROM audit WHERE did = 'RemoveKey' AND what IS NOT NULL"
        ) { $0.text(0) ?? "" }
        let earlier = try fact(.removedKeys)?.split(separator: " ").map(String.init) ?? []
        // One that was added again opens.
        return try Set(audited + earlier).filter { try key($0) == nil }
    }

    fileprivate func counters() throws -> [(name: String, number: Int)] {
        try database.rows("SELECT name, number FROM counter") { ($0.text(0) ?? "", $0.int(1) ?? 0) }
    }

    fileprivate func retiredStaff() throws -> [ID<Person>] {
        try database.rows("SELECT id FROM person WHERE active = 0 AND role <> 'client' ORDER BY id") {
            $0.id(0) ?? ID(0)
        }
    }

    /// When the first thing was done, and what it was; nil if nothing was. Nothing is ever removed from the audit.
    fileprivate func beginning() throws -> String? {
        try database.first("SELECT at, did FROM audit ORDER BY id LIMIT 1") { "\($0.int(0) ?? 0) \($0.text(1) ?? "")" }
    }

    fileprivate func identifiers() throws -> [(table: String, number: Int)] {
        try database.rows("SELECT name, seq FROM sqlite_sequence") { ($0.text(0) ?? "", $0.int(1) ?? 0) }
    }
}
