// Strings in JSON (RFC 8259, section 7).
extension JSONReader {
    /// A well-formed string: the bytes between its quotation marks.
    struct ScannedString {
        let range: Range<Int>
        let hasEscapes: Bool
    }

    /// Skips the string at the reader's place.
    mutating func scanString() throws(JSONError) -> ScannedString {
        let start = offset + 1
        var index = start
        var hasEscapes = false
        while true {
            index = endOfPlainText(at: index)
            switch byte(at: index) {
            case UInt8(ascii: "\""):
                offset = index + 1
                return ScannedString(range: start..<index, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                index = try endOfEscape(at: index)
            case 0x80...: index = try endOfScalar(at: index)
            default:
                throw error(at: index, index < bytes.count ? "a control character in a string" : "a string without end")
            }
        }
    }

    /// The next byte that ends the string, begins an escape or a longer character, or may not stand there.
    private func endOfPlainText(at start: Int) -> Int {
        let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        return bytes[start...].firstIndex { $0 < 0x20 || $0 >= 0x80 || $0 == quote || $0 == escape } ?? bytes.count
    }

    /// The text of a scanned string.
    func string(_ scanned: ScannedString) -> String {
        guard scanned.hasEscapes else { return String(decoding: bytes[scanned.range], as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(scanned.range.count)
        var index = scanned.range.lowerBound
        while index < scanned.range.upperBound {
            if bytes[index] == UInt8(ascii: "\\") {
                index = appendEscape(at: index, to: &text)
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Escapes

    private func endOfEscape(at start: Int) throws(JSONError) -> Int {
        switch byte(at: start + 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"): return try endOfUnicodeEscape(at: start)
        default: throw error(at: start, "an unknown escape")
        }
    }

    private func endOfUnicodeEscape(at start: Int) throws(JSONError) -> Int {
        guard let unit = codeUnit(at: start) else { throw error(at: start, "\\u without four hexadecimal digits") }
        guard UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit) else { return start + 6 }
        guard UTF16.isLeadSurrogate(unit), let trail = codeUnit(at: start + 6), UTF16.isTrailSurrogate(trail) else {
            throw error(at: start, "half a surrogate pair")
        }
        return start + 12
    }

    /// The code unit of the `\uXXXX` at this place.
    private func codeUnit(at start: Int) -> UInt16? {
        guard byte(at: start) == UInt8(ascii: "\\"), byte(at: start + 1) == UInt8(ascii: "u") else { return nil }
        var unit: UInt16 = 0
        for index in start + 2..<start + 6 {
            guard let digit = hexadecimalDigit(byte(at: index)) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Appends the character of the escape at this place. Returns the place after the escape.
    private func appendEscape(at start: Int, to text: inout [UInt8]) -> Int {
        switch bytes[start + 1] {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): return appendUnicodeEscape(at: start, to: &text)
        case let literal: text.append(literal)
        }
        return start + 2
    }

    private func appendUnicodeEscape(at start: Int, to text: inout [UInt8]) -> Int {
        var units = [codeUnit(at: start) ?? 0]
        if UTF16.isLeadSurrogate(units[0]) { units.append(codeUnit(at: start + 6) ?? 0) }
        text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        return start + 6 * units.count
    }

    // MARK: UTF-8

    /// The place after the scalar of several bytes at this place (RFC 3629, section 4).
    private func endOfScalar(at start: Int) throws(JSONError) -> Int {
        let second = byte(at: start + 1)
        let length: Int? =
            switch (byte(at: start), second) {
            case (0xC2...0xDF, 0x80...0xBF): 2
            case (0xE0, 0xA0...0xBF), (0xE1...0xEC, 0x80...0xBF), (0xED, 0x80...0x9F), (0xEE...0xEF, 0x80...0xBF): 3
            case (0xF0, 0x90...0xBF), (0xF1...0xF3, 0x80...0xBF), (0xF4, 0x80...0x8F): 4
            default: nil
            }
        guard let length, (2..<length).allSatisfy({ byte(at: start + $0) & 0b1100_0000 == 0b1000_0000 }) else {
            throw error(at: start, "not UTF-8")
        }
        return start + length
    }

    // MARK: Messages

    /// A key in an error message. The key comes from a stranger, so it is cut and control characters are replaced.
    package func quoted(_ key: String) -> String {
        let scalars = key.unicodeScalars
        let kept = scalars.prefix(40).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        return "'\(String(String.UnicodeScalarView(kept)))\(scalars.count > kept.count ? "…" : "")'"
    }

    /// The name of the byte at a place, for an error message.
    func nameOfByte(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end" }
        let byte = bytes[offset]
        if (0x21..<0x7F).contains(byte) { return "'\(Character(Unicode.Scalar(byte)))'" }
        if bytes[offset...].prefix(3).elementsEqual("“".utf8) || bytes[offset...].prefix(3).elementsEqual("”".utf8) {
            return "a curly quotation mark: JSON has the straight one, \""
        }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x\(byte < 16 ? "0" : "")\(digits)"
    }
}

// Writing strings.
extension [UInt8] {
    /// Appends a string with its quotation marks. Escapes only the characters that JSON requires.
    package mutating func appendJSON(_ string: String) {
        append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            if bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                append(contentsOf: bytes)
            } else {
                for byte in bytes { appendEscaped(byte) }
            }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self += [UInt8(ascii: "\\"), byte]
        case 0x20...: append(byte)
        default: appendEscape(ofControl: byte)
        }
    }

    private mutating func appendEscape(ofControl byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            self += "u00".utf8
            append(UInt8(ascii: "0") + byte >> 4)
            append(Array("0123456789abcdef".utf8)[Int(byte & 0xF)])
        }
    }
}
