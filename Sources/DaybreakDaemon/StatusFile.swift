import Glibc

/// The status file: one JSON object, replaced atomically, mode 0600.
struct StatusFile {
    let path: String

    /// Whoever reads sees the old text or the new one, never a part. The folder must exist.
    func write(_ text: [UInt8]) throws(PathError) {
        let draft = path + ".new"
        // Left by a crash in between, or put there by somebody: never written through.
        guard unlink(draft) == 0 || errno == ENOENT else { throw failure(draft) }
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(draft) }
        defer { close(file) }
        var rest = text[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard written > 0 || errno == EINTR else { throw failure(draft) }
            rest = rest.dropFirst(max(0, written))
        }
        guard rename(draft, path) == 0 else { throw failure(path) }
    }

    private func failure(_ path: String) -> PathError {
        PathError(path: path, reason: String(cString: strerror(errno)))
    }
}
