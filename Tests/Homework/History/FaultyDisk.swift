import CSQLite
import Glibc

/// A disk that fails when it is told to: it stands between SQLite and the real one, for the whole process. So only in
/// exit tests.
///
/// Each write, truncation and sync counts as one step. A sync that fails has written before: what the disk then holds
/// nobody knows, and the worst is that it holds everything.
enum FaultyDisk {
    enum Fault { case once, fromThenOn, death }

    private nonisolated(unsafe) static var fault = Fault.once
    private nonisolated(unsafe) static var stepsLeft = Int.max
    private nonisolated(unsafe) static var onlySyncs = false
    private(set) nonisolated(unsafe) static var hasFailed = false
    /// Told each name that SQLite is about to open, when it has looked where that leads.
    nonisolated(unsafe) static var beforeOpening: (String) -> Void = { _ in }

    /// The next step of that number, from 1, fails.
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

    // SQLite's own way to the disk, and ours in front of it (sqlite.org/vfs.html).
    private nonisolated(unsafe) static var disk: UnsafeMutablePointer<sqlite3_vfs>?
    private nonisolated(unsafe) static var methods: UnsafePointer<sqlite3_io_methods>?
    private nonisolated(unsafe) static var faultyMethods:
        [UnsafePointer<sqlite3_io_methods>: UnsafePointer<sqlite3_io_methods>] = [:]

    /// From here on SQLite writes through it.
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

    /// Databases have other methods than logs, which differ in how they lock, not in how they write.
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
