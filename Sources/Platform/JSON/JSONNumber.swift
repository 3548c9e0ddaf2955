// Numbers in JSON (RFC 8259, section 6).
extension JSONReader {
    /// A well-formed number.
    struct ScannedNumber {
        let range: Range<Int>
        /// Without fraction and exponent.
        let isInteger: Bool
    }

    /// Skips the number at the reader's place.
    mutating func scanNumber() throws(JSONError) -> ScannedNumber {
        let start = offset
        if current == UInt8(ascii: "-") { offset += 1 }
        let first = offset
        try skipDigits()
        if byte(at: first) == UInt8(ascii: "0"), offset > first + 1 { throw error(at: start, "a leading zero") }
        let endOfInteger = offset
        if current == UInt8(ascii: ".") {
            offset += 1
            try skipDigits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            try skipDigits()
        }
        return ScannedNumber(range: start..<offset, isInteger: offset == endOfInteger)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = offset
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(current) { offset += 1 }
        guard offset > start else { throw error(at: offset, "expected a digit, found \(nameOfByte(at: offset))") }
    }

    /// The number as an integer.
    func integer(_ number: ScannedNumber) throws(JSONError) -> Int {
        let start = number.range.lowerBound
        guard number.isInteger else { throw error(at: start, "expected an integer, found a fraction or an exponent") }
        let isNegative = bytes[start] == UInt8(ascii: "-")
        var value = 0
        var overflows = false
        for byte in bytes[number.range].dropFirst(isNegative ? 1 : 0) {
            let digit = Int(byte - UInt8(ascii: "0"))
            let (shifted, one) = value.multipliedReportingOverflow(by: 10)
            // Counts downwards, because the lowest integer has no positive counterpart.
            let (next, other) =
                isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            if one || other { overflows = true }
            value = next
        }
        guard !overflows else { throw error(at: start, "an integer out of range") }
        return value
    }

    /// The number as a double. Throws if it would become infinite, or zero without being written as zero.
    func double(_ number: ScannedNumber) throws(JSONError) -> Double {
        let literal = bytes[number.range]
        guard let value = Double(String(decoding: literal, as: UTF8.self)), value.isFinite,
            value != 0 || isZero(literal)
        else { throw error(at: number.range.lowerBound, "a number out of range") }
        return value
    }

    private func isZero(_ literal: ArraySlice<UInt8>) -> Bool {
        let mantissa = literal.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        return !mantissa.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }
}
