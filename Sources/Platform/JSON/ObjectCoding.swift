// All conversions between Swift types and JSON objects are here.

/// A JSON object that does not fit the Swift type.
package struct ObjectMismatch: Error {
    /// The object's own member that is at fault, or has the fault inside it; nil if that is unknown.
    package let member: String?
}

/// Decodes an object that ``JSONReader`` has found well-formed.
package func decodeObject<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws(ObjectMismatch) -> T {
    do { return try T(from: JSONDecoding(JSONText(bytes))) } catch {
        guard let error = error as? DecodingError else { throw ObjectMismatch(member: nil) }
        throw ObjectMismatch(member: error.member)
    }
}

/// Appends a value's JSON object: no line breaks, its keys in order.
package func appendObject(_ value: some Encodable, to bytes: inout [UInt8]) {
    let encoding = JSONEncoding()
    do { try value.encode(to: encoding) } catch { preconditionFailure("a message must be encodable: \(error)") }
    precondition(encoding.isObject, "a message's parameters must be an object")
    encoding.append(to: &bytes)
}

extension DecodingError {
    fileprivate var member: String? {
        switch self {
        case .keyNotFound(let key, let context): (context.codingPath.first ?? key).stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.first?.stringValue
        @unknown default: nil
        }
    }
}
