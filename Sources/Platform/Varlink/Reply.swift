import JSON

/// A reply: a service writes it, a client reads it.
///
/// Specification: varlink.org/Method-Call, "Reply". Its keys are `parameters`, `continues`, `error` and no others; an error
/// is final, so it never comes with `continues`.
public struct Reply: Equatable, Sendable {
    /// The full name of the error; nil if the call succeeded.
    public private(set) var error: String?
    /// True if more replies to the same call follow.
    public private(set) var continues = false
    /// The parameters of the reply or the error, as UTF-8; `{}` if there are none or null.
    public private(set) var parameters = Array("{}".utf8)

    // MARK: The service's side

    /// The message of a reply, with its NUL. The same values always give the same bytes.
    ///
    /// - Precondition: the parameters encode as a JSON object, and no number is infinite or not-a-number.
    public static func frame(_ parameters: some Encodable, continues: Bool = false) -> [UInt8] {
        var bytes = Array((continues ? "{\"continues\":true,\"parameters\":" : "{\"parameters\":").utf8)
        appendObject(parameters, to: &bytes)
        bytes += "}\0".utf8
        return bytes
    }

    /// The message of an error, with its NUL.
    public static func frame<E: ErrorReply>(error: E) -> [UInt8] {
        var bytes = Array("{\"error\":\"\(E.name)\",\"parameters\":".utf8)
        appendObject(error, to: &bytes)
        bytes += "}\0".utf8
        return bytes
    }

    // MARK: The client's side

    /// Reads a frame without its NUL.
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

    /// The parameters of a reply without an error. Throws ``NotAReply`` if ``error`` is not nil.
    public func decode<T: Decodable>(_ type: T.Type) throws(NotAReply) -> T {
        if let error { throw NotAReply(reason: "it is the error \(error)") }
        do { return try decodeObject(type, from: parameters) } catch {
            throw NotAReply(reason: "its parameters do not fit: \(error.member ?? "parameters")")
        }
    }

    /// The error, if the reply is this error and its parameters fit; nil otherwise.
    public func decodeError<E: ErrorReply>(_ type: E.Type) -> E? {
        guard let error, error.isSpelled(E.name) else { return nil }
        // The name fits and the parameters do not: it is not the error that this program knows.
        return try? decodeObject(type, from: parameters)
    }
}

/// A frame that is no reply, or not the expected one. Close a connection that sent a frame which is no reply.
/// Specification: varlink.org/Method-Call, "Reply".
public struct NotAReply: Error, Equatable, Sendable {
    /// The reason, for a log.
    public let reason: String

    /// A frame that is no reply for this reason.
    public init(reason: String) { self.reason = reason }
}
