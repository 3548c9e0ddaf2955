/// A length of time as people write it: `90s`, `30m`, `1h30m`, `1h 30min`, `2 hours`, `1.5h`.
public struct Length: Hashable, Sendable {
    public let duration: Duration

    public init(_ duration: Duration) { self.duration = duration }

    /// The names of each unit. A text has the units in this order, each at most once.
    private static let units: [(seconds: Int, names: [String])] = [
        (3_600, ["hours", "hour", "h"]), (60, ["minutes", "minute", "mins", "min", "m"]),
        (1, ["seconds", "second", "secs", "sec", "s"]),
    ]

    /// Reads hours, minutes and seconds, in this order, of up to six digits each, with a point and one or two more where whole
    /// seconds come of them; spaces may stand between. Nil for any other text: a number without its unit is no length.
    public init?(_ text: some StringProtocol) {
        var rest = TextScanner(text.lowercased())
        var seconds = 0
        for unit in Self.units {
            var ahead = rest
            guard let count = ahead.number(digits: 1...6) else { continue }
            guard let hundredths = ahead.hundredths() else { return nil }
            ahead.skipSpaces()
            guard unit.names.contains(where: { ahead.takeWord($0) }) else { continue }
            guard hundredths * unit.seconds % 100 == 0 else { return nil }
            seconds += count * unit.seconds + hundredths * unit.seconds / 100
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
