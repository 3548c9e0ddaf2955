import DaybreakInterfaces
import Glibc

/// How large the circle is: grown by the inhale, shrunk by the exhale, both eased so that they begin and end softly.
enum BreathCircle {
    /// The smallest, as a share of the largest.
    static let least = 0.3
    /// Where nothing is to move.
    static let still = 0.7

    /// From ``least`` to 1.
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
