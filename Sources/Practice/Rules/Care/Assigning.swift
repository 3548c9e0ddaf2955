public import ScheduleFormat
import Time

/// The replacement of a client's assigned schedule by a new one.
public struct Assigning: Equatable, Sendable {
    /// The entries after it, each with an id, by their days.
    public private(set) var entries: [Schedule.Entry] = []
    public private(set) var added = 0
    public private(set) var changed = 0
    public private(set) var withdrawn = 0

    /// The most entries of one schedule: three years with one task a day.
    public static let entryLimit = 1_000
    /// The most bytes of a schedule's text. A follower that leaves twice as many unread is disconnected.
    public static let textLimit = 128 * 1_024

    private let old: [AssignmentID: Schedule.Entry]
    private let begun: Set<AssignmentID>
    private var matched: Set<AssignmentID> = []

    /// Matches entries as the client's Daybreak does when it takes a schedule in: by the id, else by the content, else by the
    /// day.
    ///
    /// - Parameters:
    ///   - assigned: the present entries, each with an id.
    ///   - begun: the tasks that the client began. They stay as they are.
    public init(_ schedule: Schedule, onto assigned: [Schedule.Entry], begun: Set<AssignmentID>) {
        old = Dictionary(assigned.compactMap { entry in entry.id.map { ($0, entry) } }) { first, _ in first }
        self.begun = begun
        let matches = match(schedule.entries, with: assigned)
        var taken = Set(schedule.entries.compactMap(\.id)).union(old.keys)
        var kept: [Schedule.Entry] = []
        for entry in assigned {
            guard let id = entry.id, !matched.contains(id) else { continue }
            if begun.contains(id) { kept.append(entry) } else { withdrawn += 1 }
        }
        entries = kept
        for (entry, match) in zip(schedule.entries, matches) { lay(entry, onto: match, &taken) }
        // The place is a second key, because the sort is not stable.
        entries = entries.enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
            .map(\.element)
    }

    /// The old id of each entry; nil for a new one. No weaker match takes a task from a stronger one.
    private mutating func match(
        _ entries: [Schedule.Entry], with assigned: [Schedule.Entry]
    ) -> [AssignmentID?] {
        var matches: [AssignmentID?] = entries.map { entry in entry.id.flatMap { old[$0] == nil ? nil : $0 } }
        matched = Set(matches.compactMap { $0 })
        var (alike, alikeNamedByDay): ([Schedule.Entry: [AssignmentID]], [Schedule.Entry: [AssignmentID]]) = ([:], [:])
        var ofDay: [CalendarDay: [AssignmentID]] = [:]
        for entry in assigned.reversed() {
            guard let id = entry.id else { continue }
            alike[entry.named(nil), default: []].append(id)
            guard entry.isNamedByDay else { continue }
            alikeNamedByDay[entry.named(nil), default: []].append(id)
            ofDay[entry.due, default: []].append(id)
        }
        for (place, entry) in entries.enumerated() where matches[place] == nil {
            matches[place] =
                entry.id == nil
                ? claim(from: &alike, entry.named(nil)) : claim(from: &alikeNamedByDay, entry.named(nil))
        }
        for (place, entry) in entries.enumerated() where matches[place] == nil && entry.id == nil {
            matches[place] = claim(from: &ofDay, entry.due)
        }
        return matches
    }

    private mutating func claim<Key>(from piles: inout [Key: [AssignmentID]], _ key: Key) -> AssignmentID? {
        while let id = piles[key]?.popLast() { if matched.insert(id).inserted { return id } }
        return nil
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

extension Schedule.Entry {
    fileprivate func named(_ id: AssignmentID?) -> Self { Self(unchecked: id, breaths, moods, due, pattern) }

    fileprivate var isNamedByDay: Bool {
        id.map { $0.text == due.description || $0.text.hasPrefix("\(due).") } ?? false
    }
}
