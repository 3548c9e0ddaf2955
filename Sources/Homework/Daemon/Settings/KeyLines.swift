internal import TOMLKit

/// On which line each key of a TOML text stands: TOMLKit tells lines of syntax errors only.
///
/// Of a text that TOMLKit does not read the lines are right up to its first fault.
struct KeyLines {
    /// The first line on which a value begins as a number, a date or a time and does not go on as one, or on which a
    /// closing bracket stands in a value's place. TOMLKit does not refuse each of these but dies of some, such as
    /// `2027-03-05Tnoon:00`, `2027-03-05 1` and `[}]`, as it does of what ``HeaderCheck`` finds.
    private(set) var malformedLine: Int?
    /// The first line that holds the escape of U+0000, which TOMLKit takes for the end of the text that it stands in.
    private(set) var nullLine: Int?
    private var lines: [[String]: Int] = [:]
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        document()
    }

    /// The line, from 1, on which a table, a key, or an element of an array (`["reminders", "at", "0"]`) first stands.
    subscript(path: [String]) -> Int? { lines[path] }

    // MARK: What a text is made of

    private mutating func document() {
        var table: [String] = []
        while skipBlank() {
            if current == UInt8(ascii: "[") {
                skip { $0 == UInt8(ascii: "[") }
                table = keys(under: [])
                skip { $0 == UInt8(ascii: "]") }
            } else {
                advancing { $0.entry(in: table) }
            }
        }
    }

    /// `key.key = value`
    private mutating func entry(in table: [String]) {
        let path = keys(under: table)
        skipSpace()
        if current == UInt8(ascii: "=") { step() }
        value(of: path)
    }

    /// `key.key`, with what it stands under before it; notes them all.
    private mutating func keys(under table: [String]) -> [String] {
        var path = table
        while true {
            skipSpace()
            let line = self.line
            path.append(key())
            lines[path] = lines[path] ?? line
            skipSpace()
            guard current == UInt8(ascii: ".") else { return path }
            step()
        }
    }

    private mutating func key() -> String {
        let start = offset
        guard isQuote(current) else {
            skip { ![" ", "\t", "\n", ".", "=", "]"].contains(Unicode.Scalar($0)) }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }
        string()
        let spelled = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard spelled.utf8.contains(UInt8(ascii: "\\")) else { return String(spelled.dropFirst().dropLast()) }
        // TOMLKit knows the escapes. What it cannot read it has refused before.
        return (try? TOMLTable(string: "\(spelled) = 0").keys.first) ?? spelled
    }

    private mutating func value(of path: [String]) {
        skipSpace()
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): string()
        case UInt8(ascii: "["): array(at: path)
        case UInt8(ascii: "{"): inlineTable(at: path)
        default: bareValue()
        }
    }

    private mutating func bareValue() {
        let start = offset
        skip { ![",", "]", "}", "#", "\n"].contains(Unicode.Scalar($0)) }
        let blanks: Set = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
        let end = bytes[start..<offset].lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? start
        let isSound =
            switch end > start ? bytes[start] : current ?? UInt8(ascii: "\n") {
            case UInt8(ascii: "]"), UInt8(ascii: "}"): false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                ValueCheck.isSound(bytes[start..<end])
            default: true
            }
        if !isSound { malformedLine = malformedLine ?? line }
    }

    private mutating func array(at path: [String]) {
        var index = 0
        step()
        while skipBlank(or: UInt8(ascii: ",")), current != UInt8(ascii: "]") {
            lines[path + ["\(index)"]] = line
            advancing { $0.value(of: path + ["\(index)"]) }
            index += 1
        }
        step()
    }

    private mutating func inlineTable(at path: [String]) {
        step()
        while skipBlank(or: UInt8(ascii: ",")), current != UInt8(ascii: "}") {
            advancing { $0.entry(in: path) }
        }
        step()
    }

    private mutating func string() {
        guard let quote = current else { return }
        let isLong = bytes[offset...].starts(with: [quote, quote, quote])
        let end = [UInt8](repeating: quote, count: isLong ? 3 : 1)
        for _ in end { step() }
        while let byte = current, !bytes[offset...].starts(with: end) {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                noteNull()
                step()
            }
            step()
        }
        // A long string may end with two quotes of its own.
        for _ in 0..<(isLong ? 5 : 1) where current == quote { step() }
    }

    // MARK: Bytes

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func isQuote(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private mutating func noteNull() {
        let escape = bytes[offset...]
        guard escape.starts(with: #"\u0000"#.utf8) || escape.starts(with: #"\U00000000"#.utf8) else { return }
        nullLine = nullLine ?? line
    }

    private mutating func step() {
        if current == UInt8(ascii: "\n") { line += 1 }
        offset = min(offset + 1, bytes.count)
    }

    private mutating func skip(while isMeant: (UInt8) -> Bool) {
        while let byte = current, isMeant(byte) { step() }
    }

    private mutating func skipSpace() { skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// Past white space, line ends and comments. False at the end of the text.
    private mutating func skipBlank(or separator: UInt8 = UInt8(ascii: " ")) -> Bool {
        while let byte = current {
            switch byte {
            case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
            case separator, UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): step()
            default: return true
            }
        }
        return false
    }

    /// Whatever the text, it comes to an end.
    private mutating func advancing(_ part: (inout Self) -> Void) {
        let before = offset
        part(&self)
        if offset == before { step() }
    }
}
