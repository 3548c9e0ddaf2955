import CSQLite
import Glibc

/// A disk that fails on demand. It replaces SQLite's own for the whole process, so only exit tests use it.
///
/// Each write, truncation and sync counts as one step. A sync that fails has written before. The state of a disk after that
/// is undefined; here it holds everything, which is the worst case.
enum FaultyDisk {
    enum Fault { case once, fromThenOn, death }

    private nonisolated(unsafe) static var fault = Fault.once
    private nonisolated(unsafe) static var stepsLeft = Int.max
    private nonisolated(unsafe) static var onlySyncs = false
    private(set) nonisolated(unsafe) static var hasFailed = false
    /// Receives each path that SQLite is about to open, after SQLite has resolved its links.
    nonisolated(unsafe) static var beforeOpening: (String) -> Void = { _ in }

    /// Makes the step of that number fail, from 1.
    static func fail(at step: Int, _ fault: Fault, onlySyncs: Bool = false) {
        self.fault = fault
        self.onlySyncs = onlySyncs
        stepsLeft = step
        hasFailed = false
    }

    static func heal() { stepsLeft = .max }

    private static func fails(isSync: Bool = false) -> Bool {
        guard stepsLeft != .max, isSync || !onlySyncs else { return false }
        stepsLeft -= 1
        guard stepsLeft == 0 || (stepsLeft < 0 && fault == .fromThenOn) else { return false }
        if fault == .death { kill(getpid(), SIGKILL) }
        hasFailed = true
        return true
    }

    // SQLite's own disk, and the faulty one in front of it (sqlite.org/vfs.html).
    private nonisolated(unsafe) static var disk: UnsafeMutablePointer<sqlite3_vfs>?
    private nonisolated(unsafe) static var methods: UnsafePointer<sqlite3_io_methods>?
    private nonisolated(unsafe) static var faultyMethods:
        [UnsafePointer<sqlite3_io_methods>: UnsafePointer<sqlite3_io_methods>] = [:]

    /// Makes SQLite use the faulty disk.
    static func insert() {
        disk = sqlite3_vfs_find(nil)
        guard let disk else { preconditionFailure("SQLite knows no disk") }
        let faulty = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        faulty.initialize(to: disk.pointee)
        faulty.pointee.zName = UnsafePointer(strdup("faulty"))
        faulty.pointee.pNext = nil
        faulty.pointee.xOpen = { _, name, file, flags, outFlags in
            if let name { FaultyDisk.beforeOpening(String(cString: name)) }
            let code = FaultyDisk.disk?.pointee.xOpen(FaultyDisk.disk, name, file, flags, outFlags) ?? SQLITE_ERROR
            FaultyDisk.wrap(file)
            return code
        }
        precondition(sqlite3_vfs_register(faulty, 1) == SQLITE_OK)
    }

    /// Databases and logs have different methods. They differ in locking, not in writing.
    private static func wrap(_ file: UnsafeMutablePointer<sqlite3_file>?) {
        guard let file, let own = file.pointee.pMethods else { return }
        methods = methods ?? own
        let faulty = faultyMethods[own] ?? faultyCopy(of: own.pointee)
        faultyMethods[own] = faulty
        file.pointee.pMethods = faulty
    }

    private static func faultyCopy(of own: sqlite3_io_methods) -> UnsafePointer<sqlite3_io_methods> {
        let faulty = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        faulty.initialize(to: own)
        faulty.pointee.xWrite = { file, bytes, count, offset in
            guard !FaultyDisk.fails() else { return SQLITE_IOERR | (3 << 8) }
            return FaultyDisk.methods?.pointee.xWrite(file, bytes, count, offset) ?? SQLITE_ERROR
        }
        faulty.pointee.xTruncate = { file, size in
            guard !FaultyDisk.fails() else { return SQLITE_IOERR | (6 << 8) }
            return FaultyDisk.methods?.pointee.xTruncate(file, size) ?? SQLITE_ERROR
        }
        faulty.pointee.xSync = { file, flags in
            guard !FaultyDisk.fails(isSync: true) else { return SQLITE_IOERR | (4 << 8) }
            return FaultyDisk.methods?.pointee.xSync(file, flags) ?? SQLITE_ERROR
        }
        return UnsafePointer(faulty)
    }
}
