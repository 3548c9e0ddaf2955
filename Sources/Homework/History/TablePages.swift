import GRDBSQLite

/// A table as it lies in its file, page by page. What is read whole and in order, as the events are at each start, takes a
/// quarter of what it takes as SQL: SQLite would look for each of the 33 columns of each row, most of which are empty.
///
/// By SQLite's "Database File Format", which is promised for ever. Whatever is not as that says is `Unreadable` here, and
/// SQLite's own to judge.
final class TablePages {
    struct Unreadable: Error {}

    /// Fills the room with what stands at that offset, or cannot.
    typealias Read = (_ room: UnsafeMutableRawBufferPointer, _ offset: Int) -> Bool

    private let read: Read
    private let pageSize: Int
    /// Without what each page keeps free at its end.
    private let usable: Int
    private let pageCount: Int
    /// Pages that follow each other in the file come together.
    private let window: UnsafeMutableRawBufferPointer
    private var inWindow = 0..<0
    private var whole: [UInt8] = []
    private var visited = 0

    private static let windowLength = 64 * 1_024
    /// More levels than any tree has whose pages hold two cells or more.
    private static let depthLimit = 20

    init(length: Int, read: @escaping Read) throws(Unreadable) {
        self.read = read
        window = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.windowLength, alignment: 8)
        let head = UnsafeMutableRawBufferPointer(rebasing: window[..<100])
        guard length >= 100, read(head, 0) else {
            (pageSize, usable, pageCount) = (0, 0, 0)
            throw Unreadable()
        }
        let written = head.number(at: 16, bytes: 2)
        pageSize = written == 1 ? 65_536 : written
        usable = pageSize - Int(head[20])
        pageCount = pageSize > 0 ? length / pageSize : 0
        let isUTF8 = head.number(at: 56, bytes: 4) == 1
        guard isUTF8, pageSize >= 512, pageSize & (pageSize - 1) == 0, usable >= 480 else { throw Unreadable() }
    }

    deinit { window.deallocate() }

    /// Each row of the table that has its root there, in the order of their numbers. The bytes are good until the next.
    func each(
        from root: Int, _ body: (_ number: Int64, _ record: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        visited = 0
        try walk(root, depth: 1, body)
    }

    private func walk(_ number: Int, depth: Int, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
        visited += 1
        // No page is in a table twice, and the first in none.
        guard visited < pageCount, depth <= Self.depthLimit else { throw Unreadable() }
        let page = try page(number)
        switch page[0] {
        case 0x05: for child in try children(of: page) { try walk(child, depth: depth + 1, body) }
        case 0x0D: try eachCell(of: page, body)
        default: throw Unreadable()
        }
    }

    private func page(_ number: Int) throws(Unreadable) -> UnsafeRawBufferPointer {
        // The first page holds the schema.
        guard number > 1, number <= pageCount else { throw Unreadable() }
        if !inWindow.contains(number) {
            let pages = number..<min(pageCount + 1, number + Self.windowLength / pageSize)
            inWindow = 0..<0
            let room = UnsafeMutableRawBufferPointer(rebasing: window[..<(pages.count * pageSize)])
            guard read(room, (number - 1) * pageSize) else { throw Unreadable() }
            inWindow = pages
        }
        let begin = (number - inWindow.lowerBound) * pageSize
        return UnsafeRawBufferPointer(rebasing: window[begin..<begin + usable])
    }

    private func children(of page: UnsafeRawBufferPointer) throws(Unreadable) -> [Int] {
        var children: [Int] = []
        for place in try cells(of: page, headed: 12) {
            guard place + 4 <= usable else { throw Unreadable() }
            children.append(page.number(at: place, bytes: 4))
        }
        return children + [page.number(at: 8, bytes: 4)]
    }

    /// Where the cells of a page stand, whose head has so many bytes.
    private func cells(of page: UnsafeRawBufferPointer, headed head: Int) throws(Unreadable) -> [Int] {
        let count = page.number(at: 3, bytes: 2)
        guard head + 2 * count <= usable else { throw Unreadable() }
        return (0..<count).map { page.number(at: head + 2 * $0, bytes: 2) }
    }

    private func eachCell(
        of page: UnsafeRawBufferPointer, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        for place in try cells(of: page, headed: 8) {
            var reader = VarintReader(page, at: place)
            let length = try reader.next()
            let number = try reader.next()
            guard length >= 0, length < Int32.max else { throw Unreadable() }
            let begin = reader.place
            let kept = kept(ofPayload: Int(length))
            guard begin + kept <= usable else { throw Unreadable() }
            if kept == length {
                try body(number, UnsafeRawBufferPointer(rebasing: page[begin..<begin + kept]))
            } else {
                try join(page[begin..<begin + kept], toLength: Int(length), page, at: begin + kept)
                try whole.withUnsafeBytes { try body(number, $0) }
            }
        }
    }

    /// How much of a payload stands in its cell; the rest overflows ("B-tree Cell Format").
    private func kept(ofPayload length: Int) -> Int {
        guard length > usable - 35 else { return length }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (length - least) % (usable - 4)
        return fitting <= usable - 35 ? fitting : least
    }

    /// What overflows stands on pages of its own, each with the number of the next before it.
    private func join(
        _ beginning: Slice<UnsafeRawBufferPointer>, toLength length: Int, _ page: UnsafeRawBufferPointer, at place: Int
    ) throws(Unreadable) {
        guard place + 4 <= usable, length <= pageCount * pageSize else { throw Unreadable() }
        whole = Array(beginning)
        var next = page.number(at: place, bytes: 4)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: usable, alignment: 8)
        defer { room.deallocate() }
        while whole.count < length {
            guard next > 1, next <= pageCount, read(room, (next - 1) * pageSize) else { throw Unreadable() }
            next = room.number(at: 0, bytes: 4)
            whole += room[4..<min(usable, 4 + length - whole.count)]
        }
    }
}

/// Whole numbers of one to nine bytes, one after the other.
struct VarintReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var place: Int

    init(_ bytes: UnsafeRawBufferPointer, at place: Int = 0) {
        self.bytes = bytes
        self.place = place
    }

    mutating func next() throws(TablePages.Unreadable) -> Int64 {
        if place < bytes.count, bytes[place] < 0x80 {
            defer { place += 1 }
            return Int64(bytes[place])
        }
        var number: Int64 = 0
        for count in 1...9 {
            guard place < bytes.count else { break }
            let byte = bytes[place]
            place += 1
            if count == 9 { return number << 8 | Int64(byte) }
            number = number << 7 | Int64(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        throw TablePages.Unreadable()
    }
}

extension UnsafeRawBufferPointer {
    /// The highest byte first.
    fileprivate func number(at place: Int, bytes count: Int) -> Int {
        self[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func number(at place: Int, bytes count: Int) -> Int {
        UnsafeRawBufferPointer(self).number(at: place, bytes: count)
    }
}
