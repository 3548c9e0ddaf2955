import Glibc

/// The status file: one JSON object, replaced atomically, mode 0600.
///
/// Its folder is opened each time and everything done in what was opened: whoever puts a link in the place of the folder, or of
/// the file, has nothing written elsewhere.
struct StatusFile {
    let path: String

    private var end: String.Index { path.lastIndex(of: "/") ?? path.startIndex }
    private var folder: String { String(path[..<end]) }
    private var name: String { String(path[end...].drop { $0 == "/" }) }

    /// Whoever reads sees the old text or the new one, never a part. The folder must exist.
    func write(_ text: [UInt8]) throws(PathError) {
        let folder = try openFolder()
        defer { close(folder) }
        let draft = name + ".new"
        // Left by a crash in between, or put there by somebody: never written through.
        guard unlinkat(folder, draft, 0) == 0 || errno == ENOENT else { throw failure(path + ".new") }
        let file = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(path + ".new") }
        defer { close(file) }
        var rest = text[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard written > 0 || errno == EINTR else { throw failure(path + ".new") }
            rest = rest.dropFirst(max(0, written))
        }
        guard renameat(folder, draft, folder, name) == 0 else { throw failure(path) }
    }

    /// Takes it away, where it is.
    func remove() throws(PathError) {
        let folder = try openFolder()
        defer { close(folder) }
        guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else { throw failure(path) }
    }

    private func openFolder() throws(PathError) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_uid == geteuid(), found.st_mode & 0o022 == 0 else {
            close(descriptor)
            throw PathError(path: folder, reason: "It must be a folder of this user's that nobody else may write in.")
        }
        return descriptor
    }

    private func failure(_ path: String) -> PathError {
        PathError(path: path, reason: String(cString: strerror(errno)))
    }
}
