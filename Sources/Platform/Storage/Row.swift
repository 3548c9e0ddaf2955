import CSQLite
import Glibc

/// The current row of a statement, valid until the statement's next step. Columns are counted from 0.
public struct Row: ~Copyable {
    private enum Source {
        case sqlite(OpaquePointer)
        case texts(any RowOfTexts)
    }

    private let source: Source

    init(_ statement: OpaquePointer) { source = .sqlite(statement) }

    /// The row of an engine whose values are texts.
    public init(_ texts: any RowOfTexts) { source = .texts(texts) }

    public var count: Int {
        switch source {
        case .sqlite(let statement): Int(sqlite3_column_count(statement))
        case .texts(let row): row.count
        }
    }

    public func isNull(_ column: Int) -> Bool {
        switch source {
        case .sqlite(let statement): sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL
        case .texts(let row): row.text(column) == nil
        }
    }

    /// Nil if it is NULL.
    public func integer(_ column: Int) -> Int64? {
        switch source {
        case .sqlite(let statement):
            let found = sqlite3_column_int64(statement, CInt(column))
            return found == 0 && isNull(column) ? nil : found
        case .texts(let row):
            return row.text(column)?.baseAddress.map { $0.pointee == UInt8(ascii: "t") ? 1 : Self.number(at: $0) }
        }
    }

    /// Nil if it is NULL, or does not fit.
    public func int(_ column: Int) -> Int? { integer(column).flatMap { Int(exactly: $0) } }

    /// Nil if it is NULL.
    public func bool(_ column: Int) -> Bool? { integer(column).map { $0 != 0 } }

    /// Nil if it is NULL.
    public func double(_ column: Int) -> Double? {
        switch source {
        case .sqlite(let statement): isNull(column) ? nil : sqlite3_column_double(statement, CInt(column))
        case .texts(let row):
            row.text(column)?.baseAddress.map { $0.withMemoryRebound(to: CChar.self, capacity: 1) { strtod($0, nil) } }
        }
    }

    private static func number(at text: UnsafePointer<UInt8>) -> Int64 {
        Int64(text.withMemoryRebound(to: CChar.self, capacity: 1) { strtoll($0, nil, 10) })
    }

    /// Nil if it is NULL. Bytes that are no UTF-8 become U+FFFD.
    public func text(_ column: Int) -> String? {
        utf8(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// A text's bytes, uncopied; nil if it is NULL.
    public func utf8<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result? {
        try bytes(column).map(body)
    }

    private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        switch source {
        case .sqlite(let statement):
            // The text must be asked for first: only then is the length that of the text ("Result Values From A Query").
            guard let start = sqlite3_column_text(statement, CInt(column)) else { return nil }
            return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(column))))
        case .texts(let row): return row.text(column)
        }
    }

    /// True if a text has this part. part: its bytes, and a zero at its end.
    public func text(_ column: Int, has part: [CChar]) -> Bool {
        guard let start = bytes(column)?.baseAddress else { return false }
        // Both engines end each text with a zero (SQLite: "Result Values From A Query", libpq: PQgetvalue).
        return start.withMemoryRebound(to: CChar.self, capacity: 1) { strstr($0, part) != nil }
    }

    /// Nil if it is NULL.
    public func blob(_ column: Int) -> [UInt8]? {
        switch source {
        case .sqlite(let statement):
            guard !isNull(column) else { return nil }
            guard let start = sqlite3_column_blob(statement, CInt(column)) else { return [] }
            return Array(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(column)))))
        case .texts(let row): return row.blob(column)
        }
    }

    /// The value in its stored type.
    public func value(_ column: Int) -> Value {
        switch source {
        case .sqlite(let statement):
            switch sqlite3_column_type(statement, CInt(column)) {
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, CInt(column)))
            case SQLITE_FLOAT: .real(sqlite3_column_double(statement, CInt(column)))
            case SQLITE_TEXT: .text(text(column) ?? "")
            case SQLITE_BLOB: .blob(blob(column) ?? [])
            default: .null
            }
        case .texts(let row):
            switch row.type(column) {
            case _ where isNull(column): .null
            case .integer: integer(column).map(Value.integer) ?? .null
            case .real: double(column).map(Value.real) ?? .null
            case .text: text(column).map(Value.text) ?? .null
            case .blob: blob(column).map(Value.blob) ?? .null
            }
        }
    }
}

/// The current row of an engine that gives each value as a text.
public protocol RowOfTexts: AnyObject {
    var count: Int { get }
    /// Nil if it is NULL. A zero follows the text. A true value is a text that begins with `t`.
    func text(_ column: Int) -> UnsafeBufferPointer<UInt8>?
    /// Nil if it is NULL.
    func blob(_ column: Int) -> [UInt8]?
    func type(_ column: Int) -> ValueType
}

/// The type of a value that is not NULL.
public enum ValueType: Sendable {
    case integer, real, text, blob
}
