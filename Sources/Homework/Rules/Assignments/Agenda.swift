public import Time

/// The assignments of the plan, ordered by due day and then by the schedule's order.
public struct Agenda: Equatable, Sendable {
    public private(set) var ordered: [Assignment] = []
    private var places: [AssignmentID: Int] = [:]
    /// Changes that are not in `ordered` yet because they would move other assignments; nil removes one. A schedule of
    /// 100,000 entries in any order is sorted once, not 100,000 times.
    private var staged: [AssignmentID: Assignment?] = [:]

    public init() {}

    public subscript(id: AssignmentID) -> Assignment? {
        if let change = staged[id] { return change }
        return places[id].map { ordered[$0] }
    }

    /// Adds an assignment, or replaces the one with the same id.
    mutating func put(_ assignment: Assignment) {
        guard staged.isEmpty else { return stage(assignment) }
        if let place = places[assignment.id] {
            guard comes(assignment, after: place - 1), comes(assignment, before: place + 1) else {
                return stage(assignment)
            }
            ordered[place] = assignment
        } else {
            guard comes(assignment, after: ordered.count - 1) else { return stage(assignment) }
            places[assignment.id] = ordered.count
            ordered.append(assignment)
        }
    }

    private mutating func stage(_ assignment: Assignment) { staged[assignment.id] = .some(assignment) }

    private func comes(_ assignment: Assignment, after place: Int) -> Bool {
        place < 0 || Assignment.precedes(ordered[place], assignment)
    }

    private func comes(_ assignment: Assignment, before place: Int) -> Bool {
        place >= ordered.count || Assignment.precedes(assignment, ordered[place])
    }

    mutating func remove(_ id: AssignmentID) { staged[id] = .some(nil) }

    /// Brings all staged changes into `ordered`.
    mutating func settle() {
        guard !staged.isEmpty else { return }
        let untouched = ordered.filter { staged[$0.id] == nil }
        let placed = staged.values.compactMap { $0 }.sorted(by: Assignment.precedes)
        ordered = Self.merged(untouched, placed)
        staged = [:]
        places = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1.id, $0) })
    }

    /// The index of the first assignment due on `day` or later; `ordered.count` if there is none.
    public func firstPlace(from day: CalendarDay) -> Int { firstPlace { $0 >= day } }

    /// The index of the first assignment due after `day`; `ordered.count` if there is none.
    public func firstPlace(after day: CalendarDay) -> Int { firstPlace { $0 > day } }

    private func firstPlace(where comes: (CalendarDay) -> Bool) -> Int {
        var low = 0
        var high = ordered.count
        while low < high {
            let middle = (low + high) / 2
            if comes(ordered[middle].due) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The assignments due on these days, both included.
    public func due(from first: CalendarDay, through last: CalendarDay) -> ArraySlice<Assignment> {
        guard first <= last else { return [] }
        return ordered[firstPlace(from: first)..<firstPlace(after: last)]
    }

    /// The assignments due on `day` or later that come before this one.
    func from(_ day: CalendarDay, before assignment: Assignment) -> ArraySlice<Assignment> {
        guard let place = places[assignment.id] else { return [] }
        return ordered[min(firstPlace(from: day), place)..<place]
    }

    /// The last assignment of the same day that comes before this one and is wanted.
    func sameDay(before assignment: Assignment, where isWanted: (AssignmentID) -> Bool) -> Assignment? {
        guard let place = places[assignment.id] else { return nil }
        return ordered[..<place].reversed().lazy.prefix { $0.due == assignment.due }.first { isWanted($0.id) }
    }

    private static func merged(_ left: [Assignment], _ right: [Assignment]) -> [Assignment] {
        var result: [Assignment] = []
        result.reserveCapacity(left.count + right.count)
        var rest = right[...]
        for assignment in left {
            while let first = rest.first, Assignment.precedes(first, assignment) {
                result.append(rest.removeFirst())
            }
            result.append(assignment)
        }
        return result + rest
    }
}
