import Glibc

extension Backups {
    /// Puts a prepared database in the place of one that nobody has open. The one before is kept under the other name, with its
    /// log, which stands beside it where the database is damaged; its nights are set aside. There is a whole one at any instant.
    /// Durable once the folder is synced. Where this throws, nothing was replaced.
    ///
    /// - Returns: whether there was one before.
    @discardableResult public func replace(_ database: String, with prepared: String, keepingAs aside: String)
        throws(FileError) -> Bool
    {
        try File.sync(prepared)
        do throws(FileError) {
            try File.link(database, to: aside)
            let isKept = try File.exists(aside)
            if try File.size(of: database + "-wal") > 0 { try File.link(database + "-wal", to: aside + "-wal") }
            try setNightsAside()
            try Folder.sync(of: aside)
            // Durably gone before another file stands beside its name: SQLite would write it into that one.
            for suffix in ["-wal", "-shm", "-journal"] { unlink(database + suffix) }
            try Folder.sync(of: database)
            try File.rename(prepared, to: database)
            return isKept
        } catch {
            // The log may have lost its other name.
            if access(database + "-wal", F_OK) != 0 { try File.link(aside + "-wal", to: database + "-wal") }
            for suffix in ["", "-wal"] { unlink(aside + suffix) }
            throw error
        }
    }
}
