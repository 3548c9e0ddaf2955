import Glibc

/// The first bytes of an SQLite database ("Database File Format", 1.3): enough to leave alone what is not ours.
struct Header {
    let applicationID: Int
    let version: Int

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let length = 100

    init(of path: String) throws(HistoryError) {
        let bytes = try Self.read(path)
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else {
            throw .damaged(reason: "The file \(path) is no history: it does not begin as an SQLite database does")
        }
        version = Self.number(bytes[60..<64])
        applicationID = Self.number(bytes[68..<72])
    }

    /// The file begins as an export does.
    static func isText(_ path: String) throws(HistoryError) -> Bool { try read(path).first == UInt8(ascii: "{") }

    /// SQLite's locks on the file would go with this descriptor, but none are held yet: this is read before it opens.
    private static func read(_ path: String) throws(HistoryError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Place.failed("open", path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = Glibc.read(descriptor, &bytes, length)
        guard count >= 0 else { throw Place.failed("read", path) }
        return Array(bytes[..<count])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
