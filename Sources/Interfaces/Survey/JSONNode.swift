import JSON

/// A JSON value with its place, for readers that name every fault of a text.
struct JSONNode {
    enum Value {
        case object([Member])
        case array([JSONNode])
        case string(String)
        /// As it is written.
        case number(String)
        case bool(Bool)
        case null
    }

    struct Member {
        let key: String
        let keyOffset: Int
        let node: JSONNode
    }

    let value: Value
    /// Bytes before the value.
    let offset: Int

    /// Reads a whole text. Throws its first fault.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONNode {
        var reader = JSONReader(bytes)
        let node = try JSONNode(&reader, bytes)
        try reader.end()
        return node
    }

    private init(_ reader: inout JSONReader, _ bytes: [UInt8]) throws(JSONError) {
        offset = reader.offset
        switch try reader.peekKind() {
        case .object:
            var members: [Member] = []
            try reader.beginObject()
            while let key = try reader.nextKey() {
                let keyOffset = reader.keyOffset
                members.append(Member(key: key, keyOffset: keyOffset, node: try JSONNode(&reader, bytes)))
            }
            value = .object(members)
        case .array:
            var elements: [JSONNode] = []
            try reader.beginArray()
            while try reader.nextElement() { elements.append(try JSONNode(&reader, bytes)) }
            value = .array(elements)
        case .string: value = .string(try reader.readString())
        case .number: value = .number(String(decoding: bytes[try reader.skipValue()], as: UTF8.self))
        case .bool: value = .bool(try reader.readBool())
        case .null:
            try reader.readNull()
            value = .null
        }
    }

    var members: [Member]? { if case .object(let members) = value { members } else { nil } }
    var elements: [JSONNode]? { if case .array(let elements) = value { elements } else { nil } }
    var string: String? { if case .string(let string) = value { string } else { nil } }
    var bool: Bool? { if case .bool(let bool) = value { bool } else { nil } }
    /// A number without fraction and exponent.
    var int: Int? { if case .number(let literal) = value { Int(literal) } else { nil } }
    /// A finite number.
    var double: Double? {
        guard case .number(let literal) = value, let number = Double(literal), number.isFinite else { return nil }
        return number
    }

    subscript(key: String) -> JSONNode? { members?.first { $0.key == key }?.node }
}

/// The beginnings of the lines of a text.
struct LineStarts {
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The line of a byte, from 1.
    func line(of offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
