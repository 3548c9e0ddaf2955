/// A JSON value of which nothing is known but that it is one: its text, kept byte for byte.
///
/// Only this module's own coders, by which messages are written and read, can encode and decode it.
/// Specification: RFC 8259, section 3.
public struct RawJSON: Codable, Equatable, Sendable {
    /// UTF-8.
    public let text: [UInt8]

    /// The value that this text spells. Throws where it spells none.
    public init(parsing text: [UInt8]) throws(JSONError) {
        var reader = JSONReader(text)
        try reader.skipValue()
        try reader.end()
        self.text = text
    }

    /// A value as its object's text. The type must encode as an object.
    public init(_ value: some Encodable) { text = JSONObject.text(of: value) }

    /// The value's own bytes in the text that is being decoded.
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
