/// An hour and a minute on a wall clock: 18:05. It knows no day.
public struct TimeOfDay: Hashable, Comparable, Sendable {
    /// Minutes since midnight, from 0 to 1439.
    public let minutes: Int

    /// Nil unless `hour` is from 0 to 23 and `minute` from 0 to 59.
    public init?(hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        minutes = hour * 60 + minute
    }

    /// `minutes` is from 0 to 1439.
    init(minutes: Int) { self.minutes = minutes }

    public var hour: Int { minutes / 60 }
    public var minute: Int { minutes % 60 }

    /// Reads a time as people write it: `18:05`, `9:05`, `6pm`, `6:05 PM`, `noon`; nil for any other text.
    public init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        if text == "noon" {
            self.init(minutes: 12 * 60)
            return
        }
        var rest = TextScanner(text)
        guard let hour = rest.number(digits: 1...2) else { return nil }
        var minute: Int?
        if rest.take(":") {
            minute = rest.number(digits: 2...2)
            guard minute != nil else { return nil }
        }
        rest.skipSpaces()
        let isAfternoon = rest.take("pm")
        let hasHalves = isAfternoon || rest.take("am")
        guard rest.isAtEnd, hasHalves ? (1...12).contains(hour) : minute != nil else { return nil }
        self.init(hour: hasHalves ? hour % 12 + (isAfternoon ? 12 : 0) : hour, minute: minute ?? 0)
    }

    public static func < (left: Self, right: Self) -> Bool { left.minutes < right.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    /// `09:05`.
    public var description: String { "\(twoDigits(hour)):\(twoDigits(minute))" }
}
