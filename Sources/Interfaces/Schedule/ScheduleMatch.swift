import Time

extension Schedule {
    /// For each entry, the id of the present task that it continues; nil for a new task.
    ///
    /// An entry continues a task by its id, else by its content, else by its day; never by its line. No weaker match takes a
    /// task from a stronger one.
    ///
    /// - Parameter present: the present tasks, each with its id, in their order.
    public func matches(in present: [Entry]) -> [AssignmentID?] {
        var match = ScheduleMatch(present)
        return match.matches(of: entries)
    }
}

private struct ScheduleMatch {
    private var ids: Set<AssignmentID> = []
    private var matched: Set<AssignmentID> = []
    /// The present tasks by content, those of them that are named by their day, and these by day. The first of each is at
    /// the end.
    private var alike: [Schedule.Entry: [AssignmentID]] = [:]
    private var alikeNamedByDay: [Schedule.Entry: [AssignmentID]] = [:]
    private var ofDay: [CalendarDay: [AssignmentID]] = [:]

    init(_ present: [Schedule.Entry]) {
        for entry in present.reversed() {
            guard let id = entry.id else { continue }
            ids.insert(id)
            let content = entry.named(nil)
            alike[content, default: []].append(id)
            guard id.isMade(of: entry.due) else { continue }
            alikeNamedByDay[content, default: []].append(id)
            ofDay[entry.due, default: []].append(id)
        }
    }

    mutating func matches(of entries: [Schedule.Entry]) -> [AssignmentID?] {
        var matches = entries.map { entry in entry.id.flatMap { ids.contains($0) ? $0 : nil } }
        matched = Set(matches.compactMap { $0 })
        for (place, entry) in entries.enumerated() where matches[place] == nil {
            matches[place] = claim(from: entry.id == nil ? \.alike : \.alikeNamedByDay, entry.named(nil))
        }
        for (place, entry) in entries.enumerated() where matches[place] == nil && entry.id == nil {
            matches[place] = claim(from: \.ofDay, entry.due)
        }
        return matches
    }

    private mutating func claim<Key>(
        from tasks: WritableKeyPath<Self, [Key: [AssignmentID]]>, _ key: Key
    ) -> AssignmentID? {
        while let id = self[keyPath: tasks][key]?.popLast() { if matched.insert(id).inserted { return id } }
        return nil
    }
}

extension Schedule.Entry {
    /// The same entry with another id, or without one.
    package func named(_ id: AssignmentID?) -> Self { Self(unchecked: id, breaths, moods, due, pattern) }
}

extension AssignmentID {
    /// True if the id was made from that day, not given by the provider.
    fileprivate func isMade(of day: CalendarDay) -> Bool { text == day.description || text.hasPrefix("\(day).") }
}
