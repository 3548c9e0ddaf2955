public import Glibc

/// Folders that only their owner may write in.
public enum Folder {
    /// The folder in which a file of that path lies.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The free bytes for this process on the folder's disk; nil if they cannot be told.
    public static func room(in folder: String) -> UInt64? {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return nil }
        return UInt64(room.f_bavail) * UInt64(room.f_frsize)
    }

    /// Makes the folder, mode 0700, and the missing folders above it, with the same mode.
    public static func make(_ folder: String) throws(FileError) {
        guard access(folder, F_OK) != 0 else { return }
        guard errno == ENOENT else { throw .failed("look at the folder", folder) }
        let parent = parent(of: folder)
        if parent != folder { try make(parent) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .failed("make the folder", folder) }
        try sync(folder: parent)
    }

    /// Makes the folder its user's alone, mode 0700, and makes the missing folders above it. Throws if the folder
    /// belongs to another user, is a link, or could be replaced by another user.
    ///
    /// - Parameter own: names of which a folder that is open to others has one, if it is the caller's. One with other things in it
    ///   is refused, such as /tmp or /. Nil for a folder that only the caller can mean.
    public static func makePrivate(_ folder: String, having own: [String]? = nil) throws(FileError) {
        try make(folder)
        try checkNoLink(folder)
        guard owner(of: folder) == geteuid() else {
            throw FileError(folder, "The folder \(folder) is not user \(geteuid())'s own")
        }
        let parent = parent(of: folder)
        try checkNoLink(parent)
        try checkPrivate(parent, orSticky: true)
        if let own { try checkOwn(folder, own) }
        guard chmod(folder, 0o700) == 0 else { throw .failed("change the mode of", folder) }
    }

    private static func checkOwn(_ folder: String, _ own: [String]) throws(FileError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .failed("look at the folder", folder) }
        guard status.st_mode & 0o077 != 0 else { return }
        let found = try names(in: folder)
        guard found.isEmpty || own.contains(where: found.contains), status.st_mode & S_ISVTX == 0 else {
            throw FileError(
                folder,
                "The folder \(folder) is open to others, and what is in it is not Daybreak's: name a folder of its own")
        }
    }

    /// The owner of the folder; nil if the path does not exist. A link or a file counts as nobody's (`uid_t.max`).
    public static func owner(of folder: String) -> uid_t? {
        var status = stat()
        guard lstat(folder, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR ? status.st_uid : uid_t.max
    }

    /// Throws if another user, root excepted, may write in the folder: they could replace a file, or put a link in its
    /// place.
    public static func checkPrivate(_ folder: String, orSticky: Bool = false) throws(FileError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .failed("look at the folder", folder) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw FileError(
                folder, "The folder \(folder) belongs to user \(status.st_uid), not to user \(geteuid())")
        }
        guard status.st_mode & 0o022 == 0 || orSticky && status.st_mode & S_ISVTX != 0 else {
            throw FileError(folder, "Others may write in the folder \(folder): run chmod go-w \(File.quoted(folder))")
        }
    }

    /// Throws if the path is a link, or no folder.
    public static func checkNoLink(_ folder: String) throws(FileError) {
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .failed("look at the folder", folder) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw FileError(folder, "\(folder) is a link, or no folder: put a folder in its place")
        }
    }

    /// Makes new, changed and removed names in that file's folder durable.
    public static func sync(of path: String) throws(FileError) { try sync(folder: parent(of: path)) }

    private static func sync(folder: String) throws(FileError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("open the folder", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("write the folder", folder) }
    }

    /// The names in the folder, in no order; none if there is no folder.
    public static func names(in folder: String) throws(FileError) -> [String] {
        guard let listing = opendir(folder) else {
            guard errno == ENOENT else { throw .failed("read the folder", folder) }
            return []
        }
        defer { closedir(listing) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(listing) {
            // Read in place, because the kernel's record is only as long as its name (man 3 readdir).
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        // A nil with an errno is an error, not the end (man 3 readdir).
        guard errno == 0 else { throw .failed("read the folder", folder) }
        return names
    }
}
