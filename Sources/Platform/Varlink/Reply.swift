import JSON

/// One reply, as a service spells it and a client reads it.
///
/// Specification: varlink.org/Method-Call, "Reply". Its keys are `parameters`, `continues`, `error` and no others; an error
/// is final, so it never comes with `continues`.
public struct Reply: Equatable, Sendable {
    /// The full name of the error; nil where the call succeeded.
    public private(set) var error: String?
    /// Whether further replies to the same call follow.
    public private(set) var continues = false
    /// The parameters' own bytes, of the reply or of the error. `{}` where there are none, or null.
    public private(set) var parameters = Array("{}".utf8)

    // MARK: The service's side

    /// The bytes of a reply, with the NUL at the end. The same values always give the same bytes.
    ///
    /// The parameters must encode as a JSON object, and hold no number that JSON has not (infinity, not-a-number).
    public static func frame(_ parameters: some Encodable, continues: Bool = false) -> [UInt8] {
        var bytes = Array((continues ? "{\"continues\":true,\"parameters\":" : "{\"parameters\":").utf8)
        appendObject(parameters, to: &bytes)
        bytes += "}\0".utf8
        return bytes
    }

    /// The bytes of an error reply, with the NUL at the end.
    public static func frame<E: ErrorReply>(error: E) -> [UInt8] {
        var bytes = Array("{\"error\":\"\(E.name)\",\"parameters\":".utf8)
        appendObject(error, to: &bytes)
        bytes += "}\0".utf8
        return bytes
    }

    // MARK: The client's side

    /// Reads a frame, its NUL already taken off.
    public init(frame: [UInt8]) throws(NotAReply) {
        do { try read(frame) } catch { throw NotAReply(reason: error.description) }
        guard error == nil || !continues else { throw NotAReply(reason: "an error does not continue") }
    }

    private mutating func read(_ frame: [UInt8]) throws(JSONError) {
        var reader = JSONReader(frame)
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "parameters": parameters = try reader.readParameters() ?? parameters
            case "continues": continues = try reader.readBool()
            case "error": error = try reader.readString()
            default: throw reader.error(at: reader.keyOffset, "a reply has no key \(reader.quoted(key))")
            }
        }
        try reader.end()
    }

    /// What a reply without an error carries. A reply with an error is ``NotAReply`` of this type: look at ``error`` first.
    public func decode<T: Decodable>(_ type: T.Type) throws(NotAReply) -> T {
        if let error { throw NotAReply(reason: "it is the error \(error)") }
        do { return try decodeObject(type, from: parameters) } catch {
            throw NotAReply(reason: "its parameters do not fit: \(error.member ?? "parameters")")
        }
    }

    /// The error, where the reply is this error and its parameters fit; else nil.
    public func decodeError<E: ErrorReply>(_ type: E.Type) -> E? {
        guard let error, error.isSpelled(E.name) else { return nil }
        // Parameters that do not fit: it is not the error that this program knows by the name.
        return try? decodeObject(type, from: parameters)
    }
}

/// Bytes that are no reply, or not the expected one. A connection that brought bytes which are no reply is to be closed.
/// Specification: varlink.org/Method-Call, "Reply".
public struct NotAReply: Error, Equatable, Sendable {
    /// Why not, in words.
    public let reason: String

    /// No reply, for this reason.
    public init(reason: String) { self.reason = reason }
}
