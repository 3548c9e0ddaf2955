public import Time

/// The breathing of one flow. Only whole breaths count: a breath that was broken off begins again.
public struct Exercise: Hashable, Sendable {
    public let breaths: Int
    public let pattern: BreathPattern
    /// Whole breaths drawn so far.
    public internal(set) var done: Int
    /// Since when it runs, and from which breath on; nil while it is paused.
    public internal(set) var run: Run?
    /// Somebody is being led through it.
    public internal(set) var guided = false

    public struct Run: Hashable, Sendable {
        public let began: SteadyInstant
        public let from: Int
    }

    init(breaths: Int, pattern: BreathPattern, done: Int) {
        self.breaths = breaths
        self.pattern = pattern
        self.done = min(done, breaths)
    }

    /// Where in the breathing one is at an instant.
    public struct Position: Hashable, Sendable {
        /// From 1; the last one once all are done.
        public let breath: Int
        public let phase: Phase
        public let length: Duration
        public let elapsed: Duration
        /// Until the last breath is done, if nothing interrupts it.
        public let remaining: Duration
    }

    /// Whole breaths drawn by then.
    public func drawn(at now: SteadyInstant) -> Int {
        guard let run, now > run.began else { return done }
        let cycles = (now - run.began).microseconds / pattern.cycle.microseconds
        return min(breaths, max(done, run.from + Int(clamping: cycles)))
    }

    public func position(at now: SteadyInstant) -> Position {
        let drawn = drawn(at: now)
        let breath = min(drawn + 1, breaths)
        guard drawn < breaths else {
            let last = pattern.phases[pattern.phases.count - 1]
            return Position(
                breath: breath, phase: last.phase, length: last.length, elapsed: last.length, remaining: .zero)
        }
        let intoBreath = run.map { max(.zero, (now - $0.began) - pattern.cycle * (drawn - $0.from)) } ?? .zero
        let (phase, length, elapsed) = phase(after: intoBreath)
        let remaining = pattern.cycle * (breaths - drawn) - intoBreath
        return Position(breath: breath, phase: phase, length: length, elapsed: elapsed, remaining: remaining)
    }

    /// When the phase of that instant gives way to the next; nil while paused.
    public func phaseEnds(after now: SteadyInstant) -> SteadyInstant? {
        guard run != nil else { return nil }
        let position = position(at: now)
        return now + (position.length - position.elapsed)
    }

    private func phase(after intoBreath: Duration) -> (Phase, length: Duration, elapsed: Duration) {
        var rest = intoBreath
        let phases = pattern.phases
        for (phase, length) in phases.dropLast() {
            guard rest >= length else { return (phase, length, rest) }
            rest -= length
        }
        let last = phases[phases.count - 1]
        return (last.phase, last.length, min(rest, last.length))
    }
}
