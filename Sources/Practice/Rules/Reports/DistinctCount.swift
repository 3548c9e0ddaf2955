/// Counts things once in each period and once in the whole time, however often they are seen: clients, episodes.
public struct DistinctCount: Sendable {
    /// The periods in which each thing was seen: a bit for each place, by the thing's number.
    private var seen: [SIMD2<UInt64>]
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
        seen = [SIMD2<UInt64>](repeating: .zero, count: greatest + 1)
    }

    public mutating func see(_ thing: Int64, in place: Int) {
        let thing = Int(thing)
        if thing >= seen.count { seen += [SIMD2<UInt64>](repeating: .zero, count: thing + 1 - seen.count) }
        let bits = seen[thing]
        let bit = UInt64(1) << UInt64(place & 63)
        guard bits[place >> 6] & bit == 0 else { return }
        if bits == .zero { total += 1 }
        seen[thing][place >> 6] = bits[place >> 6] | bit
        counts[place] += 1
    }

    public func row(_ name: String) -> ReportRow { ReportRow(name, counts: counts, total: total) }
}
