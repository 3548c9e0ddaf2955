public import Time

/// The breathing of one flow. Only whole breaths count: an interrupted breath begins again.
public struct Exercise: Hashable, Sendable {
    public let breaths: Int
    public let pattern: BreathPattern
    /// Whole breaths so far.
    public internal(set) var done: Int
    /// Nil while the exercise is paused.
    public internal(set) var run: Run?
    /// Since when a client who is guided pauses.
    public internal(set) var pausedAt: Instant?
    /// A program is guiding the client through it.
    public internal(set) var guided = false

    /// Breathing without a pause, since `began`, after `from` whole breaths.
    public struct Run: Hashable, Sendable {
        public let began: SteadyInstant
        public let from: Int
    }

    init(breaths: Int, pattern: BreathPattern, done: Int) {
        self.breaths = breaths
        self.pattern = pattern
        self.done = min(done, breaths)
    }

    /// The breath and its phase at one instant.
    public struct Position: Hashable, Sendable {
        /// From 1. After the last breath it is still the last.
        public let breath: Int
        public let phase: Phase
        public let length: Duration
        public let elapsed: Duration
        /// Until the end of the last breath, without a pause.
        public let remaining: Duration
    }

    /// Whole breaths at `now`.
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

    /// When the phase at `now` ends; nil while paused.
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

extension Decision {
    mutating func breathe() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        if flow.exercise.run == nil { happen(.breathingBegan(flow.assignment)) }
    }

    mutating func loseGuide() {
        guard let flow = plan.flow, flow.exercise.guided else { return }
        happen(.guideLeft(flow.assignment))
    }

    mutating func pause() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        if flow.exercise.run != nil { happen(.breathingPaused(flow.assignment)) }
    }

    mutating func resume() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        guard flow.exercise.guided else { throw .notGuided }
        if flow.exercise.run == nil { happen(.breathingBegan(flow.assignment)) }
    }

    mutating func restart() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        happen(.exerciseRestarted(flow.assignment))
        if flow.exercise.guided { happen(.breathingBegan(flow.assignment)) }
    }

    mutating func countBreaths() {
        guard let flow = plan.flow, flow.stage == .exercise else { return }
        let drawn = flow.exercise.drawn(at: moment.steady)
        if drawn > flow.exercise.done { happen(.breathed(flow.assignment, breaths: drawn)) }
        if drawn >= flow.exercise.breaths { happen(.exerciseFinished(flow.assignment)) }
    }
}

extension Plan {
    mutating func beginBreathing(at moment: Moment) {
        guard let done = flow?.exercise.done else { return }
        flow?.exercise.run = Exercise.Run(began: moment.steady, from: done)
        flow?.exercise.pausedAt = nil
        flow?.exercise.guided = true
    }

    mutating func pauseBreathing(at moment: Moment) {
        flow?.exercise.run = nil
        flow?.exercise.pausedAt = moment.instant
    }

    /// This plan with nobody who guides. It is shown while the end of the guide cannot be recorded.
    public var withoutGuide: Plan {
        guard flow?.exercise.guided == true else { return self }
        var plan = self
        plan.loseGuide()
        return plan
    }

    mutating func loseGuide() {
        flow?.exercise.run = nil
        flow?.exercise.pausedAt = nil
        flow?.exercise.guided = false
    }

    mutating func count(_ breaths: Int, for id: AssignmentID) {
        flow?.exercise.done = breaths
        progress[of: id].breathsDone = breaths
    }

    mutating func restartExercise(_ id: AssignmentID) {
        count(0, for: id)
        flow?.exercise.run = nil
    }

    mutating func finishExercise(_ id: AssignmentID, at moment: Moment) {
        progress[of: id].exerciseFinished = true
        enter(.waiting, at: moment)
    }
}
