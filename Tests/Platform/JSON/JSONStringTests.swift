import JSON
import Testing

@Suite struct JSONStringTests {
    @Test(arguments: [
        (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u00E9\u20AC""#, "Aéé€"), (#""\ud83d\ude00!""#, "😀!"), (#""\u0000""#, "\u{0}"),
        ("\"\u{7F}é€😀\u{10FFFF}\"", "\u{7F}é€😀\u{10FFFF}"), (#""é\né""#, "é\né"),
        (#""\uD7FF\uE000""#, "\u{D7FF}\u{E000}"),
    ])
    func `a string is read with its escapes resolved`(text: String, expected: String) throws {
        var reader = JSONReader(text)
        let read = try reader.readString()
        #expect(Array(read.utf8) == Array(expected.utf8))
        try reader.end()
    }

    @Test(arguments: [
        Refused(#""abc"#, 1, 5, "a string without end"),
        Refused(#"""#, 1, 2, "a string without end"),
        Refused("[\"é\n\"]", 1, 4, "a control character in a string"),
        Refused("\"a\tb\"", 1, 3, "a control character in a string"),
        Refused("\"\u{0}\"", 1, 2, "a control character in a string"),
        Refused("\"\u{1F}\"", 1, 2, "a control character in a string"),
        Refused(#""a\x""#, 1, 3, "an unknown escape"),
        Refused(#""\"#, 1, 2, "an unknown escape"),
        Refused(#""\U0041""#, 1, 2, "an unknown escape"),
        Refused(#""\u12""#, 1, 2, #"\u without four hexadecimal digits"#),
        Refused(#""\u12g4""#, 1, 2, #"\u without four hexadecimal digits"#),
        Refused(#""\u+123""#, 1, 2, #"\u without four hexadecimal digits"#),
        Refused(#"["é", "\ud800"]"#, 1, 8, "half a surrogate pair"),
        Refused(#""\ud800\u0041""#, 1, 2, "half a surrogate pair"),
        Refused(#""\ud800\ud800""#, 1, 2, "half a surrogate pair"),
        Refused(#""\udc00""#, 1, 2, "half a surrogate pair"),
        Refused(#""\udfff\ud800""#, 1, 2, "half a surrogate pair"),
        Refused(#""\ud83d \ude00""#, 1, 2, "half a surrogate pair"),
        Refused(#"{"\ud800":1}"#, 1, 3, "half a surrogate pair"),
    ])
    func `a malformed string is refused at its first fault`(refused: Refused) {
        refused.check()
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x28],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused at the first of them, in values and in keys`(bytes: [UInt8]) {
        Refused(bytes: Array("[\n\"é".utf8) + bytes + Array("\"]".utf8), 2, 3, "not UTF-8").check()
        Refused(bytes: Array("{\"é".utf8) + bytes + Array("\":1}".utf8), 1, 4, "not UTF-8").check()
    }

    @Test func `every Unicode scalar is read unchanged, raw or escaped`() throws {
        for value in UInt32(0x20)...0x10FFFF {
            guard value % 7 == 0 || value < 0x3000, let scalar = Unicode.Scalar(value) else { continue }
            guard scalar != "\"", scalar != "\\" else { continue }
            var reader = JSONReader("\"\(Character(scalar))\"")
            let raw = try reader.readString()
            let units = String(Character(scalar)).utf16.map {
                "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst()
            }
            var escaped = JSONReader("\"\(units.joined())\"")
            let read = try escaped.readString()
            guard raw.unicodeScalars.elementsEqual([scalar]), read.unicodeScalars.elementsEqual([scalar]) else {
                Issue.record("\(value) was read as \(raw) and \(read)")
                return
            }
        }
    }
}
