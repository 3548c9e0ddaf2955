import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@testable import DaybreakLink

/// The exchange of a client's daemon with a practice's daemon.
@Suite(.hangGuard) struct ExchangeTests {
    /// Connections that drop, messages and answers that are lost, late and repeated, weeks without a network, kills of each
    /// daemon and of the link, histories and practices that are restored from older copies.
    @Test func `nothing is lost, nothing comes twice, and nothing is told that was not shared`() throws {
        var figures: [String: Int] = [:]
        for seed in (0..<(isThorough ? 50 : 5)).map({ testSeed &+ $0 }) {
            let world = try ExchangeWorld(seed: seed)
            for _ in 0..<100 { world.step() }
            world.travel(days: 30)
            for _ in 0..<100 { world.step() }
            #expect(world.rest(), "seed \(seed) does not come to rest")
            // The link finds out with the next happening that a restored practice has lost some.
            world.assignAnew()
            #expect(world.rest(), "seed \(seed) does not come to rest")
            let kept = try world.practice.kept()
            let told = kept.map(\.id)
            #expect(told == world.practice.model.taken.map(\.id), "seed \(seed)")
            #expect(Set(told).count == told.count, "seed \(seed): twice")
            #expect(Set(world.owed).subtracting(told) == [], "seed \(seed): lost")
            #expect(world.notShared.intersection(told) == [], "seed \(seed): told, and not shared")
            for (device, happenings) in Dictionary(grouping: kept, by: \.device) {
                let numbers = happenings.map(\.sequence)
                #expect(numbers == numbers.sorted(), "seed \(seed): not in order from \(device)")
            }
            if world.figures.keys.allSatisfy({ !$0.hasPrefix("restored") }) {
                let owed = Set(world.owed)
                #expect(told.filter(owed.contains) == world.owed, "seed \(seed): not in order")
            }
            #expect(world.faults + world.practice.faults == [], "seed \(seed)")
            figures.merge(world.figures, uniquingKeysWith: +)
            figures["happenings", default: 0] += told.count
        }
        let list = figures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("exchange: \(list) (seed \(testSeed))")
    }

    @Test func `after thirty days without a network, all that was shared comes in its order, once`() throws {
        let world = try ExchangeWorld.quiet(shares: ["completed", "notes"])
        let today = world.today
        let tasks = (1...30).map { "[1, \"calm\", \"\(today + $0)\"]" }
        world.assign("[\(tasks.joined(separator: ", "))]")
        #expect(world.rest())
        #expect(try world.practice.kept().map(\.what) == ["scheduleTaken"])
        world.isOnline = false
        for day in 1...30 {
            world.nextDay()
            world.doTask()
            world.note("Day \(day).")
            world.note("Mine alone.", .here)
            world.look()
        }
        #expect(try world.practice.kept().count == 1)
        let lived = world.clientsEvents
        #expect(world.rest())
        let kept = try world.practice.kept()
        #expect(kept.map(\.id) == world.owed)
        let each = ["started", "completed", "noteWritten"]
        #expect(kept.map(\.what) == ["scheduleTaken"] + (1...30).flatMap { _ in each })
        #expect(kept.compactMap(\.text) == (1...30).map { "Day \($0)." })
        let homework = try world.practice.homework()
        #expect(homework.tasks.map { $0.completedOn ?? "" } == (1...30).map { "\(today + $0)" })
        #expect(homework.tasks.allSatisfy { $0.mood == nil && $0.breathsDone == nil })
        #expect(world.clientsEvents == lived)
        #expect(world.faults + world.practice.faults == [])
    }

    @Test func `after an older history is restored, the new happenings come, and the old ones stay as they are`() throws
    {
        let world = try ExchangeWorld.quiet(shares: ["notes"])
        for number in 1...3 { world.note("Before \(number).") }
        #expect(world.rest())
        world.backUpHistory()
        for number in 1...2 { world.note("Lost here \(number).") }
        #expect(world.rest())
        world.restoreHistory()
        for number in 1...3 { world.note("After \(number).") }
        let lived = world.clientsEvents
        #expect(world.rest())
        let kept = try world.practice.kept()
        #expect(
            kept.compactMap(\.text) == [
                "Before 1.", "Before 2.", "Before 3.", "Lost here 1.", "Lost here 2.", "After 1.", "After 2.",
                "After 3.",
            ])
        #expect(Set(kept.map(\.device)).count == 2)
        #expect(world.figures["renewed devices"] == 1)
        #expect(world.clientsEvents == lived)
        #expect(world.notes == ["Before 1.", "Before 2.", "Before 3.", "After 1.", "After 2.", "After 3."])
        #expect(world.faults + world.practice.faults == [])
    }

    @Test func `a practice that is restored from an older backup hears the rest again, in its order`() throws {
        let world = try ExchangeWorld.quiet(shares: ["notes"])
        world.note("First.")
        #expect(world.rest())
        try world.practice.backUp()
        for text in ["Second.", "Third."] { world.note(text) }
        #expect(world.rest())
        world.restorePractice()
        #expect(try world.practice.kept().compactMap(\.text) == ["First."])
        world.note("Fourth.")
        #expect(world.rest())
        #expect(try world.practice.kept().compactMap(\.text) == ["First.", "Second.", "Third.", "Fourth."])
        #expect(world.faults + world.practice.faults == [])
    }

    @Test func `a report whose answer is lost, and that comes again later and twice more, is there once`() throws {
        let world = try ExchangeWorld.quiet(shares: ["notes"])
        world.note("First.")
        #expect(world.rest())
        world.losesNextAnswer = true
        world.note("Second.")
        #expect(world.rest())
        let late = try #require(world.lostReport)
        #expect(try world.practice.kept().compactMap(\.text) == ["First.", "Second."])
        world.note("Third.")
        #expect(world.rest())
        let last = try #require(try world.practice.kept().last)
        for _ in 1...2 { #expect(try world.practice.answer(late) == .heard(last.sequence, id: last.id)) }
        #expect(world.rest())
        #expect(try world.practice.kept().compactMap(\.text) == ["First.", "Second.", "Third."])
        #expect(world.faults + world.practice.faults == [])
    }

    @Test func `a report of a history that was replaced meanwhile comes too late, and nothing of it is taken`() throws {
        let world = try ExchangeWorld.quiet(shares: ["notes"])
        world.note("Before.")
        #expect(world.rest())
        world.backUpHistory()
        world.losesNextReport = true
        for number in 1...5 { world.note("Lost here \(number).") }
        world.lookNow()
        let late = try #require(world.lostReport)
        world.restoreHistory()
        for number in 1...5 { world.note("After \(number).") }
        #expect(world.rest())
        #expect(try world.practice.answer(late) == .refused("org.daybreak.Care.Reused"))
        #expect(
            try world.practice.kept().compactMap(\.text) == ["Before."] + (1...5).map { "After \($0)." })
        #expect(world.rest())
        #expect(world.faults + world.practice.faults == [])
    }

    @Test func `a report that comes after its share was withdrawn is refused`() throws {
        let world = try ExchangeWorld.quiet(shares: ["notes"])
        world.losesNextReport = true
        world.note("Not for the practice any more.")
        world.lookNow()
        let late = try #require(world.lostReport)
        world.share([])
        #expect(world.rest())
        #expect(try world.practice.answer(late) == .refused("org.daybreak.Care.NotShared"))
        #expect(try world.practice.kept() == [])
        #expect(world.faults + world.practice.faults == [])
    }

    @Test func `a share begins with the moment at which the client agreed, also if nothing was told before`() throws {
        let world = try ExchangeWorld.quiet(shares: [])
        world.note("Before.")
        world.share(["notes"])
        world.note("After.")
        #expect(world.rest())
        #expect(try world.practice.kept().compactMap(\.text) == ["After."])
        #expect(world.faults + world.practice.faults == [])
    }
}
