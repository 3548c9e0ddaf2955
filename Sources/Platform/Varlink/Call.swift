import JSON

/// One call, as a client spells it and a service reads it.
///
/// Specification: varlink.org/Method-Call, "Call". Reading is as strict as systemd's sd-varlink: whatever is not certainly
/// a call is refused with ``NotACall``, and the connection is to be closed, because what follows cannot be trusted either.
public struct Call: Equatable, Sendable {
    /// The full name of the method, `org.example.Thing.Do`. Not checked: it may name anything.
    public private(set) var method = ""
    /// Whether the caller takes several replies, all but the last with `continues`.
    public private(set) var wantsMore = false
    /// Whether the caller takes no reply at all, not even an error.
    public private(set) var isOneway = false
    /// The parameters' own bytes: a JSON object without duplicate keys. `{}` where the call has none, or null.
    public private(set) var parameters = Array("{}".utf8)

    /// The method's interface, `org.example.Thing`: what stands before the last dot; empty where there is no dot.
    public var interface: String {
        String(method[..<(method.utf8.lastIndex(of: UInt8(ascii: ".")) ?? method.startIndex)])
    }

    // MARK: The service's side

    /// Reads a frame, its NUL already taken off.
    public init(frame: [UInt8]) throws(NotACall) {
        do { try read(frame) } catch { throw NotACall(reason: error.description) }
        guard !(wantsMore && isOneway) else { throw NotACall(reason: "more and oneway exclude each other") }
    }

    private mutating func read(_ frame: [UInt8]) throws(JSONError) {
        var reader = JSONReader(frame)
        var hasMethod = false
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "method":
                method = try reader.readString()
                hasMethod = true
            case "parameters": parameters = try reader.readParameters() ?? parameters
            case "more": wantsMore = try reader.readBool()
            case "oneway": isOneway = try reader.readBool()
            case "upgrade": throw reader.error(at: reader.keyOffset, "upgrade is not offered")
            default: throw reader.error(at: reader.keyOffset, "a call has no key \(reader.quoted(key))")
            }
        }
        try reader.end()
        guard hasMethod else { throw reader.error(at: 0, "a call without a method") }
    }

    /// The parameters as a method's own type.
    ///
    /// Meant for calls that have passed ``Introspection/check(_:)``: here, unknown parameters are ignored.
    public func decode<M: Method>(_ type: M.Type) throws(InvalidParameter) -> M {
        do { return try decodeObject(type, from: parameters) } catch {
            throw InvalidParameter(parameter: error.member ?? "parameters")
        }
    }

    // MARK: The client's side

    /// The bytes that call a method, with the NUL at the end. `more` and `oneway` exclude each other.
    public static func frame<M: Method>(_ method: M, more: Bool = false, oneway: Bool = false) -> [UInt8] {
        precondition(!(more && oneway), "more and oneway exclude each other")
        var bytes = Array("{\"method\":\"\(M.name)\"".utf8)
        if more { bytes += ",\"more\":true".utf8 }
        if oneway { bytes += ",\"oneway\":true".utf8 }
        bytes += ",\"parameters\":".utf8
        appendObject(method, to: &bytes)
        bytes += "}\0".utf8
        return bytes
    }
}

/// Bytes that are no call. The connection they came over is to be closed without a reply.
/// Specification: varlink.org/Method-Call, "Call".
public struct NotACall: Error, Equatable, Sendable {
    /// Why not, in words, for a log.
    public let reason: String

    /// No call, for this reason.
    public init(reason: String) { self.reason = reason }
}

extension JSONReader {
    /// The bytes of an object; nil for null, which stands for no parameters.
    mutating func readParameters() throws(JSONError) -> [UInt8]? {
        switch try peekKind() {
        case .object: return try Array(bytes[skipValue()])
        case .null:
            try readNull()
            return nil
        case let kind: throw error(at: offset, "expected an object, found \(kind.name)")
        }
    }
}
