import Glibc

/// Pages of a database as they once were. Put back, an index knows nothing of the rows that came later.
public struct EarlierPages {
    private let path: String
    private let pages: [(place: off_t, bytes: [UInt8])]
    private static let size = 4_096
    /// The type of a page that is an index without pages below it ("Database File Format", 1.6).
    private static let leaf: UInt8 = 0x0A

    /// - Parameter numbers: those of the pages, from 2.
    public init(_ numbers: [Int], of path: String) {
        self.path = path
        pages = numbers.map { number in
            let place = off_t((number - 1) * Self.size)
            return (place, Self.read(path, place))
        }
    }

    /// Writes them into the file, which no program has open. Those that have pages below them by now are left.
    public func putBack() {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        precondition(file >= 0, path)
        defer { close(file) }
        for page in pages where page.bytes.first == Self.leaf && Self.read(path, page.place).first == Self.leaf {
            precondition(pwrite(file, page.bytes, page.bytes.count, page.place) == page.bytes.count)
        }
    }

    private static func read(_ path: String, _ place: off_t) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        precondition(file >= 0, path)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: size)
        precondition(pread(file, &bytes, size, place) == size)
        return bytes
    }
}
