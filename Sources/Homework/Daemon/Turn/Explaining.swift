import DaybreakInterfaces
import HomeworkRules
import Time

// The reason why a task is in its state.
extension Snapshot {
    /// - Parameter task: a task's id, a day, "today" or "tomorrow"; nil for all tasks of today and the open one.
    func explanations(of task: String?) throws -> [Homework.Explanation] {
        let today = plan.day ?? moment.day
        guard let task else {
            let due = plan.agenda.due(from: today, through: today)
            let open = [outlook.open].compactMap { $0 }.filter { $0.due != today }
            return try (open + due).map(explain)
        }
        let days = ["today": today, "tomorrow": today.next]
        if let day = days[task] ?? CalendarDay(task) {
            let named = [AssignmentID(task).flatMap { plan.agenda[$0] }].compactMap { $0 }.filter { $0.due != day }
            return try (named + plan.agenda.due(from: day, through: day)).map(explain)
        }
        guard let id = AssignmentID(task), let assignment = plan.agenda[id] else {
            throw Homework.NoSuchAssignment(assignment: task)
        }
        return [try explain(assignment)]
    }

    private func explain(_ assignment: Assignment) throws -> Homework.Explanation {
        let standing = standing(of: assignment, in: plan)
        let changes = plan.standingChanges(of: assignment, standing, by: rules.settings)
        return Homework.Explanation(
            assignment: try self.assignment(assignment.id),
            rule: standing.rule(behind: first(before: standing)?.due, on: plan.day ?? moment.day),
            settings: Self.settings(behind: standing).map { configuration.setting($0) },
            becomes: changes.map { becomes(assignment, on: $0) }, reminding: reminding(of: standing, until: changes))
    }

    private func reminding(of standing: Standing, until changes: CalendarDay?) -> Homework.Reminding? {
        guard let reminding = rules.reminderRule(for: standing, in: plan, at: moment) else { return nil }
        let isForeseen = reminding != .withItsDay && reminding != .attended && isNextReminder(before: changes)
        return Homework.Reminding(
            rule: reminding.sentence, settings: Self.settings(behind: reminding).map { configuration.setting($0) },
            next: isForeseen ? status.nextReminder : nil)
    }

    /// True if the next reminder is one of the open task. The provider's is not, nor are those of the day on which the task changes.
    private func isNextReminder(before changes: CalendarDay?) -> Bool {
        guard let next = outlook.nextReminder else { return false }
        if let provider = rules.reminderOfProvider(plan, at: moment), next == .instant(provider) { return false }
        guard let changes else { return true }
        return switch next {
        case .day(let day): day < changes
        case .wall(let time): time.day < changes
        case .instant(let instant): instant < spelling.start(changes)
        }
    }

    private static func settings(behind reminding: ReminderRule) -> [String] {
        let keys =
            switch reminding {
            case .withItsDay: ["quiet", "at_most"]
            case .attended: []
            case .full: ["at_most"]
            case .muted: ["quiet"]
            case .quietHours, .atTimes: ["at", "days", "quiet", "at_most", "late_within"]
            }
        return keys.map { "reminders.\($0)" }
    }

    private func standing(of assignment: Assignment, in plan: Plan) -> Standing {
        plan.standing(of: assignment, eligible: plan.eligible(by: rules.settings), by: rules.settings)
    }

    private func first(before standing: Standing) -> Assignment? {
        // A task in progress comes first, whatever its day.
        guard plan.flow == nil, case .locked(.behind(let first, _)) = standing else { return nil }
        return plan.agenda[first]
    }

    /// The assignment's state when that day has begun, by the same rules.
    private func becomes(_ assignment: Assignment, on day: CalendarDay) -> Homework.State {
        let beginning = Moment(
            instant: spelling.start(day), wall: WallTime(day: day, minute: configuration.dayStartsAt),
            zone: moment.zone, steady: moment.steady, dayEnds: spelling.start(day.next))
        var then = UnrecordedPlan(plan: plan, moment: beginning, user: 0)
        then.begin(with: .wakeUp, by: rules)
        return Homework.State(standing(of: assignment, in: then.plan))
    }

    private static func settings(behind standing: Standing) -> [String] {
        switch standing {
        case .locked(.untilItsDay): ["day.starts_at"]
        case .locked(.afterAnother), .locked(.behind), .eligible, .missed: ["day.grace_days", "day.starts_at"]
        case .inProgress: ["day.starts_at"]
        case .completed: []
        }
    }
}

extension Configuration {
    /// The file and the lines that settings were read from. Two configurations with the same values are equal, wherever they
    /// were read.
    struct Origin: Equatable, Sendable {
        var file = "daybreak.toml"
        /// The line of each setting that the file has, by its name.
        var lines: [String: Int] = [:]

        init() {}

        static func == (one: Self, other: Self) -> Bool { true }
    }

    /// A setting of the rules, with its value as the file spells it, and its file and line.
    fileprivate func setting(_ name: String) -> Homework.Setting {
        Homework.Setting(name: name, value: spelled(name), file: origin.file, line: origin.lines[name])
    }
}
