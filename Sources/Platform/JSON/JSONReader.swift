/// A strict pull parser for JSON text (RFC 8259). It knows the place of every value and builds no tree.
///
/// The caller asks for the value that must come next, and gets it or a ``JSONError`` with the place and the reason:
///
/// ```swift
/// var reader = JSONReader(bytes)
/// try reader.beginArray()
/// while try reader.nextElement() { days.append(try reader.readInt()) }
/// try reader.end()
/// ```
///
/// Refused: bytes that are not UTF-8, a byte order mark, a duplicate key, half a surrogate pair, leading zeros, control
/// characters in strings, values nested deeper than ``depthLimit``, text after the value. Skipped values obey the same
/// rules. Reading takes linear time for any text.
///
/// Asking out of turn (an element outside an array, a value where a key is due) is a precondition failure; no input leads
/// to it. After an error the reader must not be used any more.
public struct JSONReader {
    /// How deep arrays and objects may be nested. People and programs write fewer than ten levels; a limit keeps callers
    /// that recurse from overflowing the stack.
    public static let depthLimit = 64

    /// The kinds of values (RFC 8259, section 3).
    public enum Kind: Equatable, Sendable { case object, array, string, number, bool, null }

    /// A place in the text.
    public struct Position: Equatable, Sendable {
        /// Bytes before the place.
        public let offset: Int
        /// From 1. Lines end with a line feed.
        public let line: Int
        /// From 1, counted in Unicode scalars.
        public let column: Int

        /// A place.
        public init(offset: Int, line: Int, column: Int) {
            self.offset = offset
            self.line = line
            self.column = column
        }
    }

    /// The place of the next value, in bytes: valid from the start, after ``nextElement()`` returned true, and after
    /// ``nextKey()`` returned a key.
    public internal(set) var offset = 0
    /// The place of the last key from ``nextKey()``, in bytes.
    public private(set) var keyOffset = 0

    package let bytes: [UInt8]
    private var levels: [Level] = []
    private var valueIsDue = true

    private struct Level {
        let isObject: Bool
        var isFresh = true
        var keys = KeysSeen()
    }

    /// Begins at the start of a text that holds one value.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        skipWhitespace()
    }

    // MARK: Places

    /// The place of the next value. Counts lines from the start of the text, so it is meant for errors.
    public var position: Position { position(at: offset) }

    /// The line and column of a byte offset. Counts lines from the start of the text, so it is meant for errors.
    public func position(at offset: Int) -> Position {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0b1100_0000 != 0b1000_0000 {
                column += 1
            }
        }
        return Position(offset: offset, line: line, column: column)
    }

    /// An error at a byte offset, for callers that refuse a value they have read.
    public func error(at offset: Int, _ reason: String) -> JSONError {
        JSONError(position: position(at: offset), reason: reason)
    }

    // MARK: Arrays and objects

    /// Enters an array.
    public mutating func beginArray() throws(JSONError) { try begin(.array) }

    /// Goes to the array's next element; the caller must read or skip it. After the last one, leaves the array and returns
    /// false.
    public mutating func nextElement() throws(JSONError) -> Bool {
        try next(isObject: false, closing: UInt8(ascii: "]"))
    }

    /// Enters an object.
    public mutating func beginObject() throws(JSONError) { try begin(.object) }

    /// Reads the object's next key; the caller must read or skip its value. After the last one, leaves the object and
    /// returns nil.
    public mutating func nextKey() throws(JSONError) -> String? {
        guard try next(isObject: true, closing: UInt8(ascii: "}")) else { return nil }
        guard current == UInt8(ascii: "\"") else { throw unexpected("a key") }
        keyOffset = offset
        let key = try string(scanString())
        guard levels[levels.count - 1].keys.insert(key) else {
            throw error(at: keyOffset, "the key \(quoted(key)) comes twice")
        }
        skipWhitespace()
        guard current == UInt8(ascii: ":") else { throw unexpected("':'") }
        offset += 1
        skipWhitespace()
        return key
    }

    private mutating func begin(_ kind: Kind) throws(JSONError) {
        try expect(kind)
        guard levels.count < Self.depthLimit else {
            throw error(at: offset, "nested deeper than \(Self.depthLimit) levels")
        }
        levels.append(Level(isObject: kind == .object))
        valueIsDue = false
        offset += 1
    }

    /// Skips the comma before the next member. At the closing bracket, skips it and returns false.
    private mutating func next(isObject: Bool, closing: UInt8) throws(JSONError) -> Bool {
        precondition(!valueIsDue && levels.last?.isObject == isObject, "no array or object of this kind is being read")
        skipWhitespace()
        let isFresh = levels[levels.count - 1].isFresh
        if current == closing {
            levels.removeLast()
            offset += 1
            return false
        }
        if !isFresh {
            guard current == UInt8(ascii: ",") else {
                throw unexpected("',' or '\(Character(Unicode.Scalar(closing)))'")
            }
            let comma = offset
            offset += 1
            skipWhitespace()
            if current == closing {
                throw error(at: comma, "a comma before '\(Character(Unicode.Scalar(closing)))' is one too many")
            }
        }
        levels[levels.count - 1].isFresh = false
        valueIsDue = true
        return true
    }

    // MARK: Values

    /// The kind of the next value, by its first byte.
    public func peekKind() throws(JSONError) -> Kind {
        precondition(valueIsDue, "no value is due here")
        switch current {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        default: throw unexpected("a value")
        }
    }

    /// Reads a string and resolves its escapes.
    public mutating func readString() throws(JSONError) -> String {
        try expect(.string)
        valueIsDue = false
        return try string(scanString())
    }

    /// Reads a number that has no fraction and no exponent, and fits into a signed 64-bit integer.
    public mutating func readInt() throws(JSONError) -> Int {
        try expect(.number)
        valueIsDue = false
        return try integer(scanNumber())
    }

    /// Reads a number, also an integer. Throws if it is too large or too small for an IEEE 754 double.
    public mutating func readDouble() throws(JSONError) -> Double {
        try expect(.number)
        valueIsDue = false
        return try double(scanNumber())
    }

    /// Reads `true` or `false`.
    public mutating func readBool() throws(JSONError) -> Bool {
        try expect(.bool)
        valueIsDue = false
        let isTrue = current == UInt8(ascii: "t")
        try skip(word: isTrue ? "true" : "false")
        return isTrue
    }

    /// Reads `null`.
    public mutating func readNull() throws(JSONError) {
        try expect(.null)
        valueIsDue = false
        try skip(word: "null")
    }

    /// Skips a value of any kind, as strictly as if it were read, and returns the range of its bytes.
    @discardableResult
    public mutating func skipValue() throws(JSONError) -> Range<Int> {
        let start = offset
        switch try peekKind() {
        case .object:
            try beginObject()
            while try nextKey() != nil { try skipValue() }
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .string: _ = try scanString()
        case .number: _ = try scanNumber()
        case .bool: _ = try readBool()
        case .null: try readNull()
        }
        valueIsDue = false
        return start..<offset
    }

    /// Skips the next value if its bytes are those of an earlier one, so that the caller can use the earlier result again.
    /// If not, returns false and skips nothing.
    /// - Parameter earlier: the bytes of a string, an array or an object that was read; or none.
    public mutating func skipRepeat(of earlier: Range<Int>) -> Bool {
        precondition(valueIsDue, "no value is due here")
        guard !earlier.isEmpty, bytes.count - offset >= earlier.count,
            bytes[offset..<offset + earlier.count].elementsEqual(bytes[earlier])
        else { return false }
        offset += earlier.count
        valueIsDue = false
        return true
    }

    /// Throws unless only white space follows the value.
    public mutating func end() throws(JSONError) {
        precondition(levels.isEmpty && !valueIsDue, "the value is not read to its end")
        skipWhitespace()
        guard offset == bytes.count else { throw unexpected("the end") }
    }

    // MARK: Bytes

    /// The next byte; 0 at the end, because no JSON text contains a 0.
    var current: UInt8 { byte(at: offset) }

    @inline(__always)
    func byte(at offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func skipWhitespace() {
        while true {
            switch current {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            default: return
            }
        }
    }

    private mutating func skip(word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount where byte(at: offset + index) != word.utf8Start[index] {
            throw error(at: offset, "expected \(word)")
        }
        offset += word.utf8CodeUnitCount
    }

    private func expect(_ kind: Kind) throws(JSONError) {
        let found = try peekKind()
        guard found == kind else { throw error(at: offset, "expected \(kind.name), found \(found.name)") }
    }

    private func unexpected(_ expected: String) -> JSONError {
        error(at: offset, "expected \(expected), found \(nameOfByte(at: offset))")
    }
}

extension JSONReader.Kind {
    /// With its article: `a string`.
    public var name: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
