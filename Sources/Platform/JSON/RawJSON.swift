/// Any JSON value, kept as its text, byte for byte.
///
/// Only this module's coders can encode and decode it.
/// Specification: RFC 8259, section 3.
public struct RawJSON: Codable, Equatable, Sendable {
    /// UTF-8.
    public let text: [UInt8]

    /// Throws if the text is no JSON value.
    public init(parsing text: [UInt8]) throws(JSONError) {
        var reader = JSONReader(text)
        try reader.skipValue()
        try reader.end()
        self.text = text
    }

    /// The text of an object. The value's type must encode as an object.
    public init(_ value: some Encodable) { text = JSONObject.text(of: value) }

    /// Keeps the value's bytes as they are in the text that is being decoded.
    public init(from decoder: any Decoder) throws {
        guard let decoding = decoder as? JSONDecoding else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "only a message holds JSON as it is written"))
        }
        text = decoding.raw
    }

    /// Writes the bytes as they are.
    public func encode(to encoder: any Encoder) throws {
        guard let encoding = encoder as? JSONEncoding else {
            throw EncodingError.invalidValue(
                self,
                .init(codingPath: encoder.codingPath, debugDescription: "only a message holds JSON as it is written")
            )
        }
        encoding.write(raw: text)
    }
}
