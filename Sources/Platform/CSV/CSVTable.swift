/// A spreadsheet as text (RFC 4180), read strictly: a header, and rows with as many fields as the header.
///
/// Lines end with CR LF or LF. A field that holds the separator, a quote or a line break must stand in quotes; other fields
/// may. A quote inside a quoted field is doubled. A byte order mark at the beginning is ignored.
public struct CSVTable: Equatable, Sendable {
    public struct Row: Equatable, Sendable {
        /// The line on which it begins, counted from 1.
        public let line: Int
        public let fields: [String]
    }

    public let header: [String]
    public let rows: [Row]

    /// - Parameter separator: a comma, a semicolon or a tab; nil for whichever of them the header's line has most often.
    public init(_ bytes: [UInt8], separator: UInt8? = nil) throws(CSVFault) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CSVFault(line: 1, reason: "The file is not UTF-8 text: save it as UTF-8.")
        }
        var reader = Reader(
            Array((text.unicodeScalars.first == "\u{FEFF}" ? text.dropFirst() : text[...]).utf8), separator)
        guard let header = try reader.row() else { throw CSVFault(line: 1, reason: "The file is empty.") }
        self.header = header.fields
        var rows: [Row] = []
        while let row = try reader.row() {
            guard row.fields.count == header.fields.count else {
                throw CSVFault(
                    line: row.line,
                    reason: "It has \(row.fields.count) fields, and the header has \(header.fields.count).")
            }
            rows.append(row)
        }
        self.rows = rows
    }
}

/// A fault in the text of a table, with its line.
public struct CSVFault: Error, Equatable, Sendable {
    public let line: Int
    /// A sentence.
    public let reason: String
}

private struct Reader {
    private let bytes: [UInt8]
    private let separator: UInt8
    private var place = 0
    private var line = 1

    private static let (quote, carriageReturn, lineFeed) = (UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"))

    init(_ bytes: [UInt8], _ separator: UInt8?) {
        self.bytes = bytes
        self.separator = separator ?? Self.separator(of: bytes.prefix { $0 != Self.lineFeed })
    }

    private static func separator(of header: ArraySlice<UInt8>) -> UInt8 {
        let counted = ",;\t".utf8.map { mark in
            (mark: mark, count: header.filter { $0 == mark }.count)
        }
        return counted.reduce(counted[0]) { $1.count > $0.count ? $1 : $0 }.mark
    }

    /// Nil at the end of the text.
    mutating func row() throws(CSVFault) -> CSVTable.Row? {
        guard place < bytes.count else { return nil }
        let begin = line
        var fields: [String] = []
        while true {
            fields.append(try field())
            guard place < bytes.count else { break }
            if bytes[place] == separator {
                place += 1
                continue
            }
            try endLine()
            break
        }
        return CSVTable.Row(line: begin, fields: fields)
    }

    private mutating func endLine() throws(CSVFault) {
        if bytes[place] == Self.carriageReturn { place += 1 }
        guard place < bytes.count, bytes[place] == Self.lineFeed else {
            throw CSVFault(
                line: line, reason: "After a quote that ends a field comes the separator or the end of the line.")
        }
        place += 1
        line += 1
    }

    private mutating func field() throws(CSVFault) -> String {
        guard place < bytes.count, bytes[place] == Self.quote else { return try plainField() }
        let begin = line
        place += 1
        var text: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == Self.quote {
                guard place < bytes.count, bytes[place] == Self.quote else {
                    return String(decoding: text, as: UTF8.self)
                }
                place += 1
            }
            if byte == Self.lineFeed { line += 1 }
            text.append(byte)
        }
        throw CSVFault(line: begin, reason: "A quote begins a field and none ends it.")
    }

    private mutating func plainField() throws(CSVFault) -> String {
        let begin = place
        while place < bytes.count, ![separator, Self.lineFeed, Self.carriageReturn].contains(bytes[place]) {
            guard bytes[place] != Self.quote else {
                throw CSVFault(
                    line: line, reason: "A quote stands within a field: put the field in quotes, and double that one.")
            }
            place += 1
        }
        return String(decoding: bytes[begin..<place], as: UTF8.self)
    }
}
