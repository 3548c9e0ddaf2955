/// A strict pull parser over JSON text (RFC 8259), which tells the place of every value and builds no tree.
///
/// The caller says what is to come next and gets it, or a ``JSONError`` that says where and why not:
///
/// ```swift
/// var reader = JSONReader(bytes)
/// try reader.beginArray()
/// while try reader.nextElement() { days.append(try reader.readInt()) }
/// try reader.end()
/// ```
///
/// Refused: bytes that are not UTF-8, a byte order mark, a key that an object has twice, half a surrogate pair, leading
/// zeros, control characters in strings, values nested deeper than ``depthLimit``, text after the value. Whatever is
/// skipped is held to the same rules. Time is linear in the length of the text, whatever the text.
///
/// Asking out of turn (an element outside an array, a value where a key is due) is the caller's mistake and a
/// precondition failure; no input leads to it. After an error the reader is of no further use.
public struct JSONReader {
    /// How deep arrays and objects may lie in one another: what people and programs write stays under ten, and whoever
    /// walks the values by recursion must not be led to the end of the stack.
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

    /// Where the value about to be read begins, in bytes: valid from the start, after ``nextElement()`` said true, and
    /// after ``nextKey()`` gave a key.
    public internal(set) var offset = 0
    /// Where the key that ``nextKey()`` gave last begins, in bytes.
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

    /// Where the value about to be read begins. Counts lines from the start of the text: meant for errors.
    public var position: Position { position(at: offset) }

    /// The line and column of a byte offset. Counts lines from the start of the text: meant for errors.
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

    /// An error at a byte offset, for callers who find fault with what they have read.
    public func error(at offset: Int, _ reason: String) -> JSONError {
        JSONError(position: position(at: offset), reason: reason)
    }

    // MARK: Arrays and objects

    /// Goes into an array.
    public mutating func beginArray() throws(JSONError) { try begin(.array) }

    /// Goes to the array's next element, which is then to be read or skipped. False: there is none, and the array is left.
    public mutating func nextElement() throws(JSONError) -> Bool {
        try next(isObject: false, closing: UInt8(ascii: "]"))
    }

    /// Goes into an object.
    public mutating func beginObject() throws(JSONError) { try begin(.object) }

    /// Reads the object's next key; its value is then to be read or skipped. Nil: there is none, and the object is left.
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

    /// Past the comma to the next member; or past the closing bracket, and false.
    private mutating func next(isObject: Bool, closing: UInt8) throws(JSONError) -> Bool {
        precondition(!valueIsDue && levels.last?.isObject == isObject, "nothing of this kind is being read")
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
            offset += 1
            skipWhitespace()
        }
        levels[levels.count - 1].isFresh = false
        valueIsDue = true
        return true
    }

    // MARK: Values

    /// What the value about to be read is, by its first byte.
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

    /// Reads a string, its escapes resolved.
    public mutating func readString() throws(JSONError) -> String {
        try expect(.string)
        valueIsDue = false
        return try string(scanString())
    }

    /// Reads a number that is written without fraction and exponent and fits into 64 bits with a sign.
    public mutating func readInt() throws(JSONError) -> Int {
        try expect(.number)
        valueIsDue = false
        return try integer(scanNumber())
    }

    /// Reads a number, an integer as well. One too large or too small for an IEEE 754 double is refused.
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

    /// Passes over a value of any kind, as strictly as if it were read, and tells which bytes it is.
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

    /// Passes over the value where it is spelled, byte for byte, as an earlier one: what was made of that can be had again.
    /// False where it is not, and then the value is still to be read.
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

    /// Makes sure that nothing but white space follows the value.
    public mutating func end() throws(JSONError) {
        precondition(levels.isEmpty && !valueIsDue, "the value is not read to its end")
        skipWhitespace()
        guard offset == bytes.count else { throw unexpected("the end") }
    }

    // MARK: Bytes

    /// The byte about to be read; 0, which no JSON text contains, at the end.
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
