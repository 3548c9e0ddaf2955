// The one place where Swift types become JSON objects, and JSON objects Swift types.
import FoundationEssentials

/// A JSON object that is not of the type asked for.
struct ObjectMismatch: Error {
    /// The object's own member that is at fault, or inside of which the fault lies; nil where that is not known.
    let member: String?
}

/// Decodes an object that ``JSONReader`` has found well-formed.
func decodeObject<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws(ObjectMismatch) -> T {
    do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
        guard let error = error as? DecodingError else { throw ObjectMismatch(member: nil) }
        throw ObjectMismatch(member: error.member)
    }
}

/// Appends a value's JSON object: no line breaks, its keys in order.
func appendObject(_ value: some Encodable, to bytes: inout [UInt8]) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do { data = try encoder.encode(value) } catch { preconditionFailure("a message must be encodable: \(error)") }
    precondition(data.first == UInt8(ascii: "{"), "a message's parameters must be an object")
    bytes += data
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
