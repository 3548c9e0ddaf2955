public import Glibc

/// The kernel's words for an error number (man 3 strerror).
public func describe(errno number: Int32) -> String { String(cString: strerror(number)) }

/// A path split at its last slash: `/run/daybreak/control` is `control` in `/run/daybreak`, `control` is itself in `.`, and
/// `/control` is `control` in `/`.
public func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
}

/// Who owns the folder of that name; nil where there is none. A link or a file belongs to nobody here (`uid_t.max`).
public func owner(ofFolder path: String) -> uid_t? {
    var found = stat()
    guard lstat(path, &found) == 0 else { return nil }
    return found.st_mode & S_IFMT == S_IFDIR ? found.st_uid : uid_t.max
}

/// Writes all of `bytes`; false, with errno, where the descriptor takes no more.
public func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return false }
        rest = rest.dropFirst(max(0, count))
    }
    return true
}
