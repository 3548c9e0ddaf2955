import Time

// Taking in a schedule.
extension Decision {
    mutating func take(
        _ schedule: Schedule, from file: Fingerprint?, _ revision: Int?, doneElsewhere: [DoneElsewhere]
    ) throws(Refusal) {
        if let revision, try presentLink().revision == revision { return }
        let merge = Merge(schedule, onto: plan, by: settings)
        // A refused text is news once other settings have mended it.
        let isNew = revision != nil || (file != nil && (file != plan.scheduleFile || plan.isScheduleRefused))
        guard !merge.happenings.isEmpty || isNew else { return }
        happen(merge.happenings + [.scheduleTaken(merge.change, file: file, revision: revision)])
        take(doneElsewhere)
        if revision != nil, plan.link?.today.isScheduleSpent == true { throw .practiceSaysTooMuch }
        guard merge.change.changesAnything else { return }
        remind(.scheduleTaken, named: "\(nextNumber(of: .scheduleTaken))", about: nil, count: schedule.entries.count)
    }

    /// Reminds once of each text of the file. A text that was taken in is refused when other settings make it faulty.
    mutating func refuseSchedule(_ file: Fingerprint?) {
        guard file == nil || file != plan.scheduleFile || !plan.isScheduleRefused else { return }
        happen(.scheduleRefused(file: file))
        remind(.scheduleRefused, named: "\(nextNumber(of: .scheduleRefused))", about: nil)
    }
}

/// How a schedule changed the plan, in assignments.
public struct ScheduleChange: Hashable, Sendable {
    public var added = 0
    public var changed = 0
    public var withdrawn = 0
    public var unchanged = 0
    /// Assignments that were started, and stay as they are although the schedule drops or changes them; and those that were
    /// missed, and stay although it drops them.
    public var kept = 0

    public init() {}

    public init(added: Int, changed: Int, withdrawn: Int, unchanged: Int, kept: Int) {
        self.added = added
        self.changed = changed
        self.withdrawn = withdrawn
        self.unchanged = unchanged
        self.kept = kept
    }

    /// True if a client would see a difference.
    public var changesAnything: Bool { added + changed + withdrawn > 0 }
}

extension Plan {
    /// The change that taking in this schedule would make.
    public func change(by schedule: Schedule, settings: Settings) -> ScheduleChange {
        Merge(schedule, onto: self, by: settings).change
    }

    mutating func put(_ assignment: Assignment) {
        // One that is changed and keeps its day did not come anew.
        let isSameDay = agenda[assignment.id]?.due == assignment.due
        agenda.put(assignment)
        guard !isSameDay else { return }
        let late = day.flatMap { assignment.due < $0 ? $0 : nil }
        if late != nil || cameLate[assignment.id] != nil { cameLate[assignment.id] = late }
    }

    /// True if the client has missed it. False if it came more than four weeks after its day, as a mistyped year does, and was
    /// never open: nobody could do it.
    fileprivate func wasMissed(_ assignment: Assignment, by settings: Settings) -> Bool {
        guard let day, lastDay(of: assignment, by: settings) < day else { return false }
        let isMistyped = cameLate[assignment.id].map { $0 - assignment.due > 28 } ?? false
        return !isMistyped || progress[assignment.id]?.unlockedOn != nil
    }

    mutating func takeSchedule(from file: Fingerprint?, _ revision: Int?) {
        // After another schedule, the practice's is sent again once it counts.
        link?.revision = revision
        (scheduleFile, isImported) = (file ?? scheduleFile, file == nil)
        isScheduleRefused = false
        lastReminders.removeAll { $0.reminder.kind == .scheduleRefused }
    }

    mutating func move(_ id: AssignmentID, to position: Int) {
        guard let old = agenda[id] else { return }
        agenda.put(
            Assignment(
                id: id, due: old.due, breaths: old.breaths, moods: old.moods, pattern: old.pattern, position: position))
    }

    mutating func withdraw(_ id: AssignmentID) {
        agenda.remove(id)
        dropHeldReminders(of: id)
    }
}

/// The events that bring the plan in line with a new schedule.
private struct Merge {
    private(set) var happenings: [Happening] = []
    private(set) var change = ScheduleChange()

    private let plan: Plan
    private let settings: Settings
    private var taken: Set<AssignmentID>
    private var ordinals: [CalendarDay: Int] = [:]
    private var positions: [CalendarDay: Int] = [:]

    init(_ schedule: Schedule, onto plan: Plan, by settings: Settings) {
        self.plan = plan
        self.settings = settings
        taken = Set(schedule.entries.compactMap(\.id))
        let matches = schedule.matches(in: plan.agenda.ordered.map(Schedule.Entry.init(like:)))
        for (entry, match) in zip(schedule.entries, matches) { lay(entry, onto: match.flatMap { plan.agenda[$0] }) }
        let matched = Set(matches.compactMap { $0 })
        for old in plan.agenda.ordered where !matched.contains(old.id) { drop(old) }
    }

    private mutating func lay(_ entry: Schedule.Entry, onto old: Assignment?) {
        let position = positions[entry.due, default: 0]
        positions[entry.due] = position + 1
        guard let old else { return add(entry, at: position) }
        if Schedule.Entry(like: old) == entry.named(old.id) {
            change.unchanged += 1
            if old.position != position { happenings.append(.moved(old.id, position: position)) }
        } else if plan.progress[old.id]?.isTouched == true {
            change.kept += 1
        } else {
            change.changed += 1
            happenings.append(.revised(entry.assignment(old.id, at: position)))
        }
    }

    private mutating func add(_ entry: Schedule.Entry, at position: Int) {
        change.added += 1
        let id = entry.id ?? freeID(on: entry.due)
        happenings.append(.assigned(entry.assignment(id, at: position)))
    }

    /// The first id of that day that neither the plan nor the schedule uses.
    private mutating func freeID(on day: CalendarDay) -> AssignmentID {
        while true {
            ordinals[day, default: 0] += 1
            let id = AssignmentID(due: day, ordinal: ordinals[day, default: 1])
            if plan.agenda[id] == nil, !taken.contains(id) { return id }
        }
    }

    private mutating func drop(_ old: Assignment) {
        if plan.progress[old.id]?.isTouched == true || plan.wasMissed(old, by: settings) {
            change.kept += 1
        } else {
            change.withdrawn += 1
            happenings.append(.withdrawn(old.id))
        }
    }
}

extension Schedule.Entry {
    fileprivate init(like assignment: Assignment) {
        self.init(unchecked: assignment.id, assignment.breaths, assignment.moods, assignment.due, assignment.pattern)
    }

    fileprivate func assignment(_ id: AssignmentID, at position: Int) -> Assignment {
        Assignment(id: id, due: due, breaths: breaths, moods: moods, pattern: pattern, position: position)
    }
}
