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
    public static let calm = BreathPattern(unchecked: [40, 0, 60, 0])
    /// Four equal sides.
    public static let box = BreathPattern(unchecked: [40, 40, 40, 40])
    /// Four in, seven held, eight out.
    public static let fourSevenEight = BreathPattern(unchecked: [40, 70, 80, 0])
    /// Five in, five out.
    public static let coherent = BreathPattern(unchecked: [50, 0, 50, 0])

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
        var rest = text.utf8[...]
        var known: [Int] = []
        repeat {
            guard let tenths = Self.takeTenths(from: &rest) else { throw .unreadable }
            known.append(tenths)
        } while Self.take("-", from: &rest)
        guard known.count == 4, rest.isEmpty else { throw .unreadable }
        guard known[0] > 0, known[2] > 0 else { throw .noBreath }
        let bounds = Self.cycleSeconds.lowerBound * 10...Self.cycleSeconds.upperBound * 10
        guard bounds.contains(known.reduce(0, +)) else { throw .cycleOutOfBounds }
        self.init(unchecked: known)
    }

    private init(unchecked tenths: [Int]) {
        inhaleTenths = UInt16(tenths[0])
        holdTenths = UInt16(tenths[1])
        exhaleTenths = UInt16(tenths[2])
        restTenths = UInt16(tenths[3])
    }

    private static func length(_ tenths: UInt16) -> Duration { .milliseconds(Int(tenths) * 100) }

    /// One whole breath.
    public var cycle: Duration { inhale + hold + exhale + rest }

    /// The phases that are longer than zero, in their order.
    public var phases: [(phase: Phase, length: Duration)] {
        [(.inhale, inhale), (.hold, hold), (.exhale, exhale), (.rest, rest)].filter { $0.1 > .zero }
    }

    /// One or two digits, optionally with a point and one more, as tenths.
    private static func takeTenths(from rest: inout Substring.UTF8View) -> Int? {
        guard let whole = takeNumber(from: &rest, digits: 2) else { return nil }
        guard take(".", from: &rest) else { return whole * 10 }
        return takeNumber(from: &rest, digits: 1).map { whole * 10 + $0 }
    }

    private static func takeNumber(from rest: inout Substring.UTF8View, digits most: Int) -> Int? {
        let digits = rest.prefix(most).prefix { (48...57).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    private static func take(_ character: Unicode.Scalar, from rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
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
