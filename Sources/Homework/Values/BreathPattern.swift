/// A part of one breath.
public enum Phase: String, Hashable, Sendable, CaseIterable {
    case inhale, hold, exhale, rest
}

/// How long each phase of one breath takes.
public struct BreathPattern: Hashable, Sendable {
    public let inhale: Duration
    public let hold: Duration
    public let exhale: Duration
    public let rest: Duration

    /// Four seconds in, six out.
    public static let calm = BreathPattern(unchecked: [4_000, 0, 6_000, 0])

    /// A breath shorter than this is panting, one longer than a minute is nobody's.
    public static let cycleSeconds = 2...60

    /// Why a pattern is none.
    public enum Fault: Error, Hashable, Sendable {
        /// Not four numbers of seconds joined by hyphens.
        case unreadable
        /// There must be some inhaling and some exhaling.
        case noBreath
        case cycleOutOfBounds
    }

    /// From seconds joined by hyphens, `4-0-6-0` or `4.5-0-5.5-0`; a tenth of a second is the finest.
    public init(_ text: String) throws(Fault) {
        let phases = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.milliseconds)
        guard phases.count == 4, !phases.contains(nil) else { throw .unreadable }
        let known = phases.compactMap { $0 }
        guard known[0] > 0, known[2] > 0 else { throw .noBreath }
        let bounds = Self.cycleSeconds.lowerBound * 1_000...Self.cycleSeconds.upperBound * 1_000
        guard bounds.contains(known.reduce(0, +)) else { throw .cycleOutOfBounds }
        self.init(unchecked: known)
    }

    private init(unchecked milliseconds: [Int]) {
        inhale = .milliseconds(milliseconds[0])
        hold = .milliseconds(milliseconds[1])
        exhale = .milliseconds(milliseconds[2])
        rest = .milliseconds(milliseconds[3])
    }

    /// One whole breath.
    public var cycle: Duration { inhale + hold + exhale + rest }

    /// The phases that take any time, in their order.
    public var phases: [(phase: Phase, length: Duration)] {
        [(.inhale, inhale), (.hold, hold), (.exhale, exhale), (.rest, rest)].filter { $0.1 > .zero }
    }

    private static func milliseconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let whole = Int(parts[0])
        else { return nil }
        guard parts.count == 2 else { return whole * 1_000 }
        guard parts[1].utf8.count == 1, let tenths = Int(parts[1]) else { return nil }
        return whole * 1_000 + tenths * 100
    }
}

extension BreathPattern: CustomStringConvertible {
    /// The text that `init(_:)` reads: `4-0-6-0`.
    public var description: String {
        [inhale, hold, exhale, rest].map { length in
            let tenths = Int(length.microseconds / 100_000)
            return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        }.joined(separator: "-")
    }
}
