import Glibc

/// The number by which the kernel calls root here.
///
/// In a user namespace that maps this user alone, as `PrivateUsers=` makes one, root has no number of its own: whoever
/// is not mapped is called by the overflow number (man 7 user_namespaces). Then it is root's where the socket's modes
/// let nobody else through, and nobody's otherwise.
enum RootUser {
    /// Nil where root cannot be told from others.
    static func number(reaching socket: String) -> UInt32? {
        let map = text("/proc/self/uid_map")
        if map.isEmpty { return 0 }
        if let number = number(in: map) { return number }
        guard isShut(socket) else { return nil }
        return UInt32(text("/proc/sys/kernel/overflowuid").prefix { $0 != "\n" })
    }

    /// From the map of a user namespace; a line has the first number inside, the first outside, and how many.
    static func number(in map: String) -> UInt32? {
        for line in map.split(separator: "\n") {
            let fields = line.split(separator: " ").compactMap { UInt32($0) }
            if fields.count == 3, fields[1] == 0, fields[2] > 0 { return fields[0] }
        }
        return nil
    }

    /// The socket and its folder are this user's, and nobody else's modes let them in.
    static func isShut(_ socket: String) -> Bool {
        let folder = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        return [socket, folder].allSatisfy { path in
            var seen = stat()
            return lstat(path, &seen) == 0 && seen.st_uid == geteuid() && seen.st_mode & 0o077 == 0
        }
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
