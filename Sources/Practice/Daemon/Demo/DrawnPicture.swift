/// Draws a small picture for a made-up service: a sun over hills, in shades of one colour.
enum DrawnPicture {
    private static let (width, height) = (320, 200)

    /// A PNG (PNG specification, third edition).
    static func png(hue: Int, height sun: Int) -> [UInt8] {
        let colour = colours[hue % colours.count]
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)  // No filter.
            for x in 0..<width { rows += shade(x, y, colour, sun) }
        }
        var header = number(UInt32(width)) + number(UInt32(height))
        header += [8, 2, 0, 0, 0]  // Eight bits each of red, green and blue.
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", stored(rows))
            + chunk("IEND", [])
    }

    private static let colours: [[Int]] = [
        [214, 120, 86], [92, 138, 168], [128, 156, 98], [176, 124, 160], [196, 160, 84],
    ]

    private static func shade(_ x: Int, _ y: Int, _ colour: [Int], _ sun: Int) -> [UInt8] {
        let (dx, dy) = (x - width * 2 / 3, y - sun)
        let hill = 140 + (x * (width - x)) / 700 - x / 9
        if y > hill { return colour.map { UInt8(max(0, $0 - (y - hill) / 2 - 30)) } }
        if dx * dx + dy * dy < 900 { return [250, 236, 200] }
        return colour.map { UInt8(min(255, $0 + (height - y) / 3)) }
    }

    private static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + bytes
        return number(UInt32(bytes.count)) + named + number(crc(named))
    }

    /// As zlib data that is not compressed (RFC 1950; RFC 1951, section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var data: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let length = UInt16(block.count)
            data.append(block.endIndex == bytes.count ? 1 : 0)
            for word in [length, ~length] { data += [UInt8(word & 0xFF), UInt8(word >> 8)] }
            data += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return data + number(high << 16 | low)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
