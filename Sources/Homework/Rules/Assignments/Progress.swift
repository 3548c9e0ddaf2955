public import Time

/// How far an assignment is. It outlives the flows that brought it there.
public struct Progress: Hashable, Sendable {
    /// The day of its last `unlocked` event.
    public internal(set) var unlockedOn: CalendarDay?
    public internal(set) var startedAt: Instant?
    public internal(set) var breathsDone = 0
    public internal(set) var exerciseFinished = false
    public internal(set) var sessionLeft = false
    public internal(set) var mood: Mood?
    /// How many notes are kept with it.
    public internal(set) var notes = 0
    public internal(set) var completedAt: Instant?
    public internal(set) var completedOn: CalendarDay?

    public init() {}

    /// True if it was started: a schedule cannot change or withdraw it any more.
    public var isTouched: Bool { startedAt != nil }
}

/// The progress of each assignment that has any.
public struct ProgressBook: Equatable, Sendable {
    private var seen: [AssignmentID: Progress] = [:]

    public init() {}

    /// Nil if no event concerned the assignment.
    public subscript(id: AssignmentID) -> Progress? { seen[id] }

    subscript(of id: AssignmentID) -> Progress {
        get { seen[id] ?? Progress() }
        set { seen[id] = newValue }
    }

    /// Assignments unlocked on a later day will have to be unlocked again.
    mutating func forgetUnlocked(after day: CalendarDay) {
        for (id, progress) in seen where progress.unlockedOn.map({ $0 > day }) ?? false { seen[id]?.unlockedOn = nil }
    }
}

/// Counts days, and how many of them are before a given day.
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
