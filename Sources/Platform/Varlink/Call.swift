import JSON

/// A call: a client writes it, a service reads it.
///
/// Specification: varlink.org/Method-Call, "Call". Reading is as strict as systemd's sd-varlink. Any other frame throws
/// ``NotACall``; close the connection then, because its next bytes cannot be trusted.
public struct Call: Equatable, Sendable {
    /// The full name of the method, `org.example.Thing.Do`. It is not checked.
    public private(set) var method = ""
    /// True if the caller accepts several replies; all but the last have `continues`.
    public private(set) var wantsMore = false
    /// True if the caller wants no reply, not even an error.
    public private(set) var isOneway = false
    /// The parameters as UTF-8: a JSON object without duplicate keys; `{}` if the call has none or null.
    public private(set) var parameters = Array("{}".utf8)

    /// The method's interface, `org.example.Thing`: the part before the last dot; empty if there is no dot.
    public var interface: String {
        String(method[..<(method.utf8.lastIndex(of: UInt8(ascii: ".")) ?? method.startIndex)])
    }

    // MARK: The service's side

    /// Reads a frame without its NUL.
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
    /// Call ``Introspection/check(_:)`` first: this ignores unknown parameters.
    public func decode<M: Method>(_ type: M.Type) throws(InvalidParameter) -> M {
        do { return try decodeObject(type, from: parameters) } catch {
            throw InvalidParameter(parameter: error.member ?? "parameters")
        }
    }

    // MARK: The client's side

    /// The message that calls a method, with its NUL. `more` and `oneway` exclude each other.
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

/// A frame that is no call. Close its connection without a reply.
/// Specification: varlink.org/Method-Call, "Call".
public struct NotACall: Error, Equatable, Sendable {
    /// The reason, for a log.
    public let reason: String

    /// A frame that is no call for this reason.
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
