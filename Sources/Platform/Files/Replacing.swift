import Glibc

extension Backups {
    /// Puts a prepared database in the place of one that no program has open. The old database is kept under the name `aside`,
    /// with its log if it has one, and its nightly copies are set aside. At any instant there is a whole database; after an
    /// interruption, ``bringBackLog(of:)`` may have to make it so.
    ///
    /// Throws if nothing was replaced. Returns the fault after which a power cut may bring the old database back; nil if the
    /// replacement is durable.
    public func replace(
        _ database: String, with prepared: String, keepingAs aside: String
    ) throws(FileError) -> FileError? {
        try File.sync(prepared)
        var nights: [(path: String, aside: String)] = []
        do throws(FileError) {
            try File.link(database, to: aside)
            if try File.size(of: database + "-wal") > 0 { try File.link(database + "-wal", to: aside + "-wal") }
            try setNightsAside(&nights)
            try Folder.sync(of: aside)
            return try Self.put(prepared, inPlaceOf: database)
        } catch {
            // The log may have lost its name. It needs the name, durably, before it loses the other one.
            if access(database + "-wal", F_OK) != 0 {
                try File.link(aside + "-wal", to: database + "-wal")
                try Folder.sync(of: database)
            }
            for suffix in ["", "-wal"] { unlink(aside + suffix) }
            Self.bringBack(nights)
            throw error
        }
    }

    /// Gives the log of a database its name back. A kill in the middle of ``replace(_:with:keepingAs:)`` may leave the log with
    /// the name beside `aside` alone, and the database, which has both names, is not whole without it. Call it before the
    /// database is opened. Throws if the database has a second name and the folder of the copies cannot be read.
    public func bringBackLog(of database: String) throws(FileError) {
        var status = stat()
        guard lstat(database, &status) == 0 else { throw .failed("look at", database) }
        // Only a database with a second name may lack its log. For it, a folder that cannot be read is no empty one.
        guard status.st_nlink > 1 else { return }
        let (log, own) = (database + "-wal", FileIdentity(status))
        for copy in copies(.replaced, among: try Folder.names(in: folder)) {
            let kept = copy + "-wal"
            guard try FileIdentity(of: copy) == own, let found = try FileIdentity(of: kept) else { continue }
            if try !File.exists(log) {
                try File.link(kept, to: log)
                try Folder.sync(of: log)
            }
            // Once the log is used up, only its other name would be left.
            if try FileIdentity(of: log) == found {
                try File.remove(kept)
                try Folder.sync(of: kept)
            }
        }
    }

    /// Renames a prepared database to the path of another one that no program has open, and removes that one's log.
    ///
    /// Throws if nothing was renamed. Returns the fault after which a power cut may undo the renaming; nil if it is durable.
    public static func put(_ prepared: String, inPlaceOf database: String) throws(FileError) -> FileError? {
        // If there is no file to be renamed, the log stays.
        try File.sync(prepared)
        // The old log must be durably gone before another file has its name: SQLite would copy the log into that file.
        try File.removeLogs(of: database)
        try Folder.sync(of: database)
        try File.rename(prepared, to: database)
        do throws(FileError) { try Folder.sync(of: database) } catch { return error }
        return nil
    }
}
