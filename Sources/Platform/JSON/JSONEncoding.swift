/// Writes one value as JSON text (RFC 8259) while its `encode(to:)` runs. The text has no line breaks, and the members of
/// objects are in alphabetical order.
///
/// Foundation's encoder builds a tree first, which took more than half of the time of a reply.
final class JSONEncoding: Encoder {
    private enum Shape { case nothing, scalar, array, object }

    /// Always empty: a value that cannot be encoded is a mistake in the program, and its place is not reported.
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private var shape = Shape.nothing
    private var text: [UInt8] = []
    /// The names of an object's members, and where the text of each begins.
    private var members: [(name: String, start: Int)] = []
    /// Encoders that were handed out and are filled later, and the places of their texts.
    private var handedOut: [(place: Int, encoding: JSONEncoding)] = []
    fileprivate private(set) var count = 0
    /// An encoder for the next value inside, kept because its memory is already allocated.
    private var spare: JSONEncoding?

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        be(.object)
        return KeyedEncodingContainer(JSONMembers<Key>(encoding: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        be(.array)
        return JSONElements(encoding: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONScalar(encoding: self) }

    private func be(_ wanted: Shape) {
        precondition(shape == .nothing || shape == wanted, "one value is encoded as two kinds of JSON")
        shape = wanted
    }

    var isObject: Bool { shape == .object || shape == .nothing }

    /// A value that encodes nothing becomes an object without members.
    func append(to bytes: inout [UInt8]) {
        switch shape {
        case .scalar: append(0..<text.count, to: &bytes)
        case .array:
            bytes.append(UInt8(ascii: "["))
            append(0..<text.count, to: &bytes)
            bytes.append(UInt8(ascii: "]"))
        case .nothing, .object:
            bytes.append(UInt8(ascii: "{"))
            appendMembers(to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private func appendMembers(to bytes: inout [UInt8]) {
        let order = members.indices.sorted { members[$0].name < members[$1].name }
        for (position, member) in order.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            let end = member + 1 < members.count ? members[member + 1].start : text.count
            append(members[member].start..<end, to: &bytes)
        }
    }

    private func append(_ part: Range<Int>, to bytes: inout [UInt8]) {
        var start = part.lowerBound
        for (place, encoding) in handedOut where isInside(part, place) {
            bytes += text[start..<place]
            encoding.append(to: &bytes)
            start = place
        }
        bytes += text[start..<part.upperBound]
    }

    /// A member's text begins with its name, so a text at its very start belongs to the member before.
    private func isInside(_ part: Range<Int>, _ place: Int) -> Bool {
        (place > part.lowerBound || shape == .array) && place <= part.upperBound
    }

    // MARK: Calls of the containers

    fileprivate func beginMember(_ key: some CodingKey) {
        members.append((key.stringValue, text.count))
        text.appendJSON(key.stringValue)
        text.append(UInt8(ascii: ":"))
    }

    fileprivate func beginElement() {
        if count > 0 { text.append(UInt8(ascii: ",")) }
        count += 1
    }

    fileprivate func beginScalar() { be(.scalar) }

    fileprivate func write(_ string: String) { text.appendJSON(string) }

    fileprivate func write(_ number: some BinaryInteger) { text += number.description.utf8 }

    fileprivate func write(literal: StaticString) {
        text += UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    /// Writes the text of a whole value.
    func write(raw value: [UInt8]) {
        be(.scalar)
        text += value
    }

    fileprivate func write(_ truth: Bool) { write(literal: truth ? "true" : "false") }

    /// Writes no fraction if it is zero. Throws for infinite numbers and not-a-number, which JSON does not have.
    fileprivate func write(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "not a number of JSON's"))
        }
        let spelled = number.description
        text += spelled.hasSuffix(".0") ? spelled.utf8.dropLast(2) : spelled.utf8[...]
    }

    fileprivate func write(value: some Encodable) throws {
        var encoding = spare ?? JSONEncoding()
        spare = nil
        try value.encode(to: encoding)
        encoding.append(to: &text)
        guard isKnownUniquelyReferenced(&encoding) else { return }
        encoding.forget()
        spare = encoding
    }

    private func forget() {
        shape = .nothing
        text.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
        handedOut = []
        count = 0
    }

    /// An encoder for a value that may be filled after this one's next members.
    fileprivate func handOut() -> JSONEncoding {
        let encoding = JSONEncoding()
        handedOut.append((text.count, encoding))
        return encoding
    }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: JSONEncoding
    var codingPath: [any CodingKey] { encoding.codingPath }

    func encodeNil(forKey key: Key) {
        encoding.beginMember(key)
        encoding.write(literal: "null")
    }

    func encode(_ value: String, forKey key: Key) {
        encoding.beginMember(key)
        encoding.write(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        encoding.beginMember(key)
        encoding.write(value)
    }

    func encode(_ value: Bool, forKey key: Key) {
        encoding.beginMember(key)
        encoding.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        encoding.beginMember(key)
        try encoding.write(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        encoding.beginMember(key)
        try encoding.write(value: value)
    }

    func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { handOut(JSONKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { handOut(key) }

    private func handOut(_ key: some CodingKey) -> JSONEncoding {
        encoding.beginMember(key)
        return encoding.handOut()
    }
}

private struct JSONElements: UnkeyedEncodingContainer {
    let encoding: JSONEncoding
    var codingPath: [any CodingKey] { encoding.codingPath }
    var count: Int { encoding.count }

    func encodeNil() {
        encoding.beginElement()
        encoding.write(literal: "null")
    }

    func encode(_ value: some Encodable) throws {
        encoding.beginElement()
        try encoding.write(value: value)
    }

    func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        superEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder {
        encoding.beginElement()
        return encoding.handOut()
    }
}

private struct JSONScalar: SingleValueEncodingContainer {
    let encoding: JSONEncoding
    var codingPath: [any CodingKey] { encoding.codingPath }

    func encodeNil() {
        encoding.beginScalar()
        encoding.write(literal: "null")
    }

    func encode(_ value: Bool) {
        encoding.beginScalar()
        encoding.write(value)
    }

    func encode(_ value: String) {
        encoding.beginScalar()
        encoding.write(value)
    }

    func encode(_ value: Double) throws {
        encoding.beginScalar()
        try encoding.write(value)
    }

    func encode(_ value: Float) throws {
        encoding.beginScalar()
        try encoding.write(value)
    }

    func encode(_ value: some BinaryInteger & Encodable) {
        encoding.beginScalar()
        encoding.write(value)
    }

    func encode(_ value: some Encodable) throws {
        encoding.beginScalar()
        try encoding.write(value: value)
    }
}

/// The name of an object's member (RFC 8259, section 4), or the place of an array's element (section 5).
public struct JSONKey: CodingKey, ExpressibleByStringLiteral {
    /// The name.
    public let stringValue: String
    /// The place, from 0 on; nil for a member.
    public private(set) var intValue: Int?

    init(_ name: String) { stringValue = name }
    init(index: Int) { (stringValue, intValue) = ("\(index)", index) }
    /// A member's name.
    public init(stringLiteral name: String) { self.init(name) }
    /// A member's name.
    public init?(stringValue: String) { self.init(stringValue) }
    /// An element's place.
    public init?(intValue: Int) { self.init(index: intValue) }
}
