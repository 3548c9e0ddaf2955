import Files
import PracticeInterfaces
import PracticeStore
import Storage
import Time

/// The database of a practice, as one thread has it.
///
/// After a failure the next call opens it anew, so that all is well by itself once the cause is gone. A damaged database is
/// not opened again, and never written to, until another file was put in its place.
final class Keeper {
    let path: String
    private let locale: String
    private var state = State.closed

    private enum State {
        case open(Store)
        case closed
        case damaged(reason: String)
    }

    init(path: String, locale: String) {
        self.path = path
        self.locale = locale
    }

    /// The open database. Throws where it cannot be opened, or is damaged.
    func store() throws -> Store {
        switch state {
        case .open(let store): return store
        case .damaged(let reason): throw Practice.StorageUnavailable(reason: reason)
        case .closed:
            let store = try Store(path, collation: Collation(locale: locale))
            state = .open(store)
            return store
        }
    }

    /// The file and its log.
    var bytes: Int {
        // A file that cannot be looked at is told of where it is used.
        [path, path + "-wal"].reduce(0) { $0 + ((try? File.size(of: $1)) ?? 0) }
    }

    /// Why the storage could not be used: a sentence. What a caller wrote never stands in it, which SQLite's own message may
    /// repeat.
    func reason(for error: any Error) -> String {
        switch error {
        case let known as Practice.StorageUnavailable: known.reason
        case let known as StoreError: "\(known)."
        case let known as FileError: "\(known)."
        case let error as DatabaseError: "The database \(path) cannot be used (SQLite's error \(error.extendedCode))."
        default: "The database \(path) cannot be used."
        }
    }

    /// Takes note of an error, and says why the storage cannot be used. After a failure of the disk the connection is let go
    /// of: what it holds in memory may differ from the disk.
    func failed(_ error: any Error) -> String {
        if let error = error as? DatabaseError, error.code != DatabaseError.constraint, case .open(let store) = state {
            state = .closed
            try? store.close()  // The first error is the one that is told.
        }
        return reason(for: error)
    }

    func close() throws {
        guard case .open(let store) = state else { return }
        state = .closed
        try store.close()
    }
}
