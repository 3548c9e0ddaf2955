import Homework
import Testing

@testable import simulation

/// `Tests/run` lives a thousand years with the program `simulation`, built for speed. Here are a few months.
@Suite struct `A simulated life` {
    @Test(arguments: UInt64(1)...12) func `keeps every promise`(seed: UInt64) {
        if let failure = Life(seed: seed, days: 60).failure { Issue.record("\(failure)") }
    }

    @Test func `sees everything that can happen`() throws {
        var sights: Set<String> = []
        for seed in UInt64(1)...60 where !sights.isSuperset(of: everything) {
            var chance = Chance(seed: seed)
            var world = World()
            world.sights = []
            for step in chance.steps(days: 60) { try world.live(step) }
            sights.formUnion(world.sights ?? [])
        }
        #expect(everything.subtracting(sights).sorted() == [])
        #expect(sights.subtracting(everything).sorted() == [])
    }

    @Test func `a failure comes with the shortest way to it`() throws {
        let life = Life(seed: 1, days: 60, promising: { $0.plan.flow == nil })
        let failure = try #require(life.failure)
        let steps = failure.split(separator: "\n").filter {
            $0.hasPrefix("    ") && $0.dropFirst(4).first?.isNumber == true
        }
        #expect((1...4).contains(steps.count), "\(failure)")
    }
}

private let everything: Set<String> = [
    "dayBegan", "dayTakenBack", "assigned", "revised", "moved", "withdrawn", "scheduleTaken", "scheduleRefused",
    "unlocked", "started", "breathingBegan", "breathingPaused", "guideLeft", "breathed", "exerciseRestarted",
    "exerciseFinished", "joined", "left", "moodLogged", "moodCorrected", "noteWritten", "completed", "cancelled",
    "setAside",
    "presenceTold", "snoozed",
    "snoozeEnded", "reminded", "held", "reminderSent",
    "locked", "notEligible", "nothingEligible", "alreadyCompleted", "noSuchAssignment", "noFlow", "wrongStage",
    "notGuided", "providerUnavailable", "moodNotOffered", "moodAlreadyLogged", "notCompleted", "cannotSnooze",
    "told: unlocked", "told: stillOpen", "told: overdue", "told: providerAvailable", "told: completed", "told: missed",
    "told: scheduleTaken", "told: scheduleRefused",
]
