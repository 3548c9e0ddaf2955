import TestSupport
import Testing

@testable import DaybreakLink
@testable import HomeworkDaemon

/// The exchange of a client's Daybreak with a practice, with seeds: connections that drop, answers that are lost, weeks
/// without a network, kills at any step, histories and practices that are restored from older copies.
@Suite struct ExchangeTests {
    private static var seeds: Range<UInt64> { isThorough ? 1..<401 : 1..<9 }

    @Test func `nothing is lost, nothing comes twice, and nothing is told that was not shared`() throws {
        var figures: [String: Int] = [:]
        for seed in Self.seeds {
            let world = try ExchangeWorld(seed: seed)
            for _ in 0..<150 { world.step() }
            #expect(world.rest(), "seed \(seed) does not come to rest")
            let told = world.practice.taken.map(\.id)
            #expect(Set(told).count == told.count, "seed \(seed): twice")
            #expect(Set(world.owed).subtracting(told) == [], "seed \(seed): lost")
            #expect(world.kept.intersection(told) == [], "seed \(seed): told, and not shared")
            #expect(world.faults == [], "seed \(seed)")
            figures.merge(world.figures, uniquingKeysWith: +)
            figures["happenings", default: 0] += told.count
        }
        #expect((figures["days offline"] ?? 0) > 100)
        print("exchange:", figures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}
