import Companion
import DaybreakInterfaces
import Time

/// The list of tasks as a table: a mark, the day, the breaths, and the state in words.
struct TaskTable {
    let reply: Homework.List.Reply
    /// Adds the column of names, which `daybreak start NAME` takes.
    let named: Bool
    /// No task is open or still to come, as in a schedule that lies in the past.
    let isOver: Bool
    /// The practice's announcements; nil if there are none, or if their texts are not known.
    let announced: Link.Announcements.Reply?
    /// The terminal's width; nil if there is no terminal.
    let columns: Int?
    /// The date on the wall clock.
    let wall: CalendarDay?
    let ink: Ink

    private let dayWidth: Int
    private let breathsWidth: Int
    private let stateWidth: Int

    static func noTasks(fromPractice: Bool) -> String {
        "There are no tasks yet. "
            + (fromPractice
                ? "They come from your practice, once your therapist has given you some."
                : "`daybreak schedule import FILE` takes a schedule in.")
    }

    init(
        _ reply: Homework.List.Reply, named: Bool = false, isOver: Bool = false,
        announced: Link.Announcements.Reply? = nil, columns: Int? = nil,
        wall: CalendarDay? = .onTheWall, ink: Ink
    ) {
        self.reply = reply
        self.named = named
        self.isOver = isOver
        self.announced = announced
        self.columns = columns
        self.wall = wall
        self.ink = ink
        let assignments = reply.assignments
        dayWidth = assignments.map { DisplayWidth.of(Wording.day($0.due, today: reply.today)) }.max() ?? 0
        breathsWidth = assignments.map { Wording.breaths($0.breaths).count }.max() ?? 0
        let states = assignments.map { DisplayWidth.of(Self.state(of: $0, today: reply.today)) }
        stateWidth = states.max() ?? 0
    }

    var text: String {
        guard !reply.assignments.isEmpty || max(reply.earlier, reply.later) > 0 else {
            let said = reply.problem.map(Wording.sentence) ?? Self.noTasks(fromPractice: reply.fromPractice == true)
            return said.wrapped(to: columns ?? .max).joined(separator: "\n") + "\n" + news
        }
        var lines = header + [""]
        if reply.earlier > 0 { lines.append(ink.faint("    … and \(reply.earlier) earlier")) }
        for assignment in reply.assignments { lines += rows(assignment) + reason(assignment) }
        if reply.later > 0 { lines.append(ink.faint("    … and \(reply.later) later")) }
        if isOver { lines += [""] + indented("Nothing more is scheduled.", by: 2) }
        if let problem = reply.problem { lines += [""] + indented(Wording.sentence(problem), by: 2) }
        return lines.joined(separator: "\n") + "\n" + news
    }

    private var news: String {
        let texts = announced.map { AnnouncedLines(announced: $0, columns: columns, ink: ink).text } ?? ""
        guard let line = Wording.newsLine(reply.news, announced: announced, today: reply.today) else { return texts }
        return texts + "\n" + line.wrapped(to: columns.map { max(1, $0 - 2) } ?? .max).map { "  \($0)\n" }.joined()
    }

    private var header: [String] {
        let day = Wording.heading(reply.today, ends: reply.dayEnds, wall: wall)
        let line = "  " + ink.strong("My tasks") + ink.faint(" · " + day)
        guard let columns, DisplayWidth.of("  My tasks · " + day) > columns else { return [line] }
        return ["  " + ink.strong("My tasks")] + indented(day, by: 2)
    }

    /// One row; if it is wider than the terminal, the state and the name on rows of their own.
    private func rows(_ assignment: Homework.Assignment) -> [String] {
        let day = Wording.capitalised(Wording.day(assignment.due, today: reply.today)).padded(to: dayWidth)
        let breaths = Wording.breaths(assignment.breaths).padded(to: breathsWidth)
        let state = Self.state(of: assignment, today: reply.today)
        let name = assignment.id.shown
        if isNarrow {
            let more = indented(state, by: 4) + (named ? indented(name, by: 4) : [])
            return [row(assignment.state, "\(day)   \(breaths)", "")] + more
        }
        let last = named ? state.padded(to: stateWidth) : state
        return [row(assignment.state, "\(day)   \(breaths)   ", last) + (named ? "   " + ink.faint(name) : "")]
    }

    private var isNarrow: Bool {
        guard let columns else { return false }
        let names = named ? (reply.assignments.map { DisplayWidth.of($0.id.shown) + 3 }.max() ?? 0) : 0
        return 4 + dayWidth + 3 + breathsWidth + 3 + stateWidth + names > columns
    }

    private func row(_ state: Homework.State, _ cells: String, _ last: String) -> String {
        switch state {
        case .completed: "  \(ink.good("✓")) \(cells)\(last)"
        case .missed: "  \(ink.faint("–")) \(ink.faint(cells + last))"
        case .eligible, .inProgress: "  \(ink.open("●")) \(ink.strong(cells))\(ink.open(last))"
        case .locked: "  \(ink.faint("○")) \(cells)\(ink.faint(last))"
        }
    }

    /// The reason why an open task is open.
    private func reason(_ assignment: Homework.Assignment) -> [String] {
        guard assignment.state == .eligible || assignment.state == .inProgress, !assignment.reason.isEmpty else {
            return []
        }
        return indented(Wording.reason(assignment.cause, else: assignment.reason, today: lastDay(assignment)), by: 4)
    }

    /// The client's day, if it is the last one of a late task.
    private func lastDay(_ assignment: Homework.Assignment) -> String? {
        assignment.cause?.kind == .late ? reply.today : nil
    }

    private func indented(_ text: String, by margin: Int) -> [String] {
        let lines = columns.map { text.wrapped(to: max(1, $0 - margin)) } ?? [text]
        return lines.map { ink.faint(String(repeating: " ", count: margin) + $0) }
    }
}

extension TaskTable {
    static func state(of assignment: Homework.Assignment, today: String) -> String {
        switch assignment.state {
        case .locked: locked(assignment, today: today)
        case .eligible: "open now: `daybreak start`"
        case .inProgress: "in progress: `daybreak start` goes on"
        case .completed: (assignment.mood?.shown ?? "completed") + Wording.countsFor(assignment)
        case .missed: "missed"
        }
    }

    /// The time of the unlock, with its day only if that is not the task's own day, which stands beside it. A task that waits
    /// for the open one may open at any time.
    private static func locked(_ assignment: Homework.Assignment, today: String) -> String {
        guard assignment.due > today, assignment.cause?.kind != .behindAnother else {
            return "locked, after the open one"
        }
        guard let instant = assignment.changesAt, assignment.cause?.kind != .afterAnother else {
            return "locked, after the other one of that day"
        }
        guard let at = DateTime(instant) else { return "locked" }
        return at.day.description == assignment.due
            ? "unlocks at \(at.time.clock)" : "unlocks \(Wording.time(instant, today: today))"
    }
}
