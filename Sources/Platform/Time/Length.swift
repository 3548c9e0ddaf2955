/// A length of time as people write it: `90s`, `30m`, `1h30m`, `1h 30min`, `2 hours`.
public struct Length: Hashable, Sendable {
    public let duration: Duration

    public init(_ duration: Duration) { self.duration = duration }

    /// The names of each unit. A text has the units in this order, each at most once.
    private static let units: [(seconds: Int, names: [String])] = [
        (3_600, ["hours", "hour", "h"]), (60, ["minutes", "minute", "mins", "min", "m"]),
        (1, ["seconds", "second", "secs", "sec", "s"]),
    ]

    /// Reads whole hours, minutes and seconds, in this order, of up to six digits each; spaces may stand between. Nil for
    /// any other text: a number without its unit is no length.
    public init?(_ text: some StringProtocol) {
        var rest = TextScanner(text)
        var seconds = 0
        for unit in Self.units {
            var ahead = rest
            guard let count = ahead.number(digits: 1...6) else { continue }
            ahead.skipSpaces()
            guard unit.names.contains(where: { ahead.takeWord($0) }) else { continue }
            seconds += count * unit.seconds
            if !ahead.isAtEnd, ahead.skipSpaces(), ahead.isAtEnd { return nil }
            rest = ahead
        }
        guard rest.isAtEnd, !text.isEmpty else { return nil }
        duration = .seconds(seconds)
    }
}

extension Length: CustomStringConvertible {
    /// `1h30m`, in whole seconds; ``init(_:)-(StringProtocol)`` reads it again.
    public var description: String {
        var rest = Int(duration.components.seconds)
        var text = ""
        for unit in Self.units where rest >= unit.seconds {
            text += "\(rest / unit.seconds)\(unit.names.last ?? "")"
            rest %= unit.seconds
        }
        return text.isEmpty ? "0s" : text
    }
}
