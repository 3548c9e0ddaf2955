public import Time

/// Days, each as often as it was put in, and how many of them are before some day.
public struct DayTally: Equatable, Sendable {
    private var ascending: [CalendarDay] = []

    public init() {}

    public var count: Int { ascending.count }

    mutating func insert(_ day: CalendarDay) { ascending.insert(day, at: count(before: day)) }

    /// How many are earlier than that day.
    public func count(before day: CalendarDay) -> Int {
        var low = 0
        var high = ascending.count
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle] < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
