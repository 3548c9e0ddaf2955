/// Finds what TOMLKit does not refuse but dies of: a value that begins as a number, a date or a time, and is none.
struct ValueCheck {
    private var rest: ArraySlice<UInt8>

    /// Whether this is a number, a date, a time or both, as TOML 1.0 spells them. Which month and which hour there is, and
    /// what is too large, TOMLKit knows.
    static func isSound(_ value: ArraySlice<UInt8>) -> Bool {
        let kinds: [(inout ValueCheck) -> Bool] = [
            { $0.takeInteger(of: "0x", isHexadecimal) }, { $0.takeInteger(of: "0o", isOctal) },
            { $0.takeInteger(of: "0b", isBinary) }, { $0.takeDecimal() }, { $0.takeTime() }, { $0.takeDate() },
        ]
        return kinds.contains { take in
            var check = ValueCheck(rest: value)
            return take(&check) && check.rest.isEmpty
        }
    }

    private mutating func takeInteger(of base: StaticString, _ isDigit: (UInt8) -> Bool) -> Bool {
        take(base) && takeDigits(isDigit)
    }

    /// `-1_000`, `1.5e-3`, `inf`
    private mutating func takeDecimal() -> Bool {
        _ = take("+") || take("-")
        if take("inf") || take("nan") { return true }
        guard takeDigits(Self.isDecimal) else { return false }
        if take("."), !takeDigits(Self.isDecimal) { return false }
        guard take("e") || take("E") else { return true }
        _ = take("+") || take("-")
        return takeDigits(Self.isDecimal)
    }

    /// `2027-03-05`, `2027-03-05 01:02:03`, `2027-03-05T01:02:03.25+01:00`
    private mutating func takeDate() -> Bool {
        guard take(4), take("-"), take(2), take("-"), take(2) else { return false }
        guard take("T") || take("t") || take(" ") else { return true }
        guard takeTime() else { return false }
        if take("Z") || take("z") { return true }
        guard take("+") || take("-") else { return true }
        return take(2) && take(":") && take(2)
    }

    /// `01:02:03.25`
    private mutating func takeTime() -> Bool {
        guard take(2), take(":"), take(2), take(":"), take(2) else { return false }
        return take(".") ? takeDigits(Self.isDecimal, apart: false) : true
    }

    /// One or more, an underscore between two of them perhaps.
    private mutating func takeDigits(_ isDigit: (UInt8) -> Bool, apart mayBeApart: Bool = true) -> Bool {
        repeat {
            let digits = rest.prefix(while: isDigit)
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(digits.count)
        } while mayBeApart && take("_")
        return true
    }

    /// So many digits.
    private mutating func take(_ count: Int) -> Bool {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDecimal) else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isOctal(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) }
    private static func isBinary(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") }
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDecimal(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
