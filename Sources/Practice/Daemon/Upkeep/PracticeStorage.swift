import Files
import Glibc
import PostgreSQL
import PracticeInterfaces
import PracticeStore
import Storage
import Time

/// The place of a practice's database.
enum StoragePlace: Equatable, Sendable {
    /// A file of SQLite, by its path.
    case file(String)
    /// PostgreSQL, by its address (PostgreSQL's manual, 34.1.1).
    case server(String)

    init(_ settings: PracticeSettings, file: String) {
        self = settings.server.isEmpty ? .file(file) : .server(settings.server)
    }
}

/// One thread's access to the database of a practice.
///
/// After a failure, the next call opens the database again, so that work goes on once the cause is gone. A damaged database
/// is neither opened nor written until a restore replaces it.
final class PracticeStorage {
    enum Access: Sendable {
        case reading, writing
    }

    let place: StoragePlace
    let access: Access
    let settings: PracticeSettings
    private var state = State.closed
    /// The identity of the opened file. Another file may take its name.
    private var opened: FileIdentity?

    private enum State {
        case open(Store)
        case closed
        case damaged(reason: String)
    }

    /// The reason why the storage cannot be used, as a sentence.
    enum Failure: Equatable, Sendable {
        case unavailable(String)
        /// Unavailable, and a crash may bring back the failed write: a sync failed, and the disk refused to undo the write. Also a
        /// fault after a restore, which cannot be undone.
        case inDoubt(String)
        /// Only a restore ends it.
        case damaged(String)

        var reason: String {
            switch self {
            case .unavailable(let reason), .inDoubt(let reason), .damaged(let reason): reason
            }
        }
    }

    init(_ place: StoragePlace, _ access: Access, _ settings: PracticeSettings) {
        self.place = place
        self.access = access
        self.settings = settings
    }

    /// The open database. Throws if it is damaged or cannot be opened.
    func store() throws -> Store {
        switch place {
        case .file(let path): try storeInFile(path)
        case .server(let address): try storeOnServer(address)
        }
    }

    private func storeOnServer(_ address: String) throws -> Store {
        if case .open(let store) = state { return store }
        let collation = Collation(locale: settings.locale)
        let store =
            switch access {
            case .reading: try Store(readingServer: address, collation: collation)
            case .writing: try Store(server: address, migration: settings.migrationServer, collation: collation)
            }
        state = .open(store)
        return store
    }

    private func storeInFile(_ path: String) throws -> Store {
        // The writing thread has restored a backup: this connection closes the old file and opens the new one.
        if access == .reading, let opened, try FileIdentity(of: path) != opened, Backups(of: path).haveSetAside(opened)
        {
            letGo()
        }
        try checkStillThere(path)
        switch state {
        case .open(let store): return store
        case .damaged(let reason): throw StorageFault(.damaged(reason))
        case .closed:
            let collation = Collation(locale: settings.locale)
            let store =
                switch access {
                case .reading: try Store(reading: path, collation: collation)
                case .writing: try Store(path, collation: collation, mayBegin: false)
                }
            state = .open(store)
            opened = try FileIdentity(of: path)
            return store
        }
    }

    /// SQLite does not notice a deleted file, and would go on writing to it.
    private func checkStillThere(_ path: String) throws {
        let found = try FileIdentity(of: path)
        guard found != nil else {
            throw StorageFault(.unavailable("The database \(path) has vanished: bring it back, or restore a backup."))
        }
        guard opened == nil || found == opened else {
            throw StorageFault(
                .unavailable("The database \(path) was replaced by another file: restart practiced to use that one."))
        }
    }

    var isOnServer: Bool { if case .server = place { true } else { false } }

    /// True if the database is in that file, which may be its log.
    func isDatabase(_ path: String) -> Bool {
        guard case .file(let database) = place else { return false }
        return ["", "-wal", "-shm"].contains { path == database + $0 }
    }

    /// True unless the database is on a server that lets nobody connect.
    func isReached() -> Bool {
        guard case .server = place, case .closed = state else { return true }
        // The caller has the first error.
        return (try? store()) != nil
    }

    /// The size of the database and its log.
    var bytes: Int {
        switch place {
        // An unreadable file counts as empty here. The next use of the database reports it.
        case .file(let path): [path, path + "-wal"].reduce(0) { $0 + ((try? File.size(of: $1)) ?? 0) }
        case .server: (try? store().bytesOnServer()) ?? 0  // Likewise.
        }
    }

    /// Returns the failure that an error means. After a failure of the disk, it closes the connection, whose memory may
    /// differ from the disk.
    func failed(_ error: any Error) -> Failure {
        var failure = Self.failure(error, place)
        if let error = error as? PostgreSQLError, error.isConnectionLost { state = .closed }
        guard let error = error as? SQLiteError, error.code != SQLiteError.constraint else { return failure }
        var isDamaged = false
        if case .damaged = failure { isDamaged = true }
        if case .open(let store) = state {
            if access == .writing, !isDamaged, error.mayHaveCommitted {
                do { try store.takeBackFailedCommit() } catch { failure = .inDoubt(failure.reason) }
            }
            // A failure to close is ignored, because the first error is reported. A damaged database stays unchanged, so its
            // log is kept.
            try? store.close(keepingLog: isDamaged)
            state = .closed
        }
        if case .damaged(let reason) = failure { state = .damaged(reason: reason) }
        return failure
    }

    func close() throws {
        guard case .open(let store) = state else { return }
        state = .closed
        try store.close()
    }

    /// Closes the file until the next call, which opens the same one again.
    func closeForNow() {
        guard case .open(let store) = state else { return }
        // After a failure to close, the log keeps the changes.
        try? store.close(keepingLog: access == .reading)
        state = .closed
    }

    /// Closes the file, which is about to be replaced.
    func letGo() {
        closeForNow()
        (state, opened) = (.closed, nil)
    }
}

/// The error of a call that needs the storage while it cannot be used.
struct StorageFault: Error, Equatable {
    let failure: PracticeStorage.Failure

    init(_ failure: PracticeStorage.Failure) { self.failure = failure }
}

extension PracticeStorage {
    /// The sentence leaves out the engine's message, which may repeat a text that a person wrote.
    static func failure(_ error: any Error, _ place: StoragePlace) -> Failure {
        switch (error, place) {
        case (let fault as StorageFault, _): fault.failure
        case (let error as PostgreSQLError, _):
            error.mayHaveCommitted ? .inDoubt(reason(for: error)) : .unavailable(reason(for: error))
        case (_, .file(let path)): failure(error, path)
        case (let error as StoreError, .server): .unavailable("\(error).")
        case (_, .server): .unavailable("The database on the server cannot be used.")
        }
    }

    private static func reason(for error: PostgreSQLError) -> String {
        let said = error.state.isEmpty ? "" : " (PostgreSQL's error \(error.state))"
        return switch error.kind {
        case .unavailable:
            "The server of the database does not answer as it should\(said): see `[storage] url` and its log."
        case .notAllowed: "The database's role may not do that\(said): `practice doctor` says what it needs."
        case .refused, .other: "The database on the server cannot be used\(said)."
        }
    }

    private static func failure(_ error: any Error, _ path: String) -> Failure {
        switch error {
        case let error as StoreError where error.isDamage: return .damaged("\(error): restore a backup.")
        case let error as SQLiteError where [SQLiteError.corrupt, SQLiteError.notADatabase].contains(error.code):
            return damage(at: path)
        case let error as SQLiteError: return .unavailable(reason(for: error, path))
        case let error as StoreError: return .unavailable("\(error).")
        case let error as FileError: return .unavailable("\(error).")
        default: return .unavailable("The database \(path) cannot be used.")
        }
    }

    /// SQLite reports an unreadable file as damaged, so the file is read again over a new connection.
    private static func damage(at path: String) -> Failure {
        do {
            return try Store.isSound(path)
                ? .unavailable("The disk failed while the database \(path) was read.")
                : .damaged("The database \(path) is damaged: restore a backup.")
        } catch {
            return failure(error, path)
        }
    }

    private static func reason(for error: SQLiteError, _ path: String) -> String {
        switch error.code {
        case SQLiteError.full: "The disk is full, and the database \(path) cannot be written: make room."
        case SQLiteError.busy, SQLiteError.locked: "Another program keeps the database \(path) locked: close it."
        case SQLiteError.readOnly, SQLiteError.permission, SQLiteError.authorization:
            "The database \(path) is read-only: make it and its folder writable."
        case SQLiteError.cannotOpen: "The database \(path) cannot be opened: look at its folder's owner and mode."
        case SQLiteError.inputOutput:
            "The disk refuses to read or write the database \(path) (SQLite's error \(error.extendedCode))."
        default: "The database \(path) cannot be used (SQLite's error \(error.extendedCode))."
        }
    }
}
