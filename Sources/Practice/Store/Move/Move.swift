import Files
import PostgreSQL
import Storage

/// Copies a practice whole from one database to another, and compares each row of the two.
///
/// All of it is one transaction of the target, or a file that takes its name at the end: whatever interrupts a move, no practice
/// is there, and it can be begun again. One that is killed leaves the draft of the file, which the next one removes. The source
/// is only read.
public struct Move {
    /// A database of a practice.
    public enum Place: Sendable {
        /// The path of a file of SQLite.
        case file(String)
        /// The address of PostgreSQL that daemons use, and that for the role that owns the tables; empty if it is the same.
        case server(String, migration: String)
    }

    private let from: Place
    private let to: Place
    private let onProgress: (_ done: Int, _ all: Int) -> Void

    /// - Parameter onProgress: called with the number of rows that were copied or compared, and of all that there are to do.
    public init(
        from: Place, to: Place, onProgress: @escaping (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) {
        (self.from, self.to, self.onProgress) = (from, to, onProgress)
    }

    /// How long a statement may take, and the whole move where a server keeps the source or is the target.
    private static let patience = Duration.seconds(86_400)

    /// Moves the practice, and returns its counts. Throws ``MoveError``, ``StoreError`` or an error of an engine.
    public func run() throws -> Counts {
        let source = try openSource()
        var moved: Counts?
        do {
            return try source.transaction {
                let counts = try source.counts()
                switch to {
                case .file(let path): try writeFile(path, from: source)
                case .server(let address, let migration): try writeServer(address, migration, from: source)
                }
                moved = counts
                return counts
            }
        } catch {
            // The source was only read: a failure of the end of reading changes nothing.
            guard let moved else { throw error }
            return moved
        }
    }

    private func openSource() throws -> Store {
        switch from {
        case .file(let path):
            guard try Store.inspect(path) else { throw MoveError.noPractice }
            guard try Store.isSound(path) else { throw StoreError.damaged(path) }
            let store = try Store(reading: path)
            // Pages are read by indexes: a damaged one leaves rows out.
            guard try store.areIndexesSound() else { throw MoveError.damagedIndex }
            guard try store.database.number("PRAGMA user_version") == Tables.steps.count else { throw MoveError.older }
            return store
        case .server(let address, let migration):
            // The daemons cannot write while its transaction lasts.
            let store = try onServer(migration.isEmpty ? address : migration)
            switch try store.version() {
            case 0: throw MoveError.noPractice
            case Tables.steps.count: break
            default: throw MoveError.older
            }
            guard try !store.isServed() else { throw MoveError.served }
            return store
        }
    }

    private func onServer(_ address: String) throws -> Store {
        Store(try PostgreSQL(address, program: "practice move", patience: Self.patience), .postgreSQL, Collation())
    }

    private func writeFile(_ path: String, from source: Store) throws {
        for file in [path, path + "-wal"] where try File.size(of: file) > 0 { throw MoveError.notEmpty }
        do {
            try File.replace(path) { draft in
                // An interrupted attempt may have left one.
                try File.remove(draft)
                try File.removeLogs(of: draft)
                _ = try NewFile(at: draft)
                let target = try Store(draft)
                try target.transaction { try copy(from: source, to: target) }
                try target.emptyLog()
                try target.close()
            }
        } catch let error as FileError {
            // There was nothing before: the file has its name, which was not made durable.
            guard case .some(1...) = try? File.size(of: path) else { throw error }
            throw MoveError.notDurable(path, error.description)
        }
    }

    private func writeServer(_ address: String, _ migration: String, from source: Store) throws {
        let (daemon, place) = try daemonRole(address)
        let target = try onServer(migration.isEmpty ? address : migration)
        try target.transaction {
            guard try target.database.first(Self.place, make: { $0.text(0) }) == place else {
                throw StoreError.migratedElsewhere
            }
            try target.migrate(for: daemon)
            guard try !target.isServed() else { throw MoveError.served }
            try copy(from: source, to: target)
        }
    }

    /// The database, the schema, and the server's start: two connections to the same place have the same.
    private static let place =
        "SELECT concat_ws(' ', current_database(), current_schema(), extract(epoch FROM pg_postmaster_start_time()))"

    /// The name of the address's role, and its ``place``. Throws if somebody writes in that database, the move of which this is
    /// the source too.
    private func daemonRole(_ address: String) throws -> (name: String, place: String?) {
        let database = try PostgreSQL(address, program: "practice move")
        do {
            return try database.transaction {
                (try Roles(database).name, try database.first(Self.place, make: { $0.text(0) }) ?? nil)
            }
        } catch let error as PostgreSQLError
            where !error.isConnectionLost && error.isPassing
        {
            throw MoveError.served
        }
    }

    private func copy(from source: Store, to target: Store) throws {
        let tables = try TableShape.all()
        // The two know some facts about themselves before anything is in them.
        for table in ["fact", "counter"] {
            try target.database.execute("DELETE FROM \(table)\(TableShape.condition(of: table, " WHERE "))")
        }
        for table in tables where try !target.page(of: table, after: nil, limit: 1).isEmpty {
            throw MoveError.notEmpty
        }
        let all = try 2 * tables.reduce(0) { try $0 + source.rowCount(of: $1) }
        var done = 0
        func add(_ count: Int) {
            done += count
            onProgress(done, all)
        }
        for table in tables {
            var last: [Value]?
            while case let rows = try source.page(of: table, after: last), let newest = rows.last {
                try target.insert(rows, into: table)
                last = table.key(of: newest)
                add(rows.count)
            }
            if table.isNumbered { try target.setLastNumber(of: table, try source.lastNumber(of: table)) }
        }
        for table in tables { try compare(table, source, target, add) }
    }

    private func compare(_ table: TableShape, _ source: Store, _ target: Store, _ add: (Int) -> Void) throws {
        var last: [Value]?
        while true {
            let rows = try source.page(of: table, after: last)
            guard try rows == target.page(of: table, after: last) else { throw MoveError.differs(table.name) }
            guard let newest = rows.last else { return }
            last = table.key(of: newest)
            add(rows.count)
        }
    }
}

/// The reason why a practice is not moved.
public enum MoveError: Error, Equatable, CustomStringConvertible {
    case noPractice
    case older
    case served
    case notEmpty
    case differs(String)
    case damagedIndex
    /// The file is whole, and a power cut may take its name.
    case notDurable(String, String)

    public var description: String {
        switch self {
        case .noPractice: "There is no practice to move"
        case .older:
            "The practice was not yet brought up to date: start this release's practiced once, and stop it again"
        case .served: "A practiced serves that database, or did so a moment ago: stop all that use it first"
        case .notEmpty: "The target is not empty: a practice is moved only to where there is nothing"
        case .damagedIndex:
            "An index of the file is damaged, so rows would be left out: start practiced, whose nightly backup makes it anew, "
                + "and stop it again"
        case .notDurable(let path, let reason):
            "The practice is in \(path), whole, but a power cut may take that file away (\(reason)): remove the file, and "
                + "move the practice again once the disk is well"
        case .differs(let table): "The table \(table) is not the same in both databases, so nothing was moved"
        }
    }
}
