import DaybreakInterfaces

/// The place in a breath at a time.
struct Breathing: Equatable {
    let phase: Homework.Phase
    /// Seconds into the phase, never beyond its end.
    let elapsed: Double
    let phaseSeconds: Double
    /// Seconds until the exercise is done; nil if the breaths are not counted.
    let remaining: Double?

    /// From the daemon's last reply; the daemon says when the next phase begins.
    init(_ pace: Walk.Pace, at time: Double, isRunning: Bool) {
        let exercise = pace.exercise
        let since = isRunning && !exercise.paused ? max(0, time - pace.at) : 0
        phase = exercise.phase
        phaseSeconds = exercise.phaseSeconds
        elapsed = min(exercise.phaseSeconds, exercise.phaseElapsed + since)
        remaining = max(0, exercise.remainingSeconds - (elapsed - min(elapsed, exercise.phaseElapsed)))
    }

    /// The place in a breath that began without the daemon, by the time since then.
    init(_ pattern: Homework.Pattern, since: Double, at time: Double) {
        let phases = pattern.phases
        let cycle = phases.reduce(0) { $0 + $1.seconds }
        var rest = cycle > 0 ? max(0, time - since).truncatingRemainder(dividingBy: cycle) : 0
        var place = 0
        while place < phases.count - 1, rest >= phases[place].seconds {
            rest -= phases[place].seconds
            place += 1
        }
        phase = phases.isEmpty ? .rest : phases[place].phase
        phaseSeconds = phases.isEmpty ? 0 : phases[place].seconds
        elapsed = min(phaseSeconds, rest)
        remaining = nil
    }

    var share: Double { phaseSeconds > 0 ? elapsed / phaseSeconds : 1 }
    var radius: Double { BreathCircle.radius(phase, share: share) }
    /// True while the circle grows or shrinks.
    var moves: Bool { (phase == .inhale || phase == .exhale) && elapsed < phaseSeconds }
    /// The whole seconds left of the phase, counted down: 4, 3, 2, 1.
    var count: Int { Int(max(1, min(Self.longest, phaseSeconds - elapsed)).rounded(.up)) }

    /// No phase takes longer. The daemon's numbers may be of any size.
    private static let longest = 999.0

    /// Seconds until a shown number changes or the phase ends; nil if the daemon's next reply comes first.
    var untilNextNumber: Double? {
        let left = phaseSeconds - elapsed
        let next = [left, remaining ?? 0].filter { $0 > 1 }.map { $0 - ($0.rounded(.up) - 1) }.min()
        if let next { return next + 0.001 }
        return remaining == nil ? left + 0.001 : nil
    }
}

extension Homework.Pattern {
    /// The phases that take time, in their order.
    var phases: [(phase: Homework.Phase, seconds: Double)] {
        [(.inhale, inhale), (.hold, hold), (.exhale, exhale), (.rest, rest)].filter { $0.1 > 0 }
    }
}
