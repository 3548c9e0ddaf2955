/// Reads ASCII text from its beginning.
struct TextScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips `text` if it comes next.
    mutating func take(_ text: StaticString) -> Bool { take(text.description) }

    /// Skips `word` if it comes next and no letter follows.
    mutating func takeWord(_ word: String) -> Bool {
        var ahead = self
        guard ahead.take(word), !(ahead.rest.first.map(Self.isLetter) ?? false) else { return false }
        self = ahead
        return true
    }

    /// Reads a number with this many digits, if it comes next.
    mutating func number(digits count: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(count.upperBound).prefix(while: Self.isDigit)
        guard count.contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads a point with one or two digits, in hundredths; 0 if no point comes next. Nil if something else follows the point.
    mutating func hundredths() -> Int? {
        guard take(".") else { return 0 }
        if let two = number(digits: 2...2) { return two }
        return number(digits: 1...1).map { $0 * 10 }
    }

    /// Skips all digits that come next; false if there is none.
    mutating func skipDigits() -> Bool {
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    /// Skips `count` bytes; false if there are fewer.
    mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// False if there was no space.
    @discardableResult mutating func skipSpaces() -> Bool {
        let count = rest.count
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        return rest.count < count
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// Rounds down, so that the remainder is never negative.
func floorDivide(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
