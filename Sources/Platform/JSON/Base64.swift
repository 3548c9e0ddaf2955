/// Bytes as text (RFC 4648, section 4).
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let pad = UInt8(ascii: "=")

    /// The value of each letter; 64 for bytes that are none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// With padding, on one line.
    public static func encode(_ bytes: [UInt8]) -> String {
        // A global is looked up under a lock, so it is looked up once.
        let alphabet = alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            let group = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
            for place in 0..<4 { text.append(place <= count ? alphabet[group >> (18 - 6 * place) & 63] : pad) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil unless ``encode(_:)`` could have made the text: it has no foreign letter, no line break, its padding, and no bits
    /// beyond the last byte (RFC 4648, sections 3.3 and 3.5).
    public static func decode(_ text: String) -> [UInt8]? {
        let (letters, values) = (Array(text.utf8), values)
        guard letters.count % 4 == 0 else { return nil }
        let padding = letters.suffix(2).reversed().prefix { $0 == pad }.count
        let whole = padding == 0 ? letters.count : letters.count - 4
        var bytes = [UInt8](repeating: 0, count: whole / 4 * 3)
        var next = 0
        for place in stride(from: 0, to: whole, by: 4) {
            let (first, second) = (values[Int(letters[place])], values[Int(letters[place + 1])])
            let (third, fourth) = (values[Int(letters[place + 2])], values[Int(letters[place + 3])])
            guard first | second | third | fourth < 64 else { return nil }
            bytes[next] = first << 2 | second >> 4
            bytes[next + 1] = second << 4 | third >> 2
            bytes[next + 2] = third << 6 | fourth
            next += 3
        }
        var group = 0
        for letter in letters[whole...].dropLast(padding) {
            let value = values[Int(letter)]
            guard value < 64 else { return nil }
            group = group << 6 | Int(value)
        }
        // The letters before the padding have bits beyond the last byte: they must be 0.
        switch padding {
        case 1:
            guard group & 3 == 0 else { return nil }
            bytes += [UInt8(group >> 10), UInt8(group >> 2 & 255)]
        case 2:
            guard group & 15 == 0 else { return nil }
            bytes.append(UInt8(group >> 4))
        default: break
        }
        return bytes
    }
}
