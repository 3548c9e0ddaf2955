import Files
import Glibc

/// A new file that only its owner can read.
public struct PrivateFile {
    private let draft: NewFile
    private let path: String

    /// Creates the file with the bytes that `fill` writes. Atomic and durable. An existing file is kept, and `sentence` is
    /// thrown, unless `replacing` is true.
    public static func write(
        to path: String, replacing: Bool = false, orSaying sentence: String? = nil,
        _ fill: (PrivateFile) throws(Failure) -> Void
    ) throws(Failure) {
        let sentence = sentence ?? exists(path)
        try checkHome(path)
        let draft = "\(path).new-\(getpid())"
        let file = try create(draft, for: path)
        do throws(Failure) {
            try fill(PrivateFile(draft: file, path: path))
            try writing(path) { () throws(FileError) in try file.sync() }
            if replacing { try rename(draft, to: path) } else { try link(draft, to: path, orSaying: sentence) }
        } catch {
            unlink(draft)
            throw error
        }
        try writing(Folder.parent(of: path)) { () throws(FileError) in try Folder.sync(of: path) }
    }

    private static func create(_ draft: String, for path: String) throws(Failure) -> NewFile {
        // A draft can be written even if the folder cannot be read.
        try? Folder.sweep(Folder.parent(of: path), beginning: File.name(in: path) + ".new-")
        do { return try NewFile(at: draft) } catch {
            throw error.number == EEXIST ? isThere(draft, exists(draft)) : unwritable(path, error.number ?? EIO)
        }
    }

    private static func writing(_ path: String, _ deed: () throws(FileError) -> Void) throws(Failure) {
        do { try deed() } catch { throw unwritable(path, error.number ?? EIO) }
    }

    public func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        try Self.writing(path) { () throws(FileError) in try draft.write(bytes) }
    }

    /// Throws if a file of that name exists, before there is anything to write.
    public static func checkFree(_ path: String) throws(Failure) {
        try checkHome(path)
        try checkFree(path, orSaying: exists(path))
    }

    /// Throws if the shell has left a `~` where it does not stand for the home folder, as in `--html=~/moods.html`.
    private static func checkHome(_ path: String) throws(Failure) {
        guard path == "~" || path.hasPrefix("~/") else { return }
        throw .refused(
            "Unwritable",
            saying: "\(path.shown): the shell left the ~ as it is; write \"$HOME\(String(path.dropFirst()).shown)\".")
    }

    private static func checkFree(_ path: String, orSaying sentence: String) throws(Failure) {
        var found = stat()
        guard lstat(path, &found) != 0 else { throw isThere(path, sentence) }
    }

    private static func exists(_ file: String) -> String { "\(file.shown) is there already; name a file that is not." }

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
        var found = stat()
        let isFolder = stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
        return .refused("FileExists", saying: isFolder ? "\(path.shown) is a folder; name a file in it." : sentence)
    }

    private static func unwritable(_ path: String, _ error: Int32 = errno) -> Failure {
        .refused("Unwritable", saying: "\(path.shown) cannot be written: \(systemError(error)).")
    }
}
