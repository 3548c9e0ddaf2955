import CSQLite
import Glibc

/// The current row of a statement, valid until the statement's next step. Columns are counted from 0.
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    public var count: Int { Int(sqlite3_column_count(statement)) }

    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL }

    /// Nil if it is NULL.
    public func integer(_ column: Int) -> Int64? {
        let found = sqlite3_column_int64(statement, CInt(column))
        return found == 0 && isNull(column) ? nil : found
    }

    /// Nil if it is NULL, or does not fit.
    public func int(_ column: Int) -> Int? { integer(column).flatMap { Int(exactly: $0) } }

    /// Nil if it is NULL.
    public func bool(_ column: Int) -> Bool? { integer(column).map { $0 != 0 } }

    /// Nil if it is NULL.
    public func double(_ column: Int) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(statement, CInt(column))
    }

    /// Nil if it is NULL. Bytes that are no UTF-8 become U+FFFD.
    public func text(_ column: Int) -> String? {
        utf8(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// A text's bytes, uncopied; nil if it is NULL.
    public func utf8<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result? {
        // The text must be asked for first: only then is the length that of the text ("Result Values From A Query").
        guard let start = sqlite3_column_text(statement, CInt(column)) else { return nil }
        return try body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(column)))))
    }

    /// True if a text has this part. part: its bytes, and a zero at its end.
    public func text(_ column: Int, has part: [CChar]) -> Bool {
        guard let start = sqlite3_column_text(statement, CInt(column)) else { return false }
        // SQLite ends each text with a zero, too ("Result Values From A Query").
        return start.withMemoryRebound(to: CChar.self, capacity: 1) { strstr($0, part) != nil }
    }

    /// Nil if it is NULL.
    public func blob(_ column: Int) -> [UInt8]? {
        guard !isNull(column) else { return nil }
        guard let start = sqlite3_column_blob(statement, CInt(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(column)))))
    }

    /// The value in its stored type.
    public func value(_ column: Int) -> Value {
        switch sqlite3_column_type(statement, CInt(column)) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, CInt(column)))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, CInt(column)))
        case SQLITE_TEXT: .text(text(column) ?? "")
        case SQLITE_BLOB: .blob(blob(column) ?? [])
        default: .null
        }
    }
}
