import HomeworkRules
import Time

/// A year from one seed.
struct SimulatedYear {
    static let days = 365

    let seed: UInt64
    private(set) var turns = 0
    private(set) var simulated = 0
    /// The broken promise and the shortest way to it; nil if every promise was kept.
    private(set) var failure: String?

    /// - Parameter more: one more promise, for a test of the simulation itself.
    init(seed: UInt64, days: Int = SimulatedYear.days, promising more: @escaping (World) -> Bool = { _ in true }) {
        self.seed = seed
        var generator = StepGenerator(seed: seed)
        let steps = generator.steps(days: days)
        simulated = days
        var world = World()
        guard let violation = Self.violation(in: steps, &world, more) else {
            turns = world.turns
            return
        }
        turns = world.turns
        let shortest = Self.shortened(steps) { Self.breaks($0, violation, more) }
        failure = "Seed \(seed) breaks a promise: \(violation)\n  The shortest way to it:\(Self.listing(of: shortest))"
    }

    /// The first broken promise on the way. The most expensive checks are only made now and then.
    private static func violation(
        in steps: [Step], _ world: inout World, _ more: (World) -> Bool
    ) -> String? {
        do throws(Violation) {
            for (index, step) in steps.enumerated() {
                try world.live(step)
                guard more(world) else { throw Violation("one more") }
                if index.isMultiple(of: 41) { try world.checkNextReminder() }
                if index.isMultiple(of: 131) { try world.checkChanges() }
                if index.isMultiple(of: 701) { try world.checkReplay() }
            }
            try world.checkNextReminder()
            try world.checkChanges()
            try world.checkReplay()
            return nil
        } catch { return error.promise }
    }

    /// Whether the same promise is broken, perhaps about another assignment.
    private static func breaks(_ steps: [Step], _ promise: String, _ more: (World) -> Bool) -> Bool {
        var world = World()
        return violation(in: steps, &world, more)?.prefix { $0 != ":" } == promise.prefix { $0 != ":" }
    }

    /// The steps that are needed to break a promise. Ever smaller pieces are left out, or replaced by passing time, while a
    /// promise still breaks.
    private static func shortened(_ all: [Step], _ breaks: ([Step]) -> Bool) -> [Step] {
        var steps = all
        var length = max(1, steps.count / 2)
        while true {
            let before = steps.count
            var start = 0
            while start < steps.count {
                let piece = steps[start..<min(start + length, steps.count)]
                let passing = Step.live(piece.reduce(.zero) { $0 + $1.length })
                let others = [[], piece.count > 1 || !piece[start].isPassing ? [passing] : nil].compactMap { $0 }
                let fewer = others.map { Array(steps[..<start] + $0 + steps[piece.endIndex...]) }.first { breaks($0) }
                if let fewer, fewer.count <= steps.count {
                    if fewer.count == steps.count { start += length }
                    steps = fewer
                } else {
                    start += length
                }
            }
            if length > 2 || (length > 1 && steps.count == before) {
                length = max(1, length / 2)
            } else if length == 1, steps.count == before {
                return withSmallSchedules(steps, breaks)
            } else {
                length = length == 1 ? 2 : 1
            }
        }
    }

    private static func withSmallSchedules(_ all: [Step], _ breaks: ([Step]) -> Bool) -> [Step] {
        var steps = all
        for index in steps.indices {
            guard case .ask(.takeSchedule(let schedule, let file, _, _), let length) = steps[index] else { continue }
            var entries = schedule.entries
            for place in entries.indices.reversed() {
                var (fewer, next) = (entries, steps)
                fewer.remove(at: place)
                guard let smaller = try? Schedule(fewer) else { continue }  // A part of a sound schedule is sound.
                next[index] = .ask(.takeSchedule(smaller, file: file), after: length)
                if breaks(next) { (steps, entries) = (next, fewer) }
            }
        }
        return steps
    }

    private static let few = 12

    /// Each step, and its events.
    private static func listing(of steps: [Step]) -> String {
        var world = World()
        var text = ""
        for (index, step) in steps.enumerated() {
            let before = world.history.count
            do throws(Violation) { try world.live(step) } catch { text += "\n    ! \(error.promise)" }
            text += "\n    \(index + 1). \(step)"
            let news = world.history[before...]
            if news.count > few { text += "\n         (\(news.count - few) more before)" }
            for event in news.suffix(few) {
                text += "\n         \(event.moment.wall.day) \(clock(event.moment.wall.minute)) \(event.what)"
            }
        }
        return text
    }

    private static func clock(_ minute: Int) -> String { "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)" }
}
