/// The picture of a service, in a format that all browsers show.
public struct Picture: Equatable, Sendable {
    /// The media type, such as `image/png`.
    public let type: String
    public let bytes: [UInt8]

    public static let limit = 1_024 * 1_024

    /// Nil if the first bytes are not those of a PNG, a JPEG or a WebP.
    public init?(_ bytes: [UInt8]) {
        guard let type = Self.type(of: bytes) else { return nil }
        self.type = type
        self.bytes = bytes
    }

    /// From the store, without checks.
    public init(type: String, bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }

    /// The media type by the first bytes (PNG specification, 5.2; ISO/IEC 10918-1, B.1.1.3; RFC 9649, section 2.4).
    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }
}
