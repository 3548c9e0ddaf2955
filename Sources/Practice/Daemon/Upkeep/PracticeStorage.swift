import Files
import Glibc
import PracticeInterfaces
import PracticeStore
import Storage
import Time

/// The database of a practice, as one thread has it.
///
/// After a failure the next call opens it anew, so that all is well by itself once the cause is gone. A damaged database is
/// not opened again, and never written to, until another file was put in its place.
final class PracticeStorage {
    enum Access: Sendable {
        case reading, writing
    }

    let path: String
    private let access: Access
    private let settings: PracticeSettings
    private var state = State.closed
    /// The file that was opened last: another one may take its name.
    private var opened: FileIdentity?

    private enum State {
        case open(Store)
        case closed
        case damaged(reason: String)
    }

    /// Why the storage cannot be used: a sentence.
    enum Failure: Equatable, Sendable {
        case unavailable(String)
        /// The same, and what was to be written may come to light after a crash: a sync failed, and the disk refused to take it
        /// back.
        case inDoubt(String)
        /// It will not pass by itself.
        case damaged(String)

        var reason: String {
            switch self {
            case .unavailable(let reason), .inDoubt(let reason), .damaged(let reason): reason
            }
        }
    }

    init(path: String, _ access: Access, _ settings: PracticeSettings) {
        self.path = path
        self.access = access
        self.settings = settings
    }

    /// The open database. Throws if it cannot be opened, or is damaged.
    func store() throws -> Store {
        // The thread that writes has put a backup in the place of the file: that one is read from now on.
        if access == .reading, let opened, try FileIdentity(of: path) != opened, backups.haveSetAside(opened) {
            letGo()
        }
        try checkStillThere()
        switch state {
        case .open(let store): return store
        case .damaged(let reason): throw StorageFault(.damaged(reason))
        case .closed:
            let collation = Collation(locale: settings.locale)
            let store =
                switch access {
                case .reading: try Store(reading: path, collation: collation)
                case .writing: try Store(path, collation: collation)
                }
            state = .open(store)
            opened = try FileIdentity(of: path)
            return store
        }
    }

    /// SQLite itself would write on into a file that has lost its name.
    private func checkStillThere() throws {
        let found = try FileIdentity(of: path)
        guard found != nil else {
            throw StorageFault(.unavailable("The database \(path) has vanished: bring it back, or restore a backup."))
        }
        guard opened == nil || found == opened else {
            throw StorageFault(
                .unavailable("The database \(path) was replaced by another file: restart practiced to use that one."))
        }
    }

    /// Copies that are handed out and taken in, and databases that were replaced: beside the database.
    var backups: Backups { Backups(of: path) }
    /// The nights' copies.
    var nights: Backups { Self.nights(of: path, settings) }

    static func nights(of path: String, _ settings: PracticeSettings) -> Backups {
        let own = Backups(of: path).folder
        let folder = settings.backups ?? own
        return Backups(in: folder, nights: settings.nights, isShared: folder != own)
    }

    /// The file and its log.
    var bytes: Int {
        // A file that cannot be looked at is told of where it is used.
        [path, path + "-wal"].reduce(0) { $0 + ((try? File.size(of: $1)) ?? 0) }
    }

    /// Takes note of an error. After a failure of the disk the connection is let go of: what it holds in memory may differ
    /// from the disk.
    func failed(_ error: any Error) -> Failure {
        var failure = Self.failure(error, path)
        guard let error = error as? DatabaseError, error.code != DatabaseError.constraint else { return failure }
        var isDamaged = false
        if case .damaged = failure { isDamaged = true }
        if case .open(let store) = state {
            if access == .writing, !isDamaged, error.mayHaveCommitted {
                do { try store.takeBackFailedCommit() } catch { failure = .inDoubt(failure.reason) }
            }
            // The first error is the one that is told. A damaged database is not written to, not even from its log.
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

    /// Lets go of the file, because another one is about to take its place.
    func letGo() {
        // Changes that it could not bring into the file stay in the log, which is kept.
        if case .open(let store) = state { try? store.close(keepingLog: access == .reading) }
        (state, opened) = (.closed, nil)
    }
}

/// The storage cannot be used.
struct StorageFault: Error, Equatable {
    let failure: PracticeStorage.Failure

    init(_ failure: PracticeStorage.Failure) { self.failure = failure }
}

extension PracticeStorage {
    /// SQLite's own message stays out of it: it may repeat what somebody wrote.
    static func failure(_ error: any Error, _ path: String) -> Failure {
        switch error {
        case let fault as StorageFault: return fault.failure
        case let error as StoreError where error.isDamage: return .damaged("\(error): restore a backup.")
        case let error as DatabaseError where [DatabaseError.corrupt, DatabaseError.notADatabase].contains(error.code):
            return damage(at: path)
        case let error as DatabaseError: return .unavailable(reason(for: error, path))
        case let error as StoreError: return .unavailable("\(error).")
        case let error as FileError: return .unavailable("\(error).")
        default: return .unavailable("The database \(path) cannot be used.")
        }
    }

    /// SQLite also calls a file damaged that the disk would not read, so it is read once more, over a new connection.
    private static func damage(at path: String) -> Failure {
        do {
            return try Store.isSound(path)
                ? .unavailable("The disk failed while the database \(path) was read.")
                : .damaged("The database \(path) is damaged: restore a backup.")
        } catch {
            return failure(error, path)
        }
    }

    private static func reason(for error: DatabaseError, _ path: String) -> String {
        switch error.code {
        case DatabaseError.full: "The disk is full, and the database \(path) cannot be written: make room."
        case DatabaseError.busy, DatabaseError.locked: "Another program keeps the database \(path) locked: close it."
        case DatabaseError.readOnly, DatabaseError.permission, DatabaseError.authorization:
            "The database \(path) is read-only: make it and its folder writable."
        case DatabaseError.cannotOpen: "The database \(path) cannot be opened: look at its folder's owner and mode."
        case DatabaseError.inputOutput:
            "The disk refuses to read or write the database \(path) (SQLite's error \(error.extendedCode))."
        default: "The database \(path) cannot be used (SQLite's error \(error.extendedCode))."
        }
    }
}
