public import Time

/// Lengths of time on the command line, the same in every verb: a number needs its unit.
extension Length {
    /// The seconds of a typed length such as `90s`, `5m` or `1h30m`; nil if the text is no length from a second to a day.
    public static func seconds(typed text: String) -> Int? {
        let seconds = Length(text).map { Int($0.duration.components.seconds) }
        return seconds.flatMap { (1...86_400).contains($0) ? $0 : nil }
    }
}

extension Wording {
    /// The sentence about a text that is no length from a second to a day.
    public static func noLength(_ text: String) -> String {
        if let sentence = noUnit(text) { return sentence }
        return "“\(text.shown)” is not a length from 1s to 24h; write one such as 90s, 30m or 1h30m."
    }

    /// The sentence about a number without a unit, which may be seconds or minutes; nil for any other text.
    public static func noUnit(_ text: String) -> String? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        let number = text.shown
        return "“\(number)” may be seconds or minutes; write \(number)s or \(number)m."
    }
}
