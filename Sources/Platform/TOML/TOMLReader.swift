/// Reads TOML 1.0, and inline tables over several lines, in one pass. The work is proportional to the size of the text.
public struct TOMLReader {
    /// How deep tables and arrays may be nested, so that recursion stays shallow. Settings need four levels.
    public static let depthLimit = 32

    /// Receives a word that is no value, and the keys that lead to it. Returns the sentence that refuses it, or nil for the
    /// usual sentence.
    public typealias Correction = (_ word: String, _ path: [String]) -> String?

    let bytes: [UInt8]
    private let correction: Correction
    var offset = 0
    private var line = 1
    private var column = 1

    private init(_ text: String, _ correction: @escaping Correction) {
        bytes = Array(text.utf8)
        self.correction = correction
    }

    /// Returns the outermost table.
    public static func read(
        _ text: String, correction: @escaping Correction = { _, _ in nil }
    ) throws(TOMLFault) -> TOMLTable {
        var reader = TOMLReader(text, correction)
        return try reader.document()
    }

    private mutating func document() throws(TOMLFault) -> TOMLTable {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }  // A byte order mark is not part of the text.
        try checkCharacters()
        let root = TOMLTable(.header, depth: 0)
        var (table, path) = (root, [String]())
        while skipBlank() {
            if take("[") {
                (table, path) = try header(under: root)
            } else {
                try entry(in: table, path)
            }
            skipSpace()
            let next = current
            guard next == nil || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") || next == UInt8(ascii: "#")
            else { throw fault("The line must end here.") }
        }
        return root
    }

    /// TOML has no control characters but the tab and the end of a line.
    private func checkCharacters() throws(TOMLFault) {
        var reader = self
        while let byte = reader.current {
            let isLineEnd = byte == UInt8(ascii: "\r") && reader.next == UInt8(ascii: "\n")
            guard byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || isLineEnd
            else { throw reader.noPlace(for: byte) }
            reader.step()
        }
    }

    func noPlace(for control: UInt8) -> TOMLFault {
        let hexadecimal = String(control, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: 4 - hexadecimal.utf8.count) + hexadecimal
        return TOMLFault(place: place, reason: "The character U+\(code) has no place in a configuration.")
    }

    // MARK: Tables

    private struct Key {
        let name: String
        let place: TextPosition
    }

    /// `[a.b]` or `[[a.b]]`, after the first bracket. Returns the table for the entries that follow.
    private mutating func header(under root: TOMLTable) throws(TOMLFault) -> (TOMLTable, path: [String]) {
        let isArray = take("[")
        skipSpace()
        guard current.map({ isQuote($0) || Self.isBare($0) }) ?? false else {
            throw fault("After [ the name of a table must follow.")
        }
        let keys = try keys()
        guard take("]"), !isArray || take("]") else {
            throw fault("The header must end here, with \(isArray ? "]]" : "]").")
        }
        let (parent, key) = try descend(keys, from: root, as: .parent)
        let path = keys.map(\.name)
        if !isArray, let table = parent[key.name]?.node.table, table.spelling == .parent {
            table.spelling = .header
            return (table, path)
        }
        let table = try makeTable(.header, in: parent, at: key.place)
        let node = TOMLNode(value: .table(table), place: key.place)
        switch parent[key.name]?.isExtensible {
        case nil where isArray:
            parent.add(key.name, at: key.place, TOMLNode(value: .array([node]), place: key.place), isExtensible: true)
        case nil: parent.add(key.name, at: key.place, node)
        case true? where isArray: parent.extend(key.name, by: node)
        default: throw taken(key, in: parent)
        }
        return (table, path)
    }

    /// `a.b = value`
    private mutating func entry(in table: TOMLTable, _ path: [String]) throws(TOMLFault) {
        let keys = try keys()
        guard take("=") else { throw fault("After the name \(spelled(keys[keys.count - 1].name)) a = must follow.") }
        skipSpace()
        let (parent, key) = try descend(keys, from: table, as: .dotted)
        guard parent[key.name] == nil else { throw taken(key, in: parent) }
        parent.add(key.name, at: key.place, try value(in: parent.depth, path + keys.map(\.name)))
    }

    /// The table of the last key, and that key. Makes the tables that are missing on the way.
    private func descend(
        _ keys: [Key], from table: TOMLTable, as spelling: TOMLTable.Spelling
    ) throws(TOMLFault) -> (TOMLTable, Key) {
        var table = table
        for key in keys.dropLast() {
            guard let entry = table[key.name] else {
                let made = try makeTable(spelling, in: table, at: key.place)
                table.add(key.name, at: key.place, TOMLNode(value: .table(made), place: key.place))
                table = made
                continue
            }
            let known = entry.isExtensible ? entry.node.array?.last?.table : entry.node.table
            guard let known, spelling == .dotted ? known.spelling == .dotted : known.spelling != .inline else {
                throw taken(key, in: table)
            }
            table = known
        }
        return (table, keys[keys.count - 1])
    }

    private func makeTable(
        _ spelling: TOMLTable.Spelling, in table: TOMLTable, at place: TextPosition
    ) throws(TOMLFault) -> TOMLTable {
        try checkDepth(table.depth + 1, at: place)
        return TOMLTable(spelling, depth: table.depth + 1)
    }

    private func checkDepth(_ depth: Int, at place: TextPosition) throws(TOMLFault) {
        guard depth <= Self.depthLimit else {
            throw fault("Tables and arrays must not stand more than \(Self.depthLimit) deep.", at: place)
        }
    }

    private func taken(_ key: Key, in table: TOMLTable) -> TOMLFault {
        let line = table[key.name]?.place.line ?? key.place.line
        return fault("\(spelled(key.name)) stands in line \(line) already.", at: key.place)
    }

    /// `a.b`, and the space behind it.
    private mutating func keys() throws(TOMLFault) -> [Key] {
        var keys: [Key] = []
        repeat {
            skipSpace()
            let place = place
            keys.append(Key(name: try key(), place: place))
            skipSpace()
        } while take(".")
        return keys
    }

    private mutating func key() throws(TOMLFault) -> String {
        if let quote = current, isQuote(quote) { return try text(isKey: true) }
        let name = take(while: Self.isBare)
        guard !name.isEmpty else {
            throw fault("A name must stand here: letters (a-z), digits, - and _, or anything in quotes.")
        }
        return name
    }

    // MARK: Values

    /// `depth` is the depth of the table or array that the value is in.
    private mutating func value(in depth: Int, _ path: [String]) throws(TOMLFault) -> TOMLNode {
        let place = place
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return TOMLNode(value: .text(try text()), place: place)
        case UInt8(ascii: "["):
            try checkDepth(depth + 1, at: place)
            var elements: [TOMLNode] = []
            try list(until: "]") { reader throws(TOMLFault) in
                elements.append(try reader.value(in: depth + 1, path))
            }
            return TOMLNode(value: .array(elements), place: place)
        case UInt8(ascii: "{"):
            try checkDepth(depth + 1, at: place)
            let table = TOMLTable(.dotted, depth: depth + 1)
            try list(until: "}") { reader throws(TOMLFault) in try reader.entry(in: table, path) }
            table.close()
            return TOMLNode(value: .table(table), place: place)
        default: return TOMLNode(value: try bareValue(path), place: place)
        }
    }

    /// The contents of brackets, separated by commas.
    private mutating func list(
        until end: Unicode.Scalar, _ element: (inout Self) throws(TOMLFault) -> Void
    ) throws(TOMLFault) {
        let start = place
        step()
        while skipBlank() {
            if take(end) { return }
            try element(&self)
            guard skipBlank() else { break }
            guard take(",") || current == UInt8(end.value) else { throw fault("A comma or \(end) must follow here.") }
        }
        throw fault("The bracket that stands here is never closed: \(end) is missing.", at: start)
    }

    private mutating func bareValue(_ path: [String]) throws(TOMLFault) -> TOMLValue {
        let place = place
        var word = take(while: Self.isWord)
        // A date and a time may be separated by a space.
        if Self.shape(word) == "0000-00-00", current == UInt8(ascii: " "), next.map(Self.isDigit) ?? false {
            step()
            word += " " + take(while: Self.isWord)
        }
        guard let value = Self.value(word) else {
            throw TOMLFault(place: place, reason: correction(word, path) ?? Self.noValue)
        }
        return value
    }

    private static let noValue =
        "It is not TOML. There is no such value: a text stands in quotes; yes and no are spelled true and false."

    // MARK: Bytes

    var place: TextPosition { TextPosition(line: line, column: column) }
    var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }
    private var next: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

    func fault(_ reason: String, at place: TextPosition? = nil) -> TOMLFault {
        TOMLFault(place: place ?? self.place, reason: "It is not TOML. \(reason)")
    }

    mutating func step() {
        guard offset < bytes.count else { return }
        if bytes[offset] == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if bytes[offset] & 0xC0 != 0x80 {  // The first byte of a character.
            column += 1
        }
        offset += 1
    }

    mutating func step(_ count: Int) { for _ in 0..<count { step() } }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(character.value) else { return false }
        step()
        return true
    }

    private mutating func take(while isMeant: (UInt8) -> Bool) -> String {
        let start = offset
        while let byte = current, isMeant(byte) { step() }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    mutating func skipSpace() { while let byte = current, Self.isSpace(byte) { step() } }

    /// Skips white space, comments and ends of lines. False at the end of the text.
    private mutating func skipBlank() -> Bool {
        var isComment = false
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\n"): isComment = false
            case UInt8(ascii: "#"): isComment = true
            default: guard isComment || Self.isSpace(byte) || byte == UInt8(ascii: "\r") else { return true }
            }
            step()
        }
        return false
    }

    private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
    static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
