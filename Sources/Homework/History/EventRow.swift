import GRDB
import GRDBSQLite

/// One row of `event`, by its columns.
protocol EventRow {
    /// The number of the event.
    var sequence: Int { get }
    func isNull(_ column: Column) -> Bool
    /// Nil where it is NULL.
    func integer(_ column: Column) -> Int64?
    /// Nil where it is NULL. Good until the next row.
    func bytes(_ column: Column) -> UnsafeBufferPointer<UInt8>?
}

/// The row on which a statement stands.
struct StatementRow: EventRow {
    fileprivate let statement: OpaquePointer

    var sequence: Int { Int(sqlite3_column_int64(statement, Column.sequence.rawValue)) }

    func isNull(_ column: Column) -> Bool { sqlite3_column_type(statement, column.rawValue) == SQLITE_NULL }

    func integer(_ column: Column) -> Int64? {
        let found = sqlite3_column_int64(statement, column.rawValue)
        return found == 0 && isNull(column) ? nil : found
    }

    func bytes(_ column: Column) -> UnsafeBufferPointer<UInt8>? {
        guard let start = sqlite3_column_text(statement, column.rawValue) else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column.rawValue)))
    }
}

extension EventReader where Source == StatementRow {
    /// `query` must ask for all columns in their order, and have its arguments set.
    init(_ query: Statement, in database: Database) {
        self.init(StatementRow(statement: query.sqliteStatement), in: database)
    }

    /// Goes to the next row; false where there is none.
    func next() throws -> Bool {
        switch sqlite3_step(row.statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    /// Lets go of the rows; the statement can be asked again.
    func end() { sqlite3_reset(row.statement) }
}

/// A row as it lies in the file ("Record Format").
struct PageRow: EventRow {
    private(set) var sequence = 0
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private var fields = [Field](repeating: Field(), count: Column.allCases.count)

    /// Where a value begins, and how it is written there: 0 is NULL, 8 and 9 are the numbers 0 and 1, 1 to 6 are numbers of
    /// more bytes, and an odd one from 13 on is a text.
    private struct Field {
        var place = 0
        var type = 0
    }

    private let isText = Column.allCases.map(\.isText)

    mutating func stand(on bytes: UnsafeRawBufferPointer, numbered number: Int64) throws(TablePages.Unreadable) {
        sequence = Int(number)
        self.bytes = bytes
        var head = VarintReader(bytes)
        var place = Int(try head.next())
        let end = place
        guard end <= bytes.count else { throw TablePages.Unreadable() }
        for column in fields.indices {
            // A row from before a column was added ends earlier.
            let type = head.place < end ? Int(try head.next()) : 0
            fields[column] = Field(place: place, type: type)
            guard type != 0 else { continue }
            place += try Self.length(ofType: type)
            guard place <= bytes.count, (type >= 13) == isText[column] else { throw TablePages.Unreadable() }
        }
        guard head.place == end, place == bytes.count else { throw TablePages.Unreadable() }
    }

    private static func length(ofType type: Int) throws(TablePages.Unreadable) -> Int {
        switch type {
        case 0...4: return type
        case 5, 6: return 2 * type - 4
        case 8, 9: return 0
        case 13... where type & 1 == 1: return (type - 13) / 2
        default: throw TablePages.Unreadable()
        }
    }

    func isNull(_ column: Column) -> Bool { fields[Int(column.rawValue)].type == 0 }

    func integer(_ column: Column) -> Int64? {
        let field = fields[Int(column.rawValue)]
        switch field.type {
        case 1...6:
            let length = field.type < 5 ? field.type : 2 * field.type - 4
            var number = Int64(Int8(bitPattern: bytes[field.place]))
            for place in field.place + 1..<field.place + length { number = number << 8 | Int64(bytes[place]) }
            return number
        case 9: return 1
        case 0: return nil
        default: return 0
        }
    }

    func bytes(_ column: Column) -> UnsafeBufferPointer<UInt8>? {
        let field = fields[Int(column.rawValue)]
        guard field.type >= 13 else { return nil }
        let length = (field.type - 13) / 2
        let text = UnsafeRawBufferPointer(rebasing: bytes[field.place..<field.place + length])
        return text.assumingMemoryBound(to: UInt8.self)
    }
}
