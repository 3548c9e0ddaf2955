import Glibc

/// Folders that only their owner may write in.
public enum Folder {
    /// The folder in which a file of that path lies.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
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

    /// Throws where somebody other than this user and root may write in the folder: they could put another file, or a link,
    /// in the place of one that is opened by its name.
    public static func checkPrivate(_ folder: String) throws(FileError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .failed("look at the folder", folder) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw FileError(
                folder, "The folder \(folder) belongs to user \(status.st_uid), not to user \(geteuid())")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw FileError(folder, "Others may write in the folder \(folder): run chmod go-w \(folder)")
        }
    }

    /// Throws where a link, or something else, stands in the folder's place.
    public static func checkNoLink(_ folder: String) throws(FileError) {
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .failed("look at the folder", folder) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw FileError(folder, "\(folder) is a link, or no folder: put a folder in its place")
        }
    }

    /// Makes new, changed and removed names in the folder of that file survive a power cut.
    public static func sync(of path: String) throws(FileError) { try sync(folder: parent(of: path)) }

    private static func sync(folder: String) throws(FileError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("open the folder", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("write the folder", folder) }
    }

    /// The names in the folder, in no order; none where there is no folder.
    public static func names(in folder: String) throws(FileError) -> [String] {
        guard let listing = opendir(folder) else {
            guard errno == ENOENT else { throw .failed("read the folder", folder) }
            return []
        }
        defer { closedir(listing) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(listing) {
            // Read in place: the kernel's record is only as long as its name (man 3 readdir).
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
