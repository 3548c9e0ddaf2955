import HomeworkRules
import Time

/// Remembers the events, and throws when a promise is broken.
struct EventChecker {
    private(set) var completed: [AssignmentID: Standing] = [:]
    private(set) var touched: [AssignmentID: Assignment] = [:]
    private var reminders: Set<String> = []
    private var unlocked: [AssignmentID: CalendarDay] = [:]
    private var joined: Set<AssignmentID> = []
    private var left: Set<AssignmentID> = []
    private var moods: [AssignmentID: Mood] = [:]
    private var breathing: (since: SteadyInstant, from: Int)?
    private var breaths = 0
    /// How many reminders that can wait were given on the present day.
    private(set) var givenToday = 0
    /// When the open task was last reminded of, or left by the client; as `WallTime.count` counts.
    private(set) var spokenThrough: Int?

    /// `plan` is the plan before the event.
    mutating func see(_ event: Event, plan: Plan, rules: Rules) throws(Violation) {
        if plan.flow?.isAttended(at: event.moment.instant) == true, event.what.endsAttention { speak(at: event.moment) }
        switch event.what {
        case .dayBegan(let day):
            try promise("a day begins after the one before it", plan.day.map { $0 < day } ?? true)
            givenToday = 0
        case .dayTakenBack(let day): try takeBack(day, plan, at: event.moment)
        case .unlocked(let id): try unlock(id, plan, rules)
        case .started(let id, _): try start(id, plan, rules)
        case .withdrawn(let id):
            try promise("a begun task is not withdrawn", touched[id] == nil)
            let isOver = plan.agenda[id].map { $0.due + rules.settings.graceDays < plan.day ?? $0.due } ?? false
            try promise("a task that was open and missed is not withdrawn", !isOver || unlocked[id] == nil)
        case .revised(let new): try promise("a begun task is not changed", touched[new.id] == nil)
        case .reminded(let reminder): try remind(reminder, plan, rules, at: event.moment)
        case .held(let reminder):
            let canWait = reminder.kind.canWait || reminder.kind == .providerAvailable
            try promise("only a reminder that can wait is held", canWait)
        case .completed(let id, let day): try complete(id, on: day, plan)
        default: try seeFlow(event, plan: plan)
        }
    }

    private mutating func seeFlow(_ event: Event, plan: Plan) throws(Violation) {
        switch event.what {
        case .breathingBegan: breathing = (event.moment.steady, plan.flow?.exercise.done ?? 0)
        case .breathed(let id, let count): try breathe(count, at: event.moment.steady, plan.agenda[id])
        case .exerciseRestarted: (breathing, breaths) = (nil, 0)
        case .breathingPaused, .guideLeft, .exerciseFinished, .cancelled, .setAside: breathing = nil
        case .joined(let id):
            let online = plan.presence?.isOnline(at: event.moment.instant) == true
            try promise("nobody joins a provider who is offline", online)
            breathing = nil
            joined.insert(id)
        case .left(let id):
            try promise("nobody leaves a session that they have not joined", joined.contains(id))
            left.insert(id)
        case .moodLogged(let id, let mood):
            try promise("a mood is logged once", moods.updateValue(mood, forKey: id) == nil)
            try promise("a mood is one of the choices", plan.agenda[id]?.moods.contains(mood) == true)
        case .moodCorrected(let id, let mood): try correct(id, mood, plan)
        default: break
        }
    }

    /// Another mood takes the place of the logged one. A completed task stays completed on its day.
    private mutating func correct(_ id: AssignmentID, _ mood: Mood, _ plan: Plan) throws(Violation) {
        guard let before = moods.updateValue(mood, forKey: id) else {
            throw Violation("only a mood that was logged is corrected")
        }
        try promise("a correction changes something", before != mood)
        try promise("a mood is one of the choices", plan.agenda[id]?.moods.contains(mood) == true)
        if case .completed(let day, _)? = completed[id] { completed[id] = .completed(on: day, mood: mood) }
    }

    /// The daemon was away, so nobody is breathing any more.
    mutating func forgetBreathing() { breathing = nil }

    private mutating func speak(at moment: Moment) {
        spokenThrough = max(spokenThrough ?? moment.wall.count, moment.wall.count)
    }

    private mutating func takeBack(_ day: CalendarDay, _ plan: Plan, at moment: Moment) throws(Violation) {
        (givenToday, spokenThrough) = (0, moment.wall.count)
        try promise("a day is taken back to an earlier one", plan.day.map { day < $0 } ?? false)
        try promise("a clock that was never set takes no day back: \(day)", day >= World.earliest)
        unlocked = unlocked.filter { $0.value <= day }
    }

    private mutating func unlock(_ id: AssignmentID, _ plan: Plan, _ rules: Rules) throws(Violation) {
        guard let day = plan.day, let assignment = plan.agenda[id] else {
            throw Violation("an unlocked task is on the plan")
        }
        try promise("an unlocked task is eligible", plan.eligible(by: rules.settings) == assignment)
        try promise("a task unlocks once for each due day", unlocked[id].map { $0 < assignment.due } ?? true)
        unlocked[id] = day
    }

    private mutating func start(_ id: AssignmentID, _ plan: Plan, _ rules: Rules) throws(Violation) {
        guard let assignment = plan.agenda[id] else { throw Violation("a started task is on the plan") }
        let eligible = plan.eligible(by: rules.settings)
        guard case .eligible = plan.standing(of: assignment, eligible: eligible, by: rules.settings) else {
            throw Violation("a started task is eligible")
        }
        touched[id] = touched[id] ?? assignment
        breaths = plan.progress[id]?.breathsDone ?? 0
    }

    private mutating func remind(
        _ reminder: Reminder, _ plan: Plan, _ rules: Rules, at moment: Moment
    ) throws(Violation) {
        try promise("each reminder has an id of its own: \(reminder.id)", reminders.insert(reminder.id).inserted)
        guard reminder.kind.canWait else { return }
        let (settings, now) = (rules.settings, moment.wall.count)
        try promise("no reminder that can wait is given in quiet hours: \(reminder.id)", !settings.isQuiet(now))
        givenToday += 1
        try promise("a day has no more reminders than its limit: \(reminder.id)", givenToday <= settings.remindersADay)
        try checkTruth(of: reminder, plan, settings, at: moment)
        guard reminder.isOfWhatIsOpen else { return }
        speak(at: moment)
        guard let time = reminder.time, let day = reminder.day else { return }
        try promise("a reminder time comes only on a reminder day", settings.isReminderDay(day))
        let late = now - settings.whenNotQuiet(time)
        try promise(
            "a reminder is not later than allowed: \(reminder.id), \(late) minutes",
            (0...settings.lateMinutes).contains(late))
    }

    private func checkTruth(
        of reminder: Reminder, _ plan: Plan, _ settings: Settings, at moment: Moment
    ) throws(Violation) {
        guard let id = reminder.assignment else { return }
        guard let about = plan.agenda[id] else { throw Violation("no reminder is about a withdrawn task") }
        switch plan.standing(of: about, eligible: plan.eligible(by: settings), by: settings) {
        case .missed: try promise("a reminder of a missed task says so", reminder.kind == .missed)
        case .eligible, .inProgress:
            try promise("a reminder of an open task says so", reminder.isOfWhatIsOpen)
            try promise(
                "no reminder comes while the client is attended", plan.flow?.isAttended(at: moment.instant) != true)
            try promise(
                "a reminder of a late task says so",
                (reminder.kind == .overdue) == (plan.day.map { about.due < $0 } ?? false))
            try promise("no reminder comes while muted", plan.mutedUntil == nil)
        case .completed: throw Violation("no reminder is about a completed task")
        case .locked: throw Violation("no reminder is about a locked task")
        }
    }

    private mutating func breathe(_ count: Int, at now: SteadyInstant, _ of: Assignment?) throws(Violation) {
        guard let run = breathing, let planned = of?.breaths else { throw Violation("nobody breathes without a guide") }
        let cycles = (now - run.since).microseconds / BreathPattern.calm.cycle.microseconds
        try promise("a breath takes its time", count - run.from <= cycles)
        try promise("breaths only increase, to the planned number", count > breaths && count <= planned)
        breaths = count
    }

    private mutating func complete(_ id: AssignmentID, on day: CalendarDay, _ plan: Plan) throws(Violation) {
        try promise("nothing is completed twice", completed[id] == nil)
        try promise("nothing is completed without session and mood", left.contains(id) && moods[id] != nil)
        try promise("a task is completed on the present day", plan.day == day)
        completed[id] = .completed(on: day, mood: moods[id])
    }

    private func promise(_ sentence: @autoclosure () -> String, _ kept: Bool) throws(Violation) {
        guard kept else { throw Violation(sentence()) }
    }
}

extension Happening {
    /// True if the client is no longer attended after the event.
    fileprivate var endsAttention: Bool {
        switch self {
        case .guideLeft, .exerciseFinished, .left, .cancelled, .setAside: true
        default: false
        }
    }
}
