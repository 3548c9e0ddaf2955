import Glibc
import Homework
import Testing

/// `DAYBREAK_SEEDS=5000` for more of them; `DAYBREAK_SEED=77` for that one.
private let seeds: ClosedRange<UInt64> = {
    func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
    if let one = number("DAYBREAK_SEED") { return one...one }
    return 1...max(1, number("DAYBREAK_SEEDS") ?? 200)
}()

private let stepsPerSeed = 300

@Suite struct `A simulated life` {
    @Test(arguments: seeds) func `keeps every promise`(seed: UInt64) {
        var chance = Chance(seed: seed)
        let steps = chance.steps(stepsPerSeed)
        guard let violation = violation(in: steps) else { return }
        let shortest = shortened(steps)
        let tail = shortest.enumerated().map { "\n    \($0 + 1). \($1)" }.joined()
        Issue.record("Seed \(seed) breaks a promise: \(violation)\n  The shortest way to it:\(tail)")
    }

    /// So many lives see everything.
    private static let enough = 60

    @Test func `sees everything that can happen`() throws {
        var sights: Set<String> = []
        for seed in seeds.prefix(Self.enough) {
            var chance = Chance(seed: seed)
            var world = World()
            for step in chance.steps(stepsPerSeed) { try world.live(step) }
            sights.formUnion(world.sights)
        }
        let unseen = everything.subtracting(sights).sorted()
        if seeds.count >= Self.enough { #expect(unseen == []) }
        let unknown = sights.subtracting(everything).sorted()
        #expect(unknown == [])
    }
}

private let everything: Set<String> = [
    "dayBegan", "dayTakenBack", "assigned", "revised", "moved", "withdrawn", "scheduleTaken", "scheduleRefused",
    "unlocked", "started", "breathingBegan", "breathingPaused", "guideLeft", "breathed", "exerciseRestarted",
    "exerciseFinished", "joined", "left", "moodLogged", "moodCorrected", "noteWritten", "completed", "cancelled",
    "setAside",
    "presenceTold", "snoozed",
    "snoozeEnded", "reminded",
    "locked", "notEligible", "nothingEligible", "alreadyCompleted", "noSuchAssignment", "noFlow", "wrongStage",
    "notGuided", "providerUnavailable", "moodNotOffered", "moodAlreadyLogged", "notCompleted", "cannotSnooze",
    "told: unlocked", "told: stillOpen", "told: overdue", "told: providerAvailable", "told: completed", "told: missed",
    "told: scheduleTaken", "told: scheduleRefused",
]

/// The first promise that is broken on the way.
private func violation(in steps: [Step]) -> String? {
    var world = World()
    do throws(Violation) {
        for (index, step) in steps.enumerated() {
            try world.live(step)
            if index.isMultiple(of: 7) { try world.checkNextReminder() }
            if index.isMultiple(of: 13) { try world.checkChanges() }
        }
        try world.checkNextReminder()
        try world.checkChanges()
        try world.checkReplay()
        return nil
    } catch { return error.promise }
}

/// The steps without those that do not matter: ends it where a promise breaks, then leaves out ever smaller pieces.
private func shortened(_ all: [Step]) -> [Step] {
    var steps = all
    var length = max(1, steps.count / 2)
    while true {
        var start = 0
        while start < steps.count {
            let fewer = Array(steps[..<start] + steps[min(start + length, steps.count)...])
            if violation(in: fewer) != nil { steps = fewer } else { start += length }
        }
        if length == 1 { return steps }
        length /= 2
    }
}
