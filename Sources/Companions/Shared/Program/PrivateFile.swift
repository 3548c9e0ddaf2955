import Files
import Glibc

/// A new file that only its owner can read, unless it is said to be public.
public struct PrivateFile {
    private let draft: NewFile
    private let path: String

    /// Creates the file with the bytes that `fill` writes. Atomic and durable. An existing file is kept, and `sentence` is
    /// thrown, unless `replacing` is true. Even then only a regular file or a link to one is replaced, and none of Daybreak's own.
    /// - Parameter isPublic: all users can read the file, from its first instant on.
    public static func write(
        to path: String, replacing: Bool = false, orSaying sentence: String? = nil, isPublic: Bool = false,
        _ fill: (PrivateFile) throws(Failure) -> Void
    ) throws(Failure) {
        try write(to: path, replacing, orSaying: sentence ?? exists(path), isPublic, isNamed: false, fill)
    }

    /// - Parameter isNamed: the file has a name from the beginning, as where the disk has no files without one. A program that
    ///   is killed leaves it there: it cannot be told from a file of the user's own.
    static func write(
        to path: String, _ replacing: Bool, orSaying sentence: String, _ isPublic: Bool, isNamed: Bool,
        _ fill: (PrivateFile) throws(Failure) -> Void
    ) throws(Failure) {
        try checkNamesFile(path)
        if replacing { try checkReplaceable(path) }
        try checkForeign(path)
        let name = "\(path).new-\(getpid())"
        let unnamed = isNamed ? nil : NewFile(unnamedIn: Folder.parent(of: path))
        let draft = if let unnamed { unnamed } else { try create(name, for: path) }
        var isNamed = unnamed == nil
        do throws(Failure) {
            try fill(PrivateFile(draft: draft, path: path))
            try writing(path) { () throws(FileError) in
                if isPublic { try draft.makePublic() }
                try draft.sync()
            }
            if replacing {
                if !isNamed { try give(draft, name, orSaying: exists(name)) }
                isNamed = true
                try rename(name, to: path)
            } else if isNamed {
                try link(name, to: path, orSaying: sentence)
            } else {
                try give(draft, path, orSaying: sentence)
            }
        } catch {
            if isNamed { unlink(name) }
            throw error
        }
        do { try Folder.sync(of: path) } catch {
            throw .refused(
                "NotSynced",
                saying: "\(path.shown) is written, and may be gone after a power cut: its folder cannot be put on disk "
                    + "(\(systemError(error.number ?? EIO))).")
        }
    }

    private static func create(_ draft: String, for path: String) throws(Failure) -> NewFile {
        do { return try NewFile(at: draft) } catch {
            throw error.number == EEXIST ? isThere(draft, exists(draft)) : unwritable(path, error.number ?? EIO)
        }
    }

    /// Gives a file without a name that name, unless it is taken.
    private static func give(_ file: NewFile, _ path: String, orSaying sentence: String) throws(Failure) {
        do { try file.link(to: path) } catch {
            throw error.number == EEXIST ? isThere(path, sentence) : unwritable(path, error.number ?? EIO)
        }
    }

    private static func writing(_ path: String, _ deed: () throws(FileError) -> Void) throws(Failure) {
        do { try deed() } catch { throw unwritable(path, error.number ?? EIO) }
    }

    public func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        try Self.writing(path) { () throws(FileError) in try draft.write(bytes) }
    }

    /// Throws if ``write(to:replacing:orSaying:_:)`` would refuse the path, before there is anything to write.
    public static func checkFree(
        _ path: String, replacing: Bool = false, orSaying sentence: String? = nil
    ) throws(Failure) {
        try checkNamesFile(path)
        if replacing { try checkReplaceable(path) } else { try checkFree(path, orSaying: sentence ?? exists(path)) }
        try checkForeign(path)
        guard access(Folder.parent(of: path), W_OK | X_OK) == 0 else { throw unwritable(path, errno) }
    }

    /// Throws if anything but a regular file has the name. A link is replaced, not followed.
    private static func checkReplaceable(_ path: String) throws(Failure) {
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT != S_IFREG else { return }
        throw isThere(path, "\(path.shown) is a device, a pipe or a socket, which nothing replaces; name a file.")
    }

    /// Throws if the path is in a folder in which a daemon has its files, or is that of its settings or its schedule.
    private static func checkForeign(_ path: String) throws(Failure) {
        let (folder, name) = (Folder.parent(of: path), File.name(in: path))
        let isSettings = ["daybreak.toml", "tasks.json", "practice.toml", "companion.toml"].contains(name)
        guard isSettings || [folder, folder + "/.."].contains(where: isDaemons) else { return }
        throw .refused(
            "NotForFiles",
            saying: "\(path.shown) is one of Daybreak's own files, or would lie among them; name another place.")
    }

    /// True if a database of a daemon, or its socket, is in the folder.
    private static func isDaemons(_ folder: String) -> Bool {
        ["history.db.lock", "practice.db"].contains { access("\(folder)/\($0)", F_OK) == 0 }
            || isSocket(folder + "/control")
    }

    private static func isSocket(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFSOCK
    }

    /// Throws for a folder, and if the shell has left a `~` where it does not stand for the home folder, as in
    /// `--html=~/moods.html`.
    private static func checkNamesFile(_ path: String) throws(Failure) {
        if path.isEmpty { throw .refused("Unwritable", saying: "The file has no name: name one.") }
        if isFolder(path) { throw folder(path) }
        guard path == "~" || path.hasPrefix("~/") else { return }
        let rest = path == "~" || path == "~/" ? "/FILE" : String(path.dropFirst()).shown
        throw .refused("Unwritable", saying: "\(path.shown): the shell left the ~ as it is; write \"$HOME\(rest)\".")
    }

    private static func isFolder(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
    }

    private static func folder(_ path: String) -> Failure {
        .refused("FileExists", saying: "\(path.shown) is a folder; name a file in it.")
    }

    private static func checkFree(_ path: String, orSaying sentence: String) throws(Failure) {
        var found = stat()
        guard lstat(path, &found) != 0 else { throw isThere(path, sentence) }
    }

    private static func exists(_ file: String) -> String { "\(file.shown) is there already; name a file that is not." }

    /// The sentence of a verb that takes `--force`.
    public static func existsUnlessForced(_ file: String) -> String {
        "\(file.shown) is there already and was left as it is; --force writes over it."
    }

    /// Gives the draft its name, unless the name is taken.
    private static func link(_ draft: String, to path: String, orSaying sentence: String) throws(Failure) {
        if Glibc.link(draft, path) == 0 {
            unlink(draft)
            return
        }
        guard errno != EEXIST else { throw isThere(path, sentence) }
        // Without hard links, as on memory sticks, another program may still take the name in between.
        guard errno == EPERM || errno == EOPNOTSUPP else { throw unwritable(path) }
        try checkFree(path, orSaying: sentence)
        try rename(draft, to: path)
    }

    private static func rename(_ draft: String, to path: String) throws(Failure) {
        guard Glibc.rename(draft, path) == 0 else { throw unwritable(path) }
    }

    private static func isThere(_ path: String, _ sentence: String) -> Failure {
        isFolder(path) ? folder(path) : .refused("FileExists", saying: sentence)
    }

    private static func unwritable(_ path: String, _ error: Int32 = errno) -> Failure {
        .refused("Unwritable", saying: "\(path.shown) cannot be written: \(systemError(error)).")
    }
}
