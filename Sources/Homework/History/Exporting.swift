import GRDB
import Glibc
import HomeworkRules
import Time

// A history as text, and a history out of such a text.
extension History {
    /// All that is recorded as text (mode 0600): one JSON object a line, the first with the version and how many events
    /// follow, then one for each event, by its columns.
    public func export(to path: String) throws(HistoryError) {
        try write(path) { connection, draft throws(HistoryError) in try connection.export(to: draft) }
    }
}

extension Connection {
    fileprivate func export(to path: String) throws(HistoryError) {
        let descriptor = try Place.make(path)
        defer { Glibc.close(descriptor) }
        try access { database in
            var text: [UInt8] = []
            for query in [SQL.exportHead, SQL.exportEvents] {
                let lines = try String.fetchCursor(database, sql: query)
                while let line = try lines.next() {
                    text += line.utf8
                    text.append(UInt8(ascii: "\n"))
                    guard text.count >= TextLines.chunk else { continue }
                    try Place.write(text[...], to: descriptor, named: path)
                    text.removeAll(keepingCapacity: true)
                }
            }
            try Place.write(text[...], to: descriptor, named: path)
        }
    }

    /// Records what an export tells. All of it, or nothing where it throws.
    func take(_ export: String) throws(HistoryError) {
        let lines = try TextLines(of: export)
        try transaction { database in
            var (number, announced): (Int, Int?) = (0, nil)
            while let line = try lines.next() {
                number += 1
                do {
                    if number == 1 {
                        announced = try Self.takeHead(line, in: database)
                    } else {
                        try database.execute(sql: SQL.takeEvent, arguments: [line])
                    }
                } catch let error as DatabaseError where Self.isOfTheLine(error) {
                    throw HistoryError.damaged(reason: "Line \(number) is none that `daybreak export` writes")
                }
            }
            // None is announced by a Daybreak that wrote no such number yet.
            guard announced == nil || announced == number - 1 else {
                throw HistoryError.damaged(
                    reason: "It is not whole: it says that it holds \(announced ?? 0) events, and holds \(number - 1)")
            }
        }
    }

    /// No JSON, or no event; whatever else fails is the disk's.
    private static func isOfTheLine(_ error: DatabaseError) -> Bool {
        [.SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(error.resultCode)
    }

    /// How many events are to follow, where that is said.
    private static func takeHead(_ line: String, in database: Database) throws -> Int? {
        guard let version = try Int.fetchOne(database, sql: SQL.versionOfExport, arguments: [line]) else {
            throw HistoryError.damaged(reason: "It does not begin as `daybreak export` does")
        }
        guard version <= SQL.version else { throw HistoryError.newer(found: version, known: SQL.version) }
        return try Int.fetchOne(database, sql: SQL.countOfExport, arguments: [line])
    }
}

/// A text file, line by line.
final class TextLines {
    static let chunk = 64 * 1_024
    /// In bytes: the longest note and the most choices, every character escaped, fit ten times.
    static let limit = 1_024 * 1_024

    private let path: String
    private let descriptor: CInt
    private var bytes: [UInt8] = []
    private var begin = 0
    private var room = [UInt8](repeating: 0, count: chunk)

    init(of path: String) throws(HistoryError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Place.failed("open", path) }
    }

    deinit { close(descriptor) }

    /// Without what ends it; nil at the end. What the disk would not read is not the end.
    func next() throws(HistoryError) -> String? {
        var end = begin
        while true {
            if let newline = bytes[end...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { begin = newline + 1 }
                return String(decoding: bytes[begin..<newline], as: UTF8.self)
            }
            guard bytes.count - begin <= Self.limit else {
                throw .damaged(reason: "The file \(path) has a longer line than `daybreak export` writes")
            }
            bytes.removeFirst(begin)
            (begin, end) = (0, bytes.count)
            guard try readOn() else {
                guard !bytes.isEmpty else { return nil }
                defer { bytes = [] }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// False at the end of the file.
    private func readOn() throws(HistoryError) -> Bool {
        while true {
            let count = Glibc.read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Place.failed("read", path) }
            bytes += room[..<count]
            return count > 0
        }
    }
}
