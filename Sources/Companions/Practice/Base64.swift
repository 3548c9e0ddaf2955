/// Bytes as text (RFC 4648, section 4).
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let pad = UInt8(ascii: "=")

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 { text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : pad) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil where the text is no base64.
    static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0 else { return nil }
        let values = Dictionary(uniqueKeysWithValues: letters.enumerated().map { ($1, $0) })
        let digits = text.utf8.reversed().drop { $0 == pad }.reversed()
        guard text.utf8.count - digits.count <= 2 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for digit in digits {
            guard let value = values[digit] else { return nil }
            (bits, count) = ((bits << 6 | value) & 0xFFFF, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 0xFF))
            }
        }
        return bytes
    }
}
