/// Counts things once in each period and once in the whole time, however often they are seen: clients, episodes.
public struct DistinctCount: Sendable {
    /// The periods in which each thing was seen: a bit for each place, by the thing's number.
    private var seen: [SIMD2<UInt64>]
    /// Those of numbers that the practice does not give. A restored file may have any.
    private var odd: [Int64: SIMD2<UInt64>] = [:]
    /// The things of each period.
    public private(set) var counts: [Int]
    /// The things of the whole time.
    public private(set) var total = 0

    /// - Parameters:
    ///   - periods: at most 128.
    ///   - greatest: the greatest number of a thing that is expected.
    public init(periods: Int, greatest: Int) {
        precondition(periods <= 128, "a report has at most 120 periods")
        counts = [Int](repeating: 0, count: periods)
        seen = [SIMD2<UInt64>](repeating: .zero, count: min(max(greatest, 0), NumberSet.usual) + 1)
    }

    public mutating func see(_ thing: Int64, in place: Int) {
        let isUsual = seen.indices.contains(Int(thing))
        var bits = isUsual ? seen[Int(thing)] : odd[thing, default: .zero]
        let bit = UInt64(1) << UInt64(place & 63)
        guard bits[place >> 6] & bit == 0 else { return }
        if bits == .zero { total += 1 }
        bits[place >> 6] |= bit
        counts[place] += 1
        if isUsual { seen[Int(thing)] = bits } else { odd[thing] = bits }
    }

    public func row(_ name: String) -> ReportRow { ReportRow(name, counts: counts, total: total) }
}

/// A set of rows' numbers, which is asked millions of times.
public struct NumberSet: Sendable {
    /// No practice gives as many numbers. A restored file may have greater ones, and negative ones.
    static let usual = 1 << 24

    private var usual: [Bool]
    private var odd: Set<Int64> = []

    public init(_ numbers: [Int64]) {
        let usual = numbers.filter { (0..<Int64(Self.usual)).contains($0) }
        self.usual = [Bool](repeating: false, count: Int(usual.max() ?? -1) + 1)
        for number in usual { self.usual[Int(number)] = true }
        if usual.count < numbers.count { odd = Set(numbers).subtracting(usual) }
    }

    public func contains(_ number: Int64) -> Bool {
        usual.indices.contains(Int(number)) ? usual[Int(number)] : odd.contains(number)
    }
}
