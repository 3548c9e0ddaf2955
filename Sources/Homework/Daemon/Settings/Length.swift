/// A length of time as people write it: `90s`, `30m`, `2h`, `1h30m`.
enum Length {
    private static let units: [(name: UInt8, seconds: Int)] = [
        (UInt8(ascii: "h"), 3_600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
    ]

    /// "1h30m": whole seconds, as `duration(_:)` reads them.
    static func text(_ length: Duration) -> String {
        var rest = Int(length.components.seconds)
        var text = ""
        for unit in units where rest >= unit.seconds {
            text += "\(rest / unit.seconds)\(Unicode.Scalar(unit.name))"
            rest %= unit.seconds
        }
        return text.isEmpty ? "0s" : text
    }

    /// Nil for any other text. Hours, minutes and seconds come in this order, each at most once, in whole numbers of up
    /// to six digits; nothing at all is no length.
    static func duration(_ text: some StringProtocol) -> Duration? {
        var rest = Array(text.utf8)[...]
        guard !rest.isEmpty else { return nil }
        var seconds = 0
        for unit in units {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard (1...6).contains(digits.count), rest.dropFirst(digits.count).first == unit.name else { continue }
            seconds += unit.seconds * digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            rest = rest.dropFirst(digits.count + 1)
        }
        return rest.isEmpty ? .seconds(seconds) : nil
    }
}
