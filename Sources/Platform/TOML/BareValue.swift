// Names and values that stand without quotes.
extension TOMLReader {
    /// A bare name's byte.
    static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: isDigit(byte)
        }
    }

    /// A byte of a bare value.
    static func isWord(_ byte: UInt8) -> Bool { !" \t\r\n,]}#".utf8.contains(byte) }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Nil if the word is no value.
    static func value(_ word: String) -> TOMLValue? {
        if word == "true" || word == "false" { return .boolean(word == "true") }
        return number(word) ?? date(word)
    }

    /// `-1_000`, `0xff`, `1.5e-3`, `inf`
    private static func number(_ word: String) -> TOMLValue? {
        for (mark, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(mark) {
            return digits(word.dropFirst(2), isHexadecimal).flatMap { Int($0, radix: radix) }.map { .number($0) }
        }
        let unsigned = unsigned(word[...])
        if unsigned == "inf" || unsigned == "nan" { return .other(kind: "a number") }
        if let whole = digits(unsigned), whole == "0" || !whole.hasPrefix("0") {
            return Int(word.hasPrefix("-") ? "-\(whole)" : whole).map { .number($0) }
        }
        let parts = unsigned.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        var numbers = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count + numbers.count > 2, numbers[0] == "0" || !numbers[0].hasPrefix("0") else { return nil }
        if parts.count == 2 { numbers.append(Self.unsigned(parts[1])) }
        return numbers.allSatisfy { digits($0) != nil } ? .other(kind: "a number") : nil
    }

    private static func unsigned(_ text: Substring) -> Substring {
        text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text
    }

    /// The digits without the underscores. An underscore must have a digit on each side.
    private static func digits(_ text: Substring, _ isDigit: (UInt8) -> Bool = isDigit) -> String? {
        let groups = text.split(separator: "_", omittingEmptySubsequences: false)
        return groups.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) } ? groups.joined() : nil
    }

    /// `2027-03-05`, `01:02:03.25`, `2027-03-05T01:02:03+01:00`. Months and hours are not checked: no setting is a date,
    /// and a setting that is a time has its own bounds.
    private static func date(_ word: String) -> TOMLValue? {
        let shape = shape(word)
        if shape == "0000-00-00" { return .other(kind: "a date") }
        if isTime(shape) { return .time(word) }
        let day = shape.prefix(11)
        guard ["0000-00-00T", "0000-00-00t", "0000-00-00 "].contains(day) else { return nil }
        var time = shape.dropFirst(11)
        for zone in ["Z", "z", "+00:00", "-00:00"] where time.hasSuffix(zone) { time = time.dropLast(zone.utf8.count) }
        return isTime(String(time)) ? .other(kind: "a date with a time") : nil
    }

    /// `00:00:00` or `00:00:00.000`
    private static func isTime(_ shape: String) -> Bool {
        let fraction = shape.dropFirst(9)
        return shape == "00:00:00"
            || shape.hasPrefix("00:00:00.") && !fraction.isEmpty && fraction.utf8.allSatisfy(isDigit)
    }

    /// The word with a 0 in place of each digit.
    static func shape(_ word: String) -> String {
        String(decoding: word.utf8.map { isDigit($0) ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
    }
}
