import Control
import Glibc

/// How large the circle is: grown by the inhale, shrunk by the exhale, both eased so that they begin and end softly.
enum BreathCircle {
    /// The smallest, as a share of the largest.
    static let least = 0.3

    /// From ``least`` to 1.
    /// - Parameter share: how much of the phase has passed, from 0 to 1.
    static func radius(_ phase: HomeworkInterface.Phase, share: Double) -> Double {
        let eased = (1 - cos(.pi * min(1, max(0, share)))) / 2
        return switch phase {
        case .inhale: least + (1 - least) * eased
        case .hold: 1
        case .exhale: 1 - (1 - least) * eased
        case .rest: least
        }
    }
}

/// What the daemon said last, brought forward to a later time.
struct Breathing: Equatable {
    let phase: HomeworkInterface.Phase
    /// Seconds into the phase, never beyond its end: the daemon says when the next one begins.
    let elapsed: Double
    let phaseSeconds: Double
    let remaining: Double

    init(_ pace: Walk.Pace, at time: Double, isRunning: Bool) {
        let exercise = pace.exercise
        let since = isRunning && !exercise.paused ? max(0, time - pace.at) : 0
        phase = exercise.phase
        phaseSeconds = exercise.phaseSeconds
        elapsed = min(exercise.phaseSeconds, exercise.phaseElapsed + since)
        remaining = max(0, exercise.remainingSeconds - (elapsed - min(elapsed, exercise.phaseElapsed)))
    }

    var share: Double { phaseSeconds > 0 ? elapsed / phaseSeconds : 1 }
    var radius: Double { BreathCircle.radius(phase, share: share) }
    /// The whole seconds left of the phase, counted down: 4, 3, 2, 1.
    var count: Int { max(1, Int((phaseSeconds - elapsed).rounded(.up))) }
}
