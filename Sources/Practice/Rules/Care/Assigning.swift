public import ScheduleFormat
import Time

/// The replacement of a client's assigned schedule by a new one.
public struct Assigning: Equatable, Sendable {
    /// The entries after it, each with an id, by their days.
    public private(set) var entries: [Schedule.Entry] = []
    public private(set) var added = 0
    public private(set) var changed = 0
    /// The entries that are taken away, by their days.
    public private(set) var withdrawn: [Schedule.Entry] = []

    /// The most entries of one schedule.
    public static let entryLimit = Schedule.assignedEntryLimit
    /// The most bytes of a schedule's text. A follower that leaves twice as many unread is disconnected.
    public static let textLimit = Schedule.assignedByteLimit

    private let old: [AssignmentID: Schedule.Entry]
    private let begun: Set<AssignmentID>

    /// - Parameters:
    ///   - assigned: the present entries, each with an id.
    ///   - begun: the tasks that the client began. They stay as they are.
    ///   - missed: the tasks that the client missed. They can be given another day, and are not taken away.
    public init(
        _ schedule: Schedule, onto assigned: [Schedule.Entry], begun: Set<AssignmentID>,
        missed: Set<AssignmentID> = []
    ) {
        old = Dictionary(assigned.compactMap { entry in entry.id.map { ($0, entry) } }) { first, _ in first }
        self.begun = begun
        let matches = schedule.matches(in: assigned)
        let matched = Set(matches.compactMap { $0 })
        var taken = Set(schedule.entries.compactMap(\.id)).union(old.keys)
        var kept: [Schedule.Entry] = []
        for entry in assigned {
            guard let id = entry.id, !matched.contains(id) else { continue }
            if begun.contains(id) || missed.contains(id) { kept.append(entry) } else { withdrawn.append(entry) }
        }
        entries = kept
        for (entry, match) in zip(schedule.entries, matches) { lay(entry, onto: match, &taken) }
        // The place is a second key, because the sort is not stable.
        entries = entries.enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
            .map(\.element)
    }

    private mutating func lay(
        _ entry: Schedule.Entry, onto match: AssignmentID?, _ taken: inout Set<AssignmentID>
    ) {
        guard let match, let before = old[match] else {
            added += 1
            let id = entry.id ?? freeID(on: entry.due, &taken)
            entries.append(entry.named(id))
            return
        }
        let isSame = before.named(nil) == entry.named(nil)
        if isSame || begun.contains(match) { return entries.append(before) }
        changed += 1
        entries.append(entry.named(match))
    }

    private func freeID(on day: CalendarDay, _ taken: inout Set<AssignmentID>) -> AssignmentID {
        var ordinal = 1
        while !taken.insert(AssignmentID(due: day, ordinal: ordinal)).inserted { ordinal += 1 }
        return AssignmentID(due: day, ordinal: ordinal)
    }
}
