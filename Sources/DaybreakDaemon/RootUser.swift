import Glibc

/// The number by which the kernel calls root here.
///
/// In a user namespace that maps this user alone, as `PrivateUsers=` makes one, root has no number of its own: whoever
/// is not mapped is called by the overflow number (man 7 user_namespaces). There that number is root's, for nobody else
/// gets past the modes of the socket and its folder.
enum RootUser {
    static var number: UInt32 {
        number(in: text("/proc/self/uid_map"), overflow: text("/proc/sys/kernel/overflowuid"))
    }

    /// From the two files' text. A line of the map: the first number inside, the first outside, how many.
    static func number(in map: String, overflow: String) -> UInt32 {
        guard !map.isEmpty else { return 0 }
        for line in map.split(separator: "\n") {
            let fields = line.split(separator: " ").compactMap { UInt32($0) }
            if fields.count == 3, fields[1] == 0, fields[2] > 0 { return fields[0] }
        }
        return UInt32(overflow.prefix { $0 != "\n" }) ?? 65_534
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
