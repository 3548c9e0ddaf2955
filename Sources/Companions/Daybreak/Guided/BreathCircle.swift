import DaybreakInterfaces
import Glibc

/// The size of the circle: it grows with the inhale and shrinks with the exhale, softly at both ends.
enum BreathCircle {
    /// The smallest radius, as a share of the largest.
    static let least = 0.3
    /// The radius if motion is off.
    static let restingRadius = 0.7

    /// The radius, from ``least`` to 1.
    /// - Parameter share: how much of the phase has passed, from 0 to 1.
    static func radius(_ phase: Homework.Phase, share: Double) -> Double {
        let eased = (1 - cos(.pi * min(1, max(0, share)))) / 2
        return switch phase {
        case .inhale: least + (1 - least) * eased
        case .hold: 1
        case .exhale: 1 - (1 - least) * eased
        case .rest: least
        }
    }
}
