/// One value of a JSON text, for `init(from:)`. The text must be well-formed: ``JSONReader`` has read it before.
final class JSONDecoding: Decoder {
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate let text: JSONText
    fileprivate let start: Int
    private let parent: JSONDecoding?
    private let key: (any CodingKey)?

    init(_ text: JSONText, at start: Int = 0, key: (any CodingKey)? = nil, of parent: JSONDecoding? = nil) {
        self.text = text
        self.start = text.skipWhitespace(from: start)
        self.key = key
        self.parent = parent
    }

    var codingPath: [any CodingKey] {
        guard let key else { return [] }
        return (parent?.codingPath ?? []) + [key]
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard text.bytes[start] == UInt8(ascii: "{") else { throw mismatch([String: Any].self, "an object") }
        return KeyedDecodingContainer(JSONMembersRead<Key>(decoding: self, members: text.members(at: start)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard text.bytes[start] == UInt8(ascii: "[") else { throw mismatch([Any].self, "an array") }
        return JSONElementsRead(decoding: self, starts: text.elements(at: start))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { JSONScalarRead(decoding: self) }

    /// A value inside this one.
    fileprivate func inside(_ key: some CodingKey, at start: Int) -> JSONDecoding {
        JSONDecoding(text, at: start, key: key, of: self)
    }

    /// The bytes of the value.
    var raw: [UInt8] { Array(text.bytes[start..<text.end(ofValueAt: start)]) }

    // MARK: Scalars

    fileprivate var isNull: Bool { text.bytes[start] == UInt8(ascii: "n") }

    fileprivate func bool() throws -> Bool {
        switch text.bytes[start] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw mismatch(Bool.self, "true or false")
        }
    }

    fileprivate func string() throws -> String {
        guard let string = text.string(at: start) else { throw mismatch(String.self, "a string") }
        return string
    }

    fileprivate func integer<Number: FixedWidthInteger>() throws -> Number {
        guard text.isNumber(at: start) else { throw mismatch(Number.self, "a number") }
        guard let number = Number(text.literal(at: start)) else {
            throw DecodingError.dataCorrupted(context("no \(Number.self) has this value"))
        }
        return number
    }

    fileprivate func fraction<Number: LosslessStringConvertible & BinaryFloatingPoint>() throws -> Number {
        guard text.isNumber(at: start) else { throw mismatch(Number.self, "a number") }
        guard let number = Number(text.literal(at: start)), number.isFinite else {
            throw DecodingError.dataCorrupted(context("no \(Number.self) has this value"))
        }
        return number
    }

    private func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
        isNull
            ? .valueNotFound(type, context("expected \(wanted), found null"))
            : .typeMismatch(type, context("expected \(wanted)"))
    }

    fileprivate func context(_ saying: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: saying)
    }
}

private struct JSONMembersRead<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoding: JSONDecoding
    let members: [JSONText.Member]

    var codingPath: [any CodingKey] { decoding.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: decoding.text.name(of: $0)) } }

    func contains(_ key: Key) -> Bool { start(of: key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).string() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).fraction() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: value(key)) }

    func nestedContainer<Nested>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try value(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try value(JSONKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

    private func start(of key: some CodingKey) -> Int? {
        let name = key.stringValue
        return members.first { decoding.text.isNamed($0, name) }?.value
    }

    private func value(_ key: some CodingKey) throws -> JSONDecoding {
        guard let start = start(of: key) else {
            throw DecodingError.keyNotFound(key, decoding.context("it is missing"))
        }
        return decoding.inside(key, at: start)
    }
}

private struct JSONElementsRead: UnkeyedDecodingContainer {
    let decoding: JSONDecoding
    let starts: [Int]
    private(set) var currentIndex = 0

    init(decoding: JSONDecoding, starts: [Int]) {
        self.decoding = decoding
        self.starts = starts
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var count: Int? { starts.count }
    var isAtEnd: Bool { currentIndex == starts.count }

    mutating func decodeNil() throws -> Bool {
        guard try current().isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try T(from: current())
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try take().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try take() }

    private mutating func take() throws -> JSONDecoding {
        let value = try current()
        currentIndex += 1
        return value
    }

    private func current() throws -> JSONDecoding {
        let key = JSONKey(index: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, .init(codingPath: codingPath + [key], debugDescription: "there are no more"))
        }
        return decoding.inside(key, at: starts[currentIndex])
    }
}

private struct JSONScalarRead: SingleValueDecodingContainer {
    let decoding: JSONDecoding
    var codingPath: [any CodingKey] { decoding.codingPath }

    func decodeNil() -> Bool { decoding.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try decoding.bool() }
    func decode(_ type: String.Type) throws -> String { try decoding.string() }
    func decode(_ type: Double.Type) throws -> Double { try decoding.fraction() }
    func decode(_ type: Float.Type) throws -> Float { try decoding.fraction() }
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try decoding.integer() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: decoding) }
}
