import HomeworkRules
import Testing
import Time

@testable import simulation

/// Twelve short lives. `Tests/run` lives a thousand years with the program `simulation`, which is built for speed.
@Suite struct `A simulated year` {
    @Test(arguments: UInt64(1)...12) func `keeps every promise`(seed: UInt64) {
        if let failure = SimulatedYear(seed: seed, days: 60).failure { Issue.record("\(failure)") }
    }

    @Test func `meets every event, refusal and reminder`() throws {
        var namesSeen: Set<String> = []
        for seed in UInt64(1)...200 where !namesSeen.isSuperset(of: everything) {
            var generator = StepGenerator(seed: seed)
            var world = World()
            world.namesSeen = []
            for step in generator.steps(days: 60) { try world.live(step) }
            namesSeen.formUnion(world.namesSeen ?? [])
        }
        #expect(everything.subtracting(namesSeen).sorted() == [])
        #expect(namesSeen.subtracting(everything).subtracting(seldom).sorted() == [])
    }

    /// A year in each zone. The clock is looked at every ten minutes around days that are longer or shorter than others.
    @Test(arguments: ["Europe/Berlin", "America/Havana", "Africa/Cairo", "Antarctica/Troll"], [30, 150])
    func `goes through hours that are skipped or come twice`(zone: String, startsAt: Int) throws {
        var world = World()
        world.namesSeen = []
        try world.live(.configure(Settings(graceDays: 2, reminderMinutes: [150, 540], dayStartsAt: startsAt)))
        try world.live(.travel(to: zone))
        for day in 0..<SimulatedYear.days {
            let today = world.clock.moment.day
            if day.isMultiple(of: 7) {
                let week = (1...7).map { Schedule.Entry.sample(due: today + $0) }
                try world.live(.ask(.takeSchedule(.of(week), file: nil), after: .zero))
            }
            let isUsual = [today, today.next].allSatisfy {
                world.clock.start(of: $0.next) - world.clock.start(of: $0) == .seconds(86_400)
            }
            for _ in 0..<(isUsual ? 1 : 144) { try world.live(.live(.seconds(isUsual ? 86_400 : 600))) }
        }
        let begins = startsAt == 150 ? ["Europe/Berlin", "Antarctica/Troll"] : ["America/Havana"]
        let again: Set = begins.contains(zone) ? seldom : ["wall: a time comes again"]
        #expect(world.namesSeen?.intersection(seldom) == again)
    }

    @Test func `prints the shortest way to a failure`() throws {
        let year = SimulatedYear(seed: 1, days: 60, promising: { $0.plan.flow == nil })
        let failure = try #require(year.failure)
        let steps = failure.split(separator: "\n").filter {
            $0.hasPrefix("    ") && $0.dropFirst(4).first?.isNumber == true
        }
        #expect((1...4).contains(steps.count), "\(failure)")
    }
}

private let seldom: Set = ["wall: a time comes again", "wall: a day's beginning comes again"]

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
    "wall: 1970", "wall: 2098", "wall: a day is left out", "wall: a day's beginning is left out",
]
