import DaybreakInterfaces

/// My tasks as a table: a mark, the day, the breaths, and what there is to know of each.
struct TaskTable {
    let reply: Homework.List.Reply
    /// With the name of each, which `daybreak start NAME` takes.
    let named: Bool
    /// The date that the wall shows.
    let wall: Day?
    let ink: Ink

    var text: String {
        guard !reply.assignments.isEmpty || reply.earlier + reply.later > 0 else { return Wording.noTasks + "\n" }
        var lines = [header, ""]
        if reply.earlier > 0 { lines.append(ink.faint("    " + Wording.earlier(reply.earlier))) }
        for assignment in reply.assignments {
            lines.append(row(assignment))
            if let why = why(assignment) { lines.append(why) }
        }
        if reply.later > 0 { lines.append(ink.faint("    " + Wording.later(reply.later))) }
        return lines.joined(separator: "\n") + "\n"
    }

    private var header: String {
        let day = Wording.heading(reply.today, ends: reply.dayEnds, wall: wall)
        return "  " + ink.strong(Wording.myTasks) + ink.faint(" · " + day)
    }

    private func row(_ assignment: Homework.Assignment) -> String {
        let day = dayColumn(assignment).padded(to: dayWidth)
        let breaths = Wording.breaths(assignment.breaths).padded(to: breathsWidth)
        let standing = Wording.standing(of: assignment, today: reply.today)
        let name = named ? "   " + ink.faint(assignment.id.shown) : ""
        let cells = "\(day)   \(breaths)   "
        return switch assignment.state {
        case .completed: "  \(ink.good("✓")) \(cells)\(lastColumn(standing))\(name)"
        case .missed: "  \(ink.faint("–")) \(ink.faint(cells + lastColumn(standing)))\(name)"
        case .eligible, .inProgress: "  \(ink.open("●")) \(ink.strong(cells))\(ink.open(lastColumn(standing)))\(name)"
        case .locked: "  \(ink.faint("○")) \(cells)\(ink.faint(lastColumn(standing)))\(name)"
        }
    }

    /// What is open says why it is, underneath.
    private func why(_ assignment: Homework.Assignment) -> String? {
        guard assignment.state == .eligible || assignment.state == .inProgress, !assignment.reason.isEmpty else {
            return nil
        }
        return ink.faint("    " + Wording.reason(assignment.cause, else: assignment.reason))
    }

    private func dayColumn(_ assignment: Homework.Assignment) -> String {
        Wording.capitalised(Wording.day(assignment.due, today: reply.today))
    }

    private func lastColumn(_ standing: String) -> String {
        named ? standing.padded(to: standingWidth) : standing
    }

    private let dayWidth: Int
    private let breathsWidth: Int
    private let standingWidth: Int

    init(_ reply: Homework.List.Reply, named: Bool = false, wall: Day? = .onTheWall, ink: Ink) {
        self.reply = reply
        self.wall = wall
        self.named = named
        self.ink = ink
        let assignments = reply.assignments
        dayWidth = assignments.map { DisplayWidth.of(Wording.day($0.due, today: reply.today)) }.max() ?? 0
        breathsWidth = assignments.map { Wording.breaths($0.breaths).count }.max() ?? 0
        standingWidth =
            named
            ? assignments.map { DisplayWidth.of(Wording.standing(of: $0, today: reply.today)) }.max() ?? 0 : 0
    }
}
