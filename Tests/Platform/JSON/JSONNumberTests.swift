import JSON
import Testing

@Suite struct JSONNumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("7", 7), ("-17", -17), ("9223372036854775807", Int.max),
        ("-9223372036854775808", Int.min), ("1000000000000000000", 1_000_000_000_000_000_000),
    ])
    func `a 64-bit integer is read`(text: String, expected: Int) throws {
        var reader = JSONReader(text)
        #expect(try reader.readInt() == expected)
        try reader.end()
    }

    @Test(arguments: [
        ("9223372036854775808", "an integer out of range"), ("-9223372036854775809", "an integer out of range"),
        ("18446744073709551616", "an integer out of range"), ("92233720368547758070", "an integer out of range"),
        (String(repeating: "9", count: 1000), "an integer out of range"),
        ("1.5", "expected an integer, found a fraction or an exponent"),
        ("1.0", "expected an integer, found a fraction or an exponent"),
        ("1e3", "expected an integer, found a fraction or an exponent"),
        ("1e400", "expected an integer, found a fraction or an exponent"),
    ])
    func `a number that is no 64-bit integer is refused at its first byte`(text: String, reason: String) {
        #expect(throws: JSONError(position: .init(offset: 1, line: 1, column: 2), reason: reason)) {
            var reader = JSONReader(" " + text)
            _ = try reader.readInt()
        }
    }

    @Test(arguments: [
        ("0", 0.0), ("1", 1), ("-2.5", -2.5), ("1e3", 1000), ("1E+3", 1000), ("12.5e-1", 1.25), ("0.1", 0.1),
        ("0e5", 0), ("0.000e-999", 0), ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
        ("5e-324", Double.leastNonzeroMagnitude), ("2.2250738585072014e-308", Double.leastNormalMagnitude),
        ("9007199254740993", 9_007_199_254_740_992), ("123456789012345678901234567890", 1.2345678901234568e29),
    ])
    func `a double is read, also from an integer`(text: String, expected: Double) throws {
        var reader = JSONReader(text)
        #expect(try reader.readDouble() == expected)
        try reader.end()
    }

    @Test func `minus zero is read as minus zero`() throws {
        var reader = JSONReader("-0.0")
        let zero = try reader.readDouble()
        #expect(zero == 0 && zero.sign == .minus)
    }

    @Test(arguments: ["1e400", "-1e400", "1e-400", "1e99999999999999999999", "1e-99999999999999999999", "1.8e308"])
    func `a number outside the range of a double is refused at its first byte`(text: String) {
        #expect(
            throws: JSONError(position: .init(offset: 1, line: 1, column: 2), reason: "a number out of range")
        ) {
            var reader = JSONReader(" " + text)
            _ = try reader.readDouble()
        }
    }

    @Test(arguments: [
        Refused("01", 1, 1, "a leading zero"),
        Refused("[-007]", 1, 2, "a leading zero"),
        Refused("00", 1, 1, "a leading zero"),
        Refused("-", 1, 2, "expected a digit, found the end"),
        Refused("-a", 1, 2, "expected a digit, found 'a'"),
        Refused("--1", 1, 2, "expected a digit, found '-'"),
        Refused("1.", 1, 3, "expected a digit, found the end"),
        Refused("[1.]", 1, 4, "expected a digit, found ']'"),
        Refused("1.e5", 1, 3, "expected a digit, found 'e'"),
        Refused("1e", 1, 3, "expected a digit, found the end"),
        Refused("1e+", 1, 4, "expected a digit, found the end"),
        Refused("1e+-2", 1, 4, "expected a digit, found '-'"),
        Refused("+1", 1, 1, "expected a value, found '+'"),
        Refused(".5", 1, 1, "expected a value, found '.'"),
        Refused("0x10", 1, 2, "expected the end, found 'x'"),
        Refused("1_000", 1, 2, "expected the end, found '_'"),
        Refused("-Infinity", 1, 2, "expected a digit, found 'I'"),
    ])
    func `a malformed number is refused at its first wrong byte`(refused: Refused) {
        refused.check()
    }
}
