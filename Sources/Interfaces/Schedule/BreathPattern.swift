import Time

/// A part of one breath.
public enum Phase: String, Hashable, Sendable, CaseIterable {
    case inhale, hold, exhale, rest
}

/// How long each phase of one breath takes.
public struct BreathPattern: Hashable, Sendable {
    // Tenths of a second in 16 bits: each of 100,000 assignments may have a pattern.
    private let inhaleTenths: UInt16
    private let holdTenths: UInt16
    private let exhaleTenths: UInt16
    private let restTenths: UInt16

    public var inhale: Duration { Self.length(inhaleTenths) }
    public var hold: Duration { Self.length(holdTenths) }
    public var exhale: Duration { Self.length(exhaleTenths) }
    public var rest: Duration { Self.length(restTenths) }

    /// Four seconds in, six out.
    public static let calm = BreathPattern(unchecked: 40, 0, 60, 0)
    /// Four equal sides.
    public static let box = BreathPattern(unchecked: 40, 40, 40, 40)
    /// Four in, seven held, eight out.
    public static let fourSevenEight = BreathPattern(unchecked: 40, 70, 80, 0)
    /// Five in, five out.
    public static let coherent = BreathPattern(unchecked: 50, 0, 50, 0)

    /// Seconds of one breath. A shorter breath is panting, and nobody breathes longer than a minute.
    public static let cycleSeconds = 2...60

    /// The reason why a text is no pattern.
    public enum Fault: Error, Hashable, Sendable {
        /// The text is not four numbers of seconds joined by hyphens.
        case unreadable
        /// It has no inhaling or no exhaling.
        case noBreath
        case cycleOutOfBounds
    }

    /// Reads seconds joined by hyphens: `4-0-6-0` or `4.5-0-5.5-0`, in tenths of a second at the finest.
    public init(_ text: String) throws(Fault) {
        var rest = text.utf8.span
        guard let inhale = Self.takeTenths(from: &rest), Self.take("-", from: &rest),
            let hold = Self.takeTenths(from: &rest), Self.take("-", from: &rest),
            let exhale = Self.takeTenths(from: &rest), Self.take("-", from: &rest),
            let pause = Self.takeTenths(from: &rest), rest.isEmpty
        else { throw .unreadable }
        guard inhale > 0, exhale > 0 else { throw .noBreath }
        let bounds = Self.cycleSeconds.lowerBound * 10...Self.cycleSeconds.upperBound * 10
        guard bounds.contains(inhale + hold + exhale + pause) else { throw .cycleOutOfBounds }
        self.init(unchecked: inhale, hold, exhale, pause)
    }

    private init(unchecked inhale: Int, _ hold: Int, _ exhale: Int, _ rest: Int) {
        inhaleTenths = UInt16(inhale)
        holdTenths = UInt16(hold)
        exhaleTenths = UInt16(exhale)
        restTenths = UInt16(rest)
    }

    private static func length(_ tenths: UInt16) -> Duration { .milliseconds(Int(tenths) * 100) }

    /// One whole breath.
    public var cycle: Duration { inhale + hold + exhale + rest }

    /// The phases that are longer than zero, in their order.
    public var phases: [(phase: Phase, length: Duration)] {
        [(.inhale, inhale), (.hold, hold), (.exhale, exhale), (.rest, rest)].filter { $0.1 > .zero }
    }

    /// One or two digits, optionally with a point and one more, as tenths.
    private static func takeTenths(from rest: inout Span<UInt8>) -> Int? {
        guard var whole = takeDigit(from: &rest) else { return nil }
        if let second = takeDigit(from: &rest) { whole = whole * 10 + second }
        guard take(".", from: &rest) else { return whole * 10 }
        return takeDigit(from: &rest).map { whole * 10 + $0 }
    }

    private static func takeDigit(from rest: inout Span<UInt8>) -> Int? {
        guard !rest.isEmpty, (48...57).contains(rest[0]) else { return nil }
        defer { rest = rest.extracting(droppingFirst: 1) }
        return Int(rest[0]) - 48
    }

    private static func take(_ character: Unicode.Scalar, from rest: inout Span<UInt8>) -> Bool {
        guard !rest.isEmpty, rest[0] == UInt8(ascii: character) else { return false }
        rest = rest.extracting(droppingFirst: 1)
        return true
    }
}

extension BreathPattern: CustomStringConvertible {
    /// The seconds joined by hyphens, `4-0-6-0`, as `init(_:)` reads them.
    public var description: String {
        [inhale, hold, exhale, rest].map { length in
            let tenths = Int(length.microseconds / 100_000)
            return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        }.joined(separator: "-")
    }
}
