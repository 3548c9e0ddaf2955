import Files
import Glibc

/// The user number by which the kernel calls root in this process.
///
/// In a user namespace that maps only this user, as `PrivateUsers=` makes one, root has no number of its own: the kernel
/// calls every unmapped user by the overflow number (man 7 user_namespaces). This number means root only where the
/// socket's modes keep every other user out.
public enum RootUser {
    /// Nil if root cannot be told from other users.
    public static func number(reaching socket: String) -> UInt32? {
        let map = text("/proc/self/uid_map")
        if map.isEmpty { return 0 }
        if let number = number(in: map) { return number }
        guard isPrivate(socket) else { return nil }
        return UInt32(text("/proc/sys/kernel/overflowuid").prefix { $0 != "\n" })
    }

    /// Root's number in the map of a user namespace. A line has the first number inside, the first outside, and a count.
    static func number(in map: String) -> UInt32? {
        for line in map.split(separator: "\n") {
            let fields = line.split(separator: " ").compactMap { UInt32($0) }
            if fields.count == 3, fields[1] == 0, fields[2] > 0 { return fields[0] }
        }
        return nil
    }

    /// The socket and its folder belong to this user, and their modes admit no other user.
    static func isPrivate(_ socket: String) -> Bool {
        [socket, Folder.parent(of: socket)].allSatisfy { path in
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
