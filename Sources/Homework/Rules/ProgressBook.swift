import Time

/// What each assignment has seen so far.
///
/// In two layers, because every turn tries its events on a copy of the plan: what changed of late is copied then, and
/// the years before are shared.
public struct ProgressBook: Equatable, Sendable {
    private var settled: [AssignmentID: Progress] = [:]
    private var recent: [AssignmentID: Progress] = [:]

    /// A turn changes one or two; so the years are copied once in many turns.
    private static let recentLimit = 64

    public init() {}

    /// Nil where it has seen nothing.
    public subscript(id: AssignmentID) -> Progress? { recent[id] ?? settled[id] }

    subscript(id: AssignmentID, default nothing: Progress) -> Progress {
        get { self[id] ?? nothing }
        set {
            recent[id] = newValue
            guard recent.count >= Self.recentLimit else { return }
            settled.merge(recent) { _, latest in latest }
            recent = [:]
        }
    }

    /// Whoever was told on a later day has to be told again.
    mutating func forgetUnlocked(after day: CalendarDay) {
        for (id, seen) in all {
            guard let told = seen.unlockedOn, told > day else { continue }
            self[id, default: seen].unlockedOn = nil
        }
    }

    private var all: [AssignmentID: Progress] { settled.merging(recent) { _, latest in latest } }

    /// In which layer something stands is no difference.
    public static func == (left: Self, right: Self) -> Bool { left.all == right.all }
}
