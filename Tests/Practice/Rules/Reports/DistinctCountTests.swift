import PracticeRules
import Testing

@Suite struct `Things that are counted once` {
    @Test func `any number is counted, once in each period and once in all`() {
        var count = DistinctCount(periods: 2, greatest: 5)
        let things: [Int64] = [0, 5, 6, -5, .min, .max, 4_000_000_000]
        for _ in 1...2 { for thing in things { count.see(thing, in: 0) } }
        count.see(-5, in: 1)
        count.see(8, in: 1)
        #expect(count.counts == [things.count, 2] && count.total == things.count + 1)
        #expect(
            DistinctCount(periods: 1, greatest: .max).total == 0 && DistinctCount(periods: 1, greatest: -7).total == 0)
    }

    @Test func `a set has its numbers and no others`() {
        let numbers: [Int64] = [0, 3, 1 << 24, -1, .min, .max]
        let set = NumberSet(numbers)
        for number in numbers { #expect(set.contains(number)) }
        for number: Int64 in [1, 2, 4, -2, 1 << 24 + 1, .max - 1] { #expect(!set.contains(number)) }
        #expect(!NumberSet([]).contains(0))
    }
}
