import DaybreakInterfaces

// What My tasks says of each.
extension Wording {
    static let myTasks = "My tasks"
    static let noTasks = "There are no tasks yet. `daybreak schedule import FILE` takes a schedule in."

    static func none(_ part: List.Part) -> String {
        switch part {
        case .all: noTasks
        case .completed: "No task is completed yet."
        case .upcoming: "No task is open or still to come."
        case .missed: "No task was missed."
        }
    }

    static func earlier(_ count: Int) -> String { "… and \(count) earlier" }
    static func later(_ count: Int) -> String { "… and \(count) later" }

    /// What there is to know beside the day and the breaths.
    static func standing(of assignment: Homework.Assignment, today: String) -> String {
        switch assignment.state {
        case .locked: unlocks(assignment, today: today)
        case .eligible: "open now: `daybreak start`"
        case .inProgress: "in progress: `daybreak start` goes on"
        case .completed: completed(assignment)
        case .missed: "missed"
        }
    }

    /// Of a locked one: the day stands beside it already, so the time is enough where it unlocks on that day. One whose
    /// day has come waits for another, and its change is none that a person can wait for.
    private static func unlocks(_ assignment: Homework.Assignment, today: String) -> String {
        guard assignment.due > today else {
            return assignment.due == today ? "after the open one" : "late, after the open one"
        }
        guard let instant = assignment.changesAt else { return "after the other one of that day" }
        guard let at = WallTime(instant) else { return "locked" }
        return at.day == Day(assignment.due) ? "unlocks at \(at.clock)" : "unlocks \(time(instant, today: today))"
    }

    private static func completed(_ assignment: Homework.Assignment) -> String {
        (assignment.mood?.shown ?? "completed") + countsFor(assignment)
    }

    /// One assignment as a sentence, after a verb that ends with it.
    static func outcome(_ assignment: Homework.Assignment, today: String? = nil) -> String {
        let task = task(due: assignment.due, today: today)
        let mood = assignment.mood.map { " Mood: \($0.shown)." } ?? ""
        return switch assignment.state {
        case .completed: "\(task) is completed\(countsFor(assignment)).\(mood)"
        case .inProgress: "\(task) is in progress.\(mood)"
        case .eligible: "\(task) is open; `daybreak start` begins it.\(mood)"
        case .locked, .missed: "\(task): \(reason(assignment.cause, else: assignment.reason))\(mood)"
        }
    }

    /// The day that a completed one counts for, where that is another than its own.
    static func countsFor(_ assignment: Homework.Assignment) -> String {
        guard let on = assignment.completedOn, on != assignment.due, let day = Day(on) else { return "" }
        return ", on \(fullDay(day, today: Day(assignment.due)))"
    }

    /// Where a flow stands, as a sentence, with what to do next.
    static func standing(of flow: Homework.Flow, today: String? = nil) -> String {
        switch flow.stage {
        case .exercise: exercise(flow)
        case .waiting:
            flow.mayJoin
                ? "You are in the wait room, and the provider is available: `daybreak join`."
                : "You have been in the wait room since \(since(flow.since, today: today))"
                    + (flow.moodLogged ? "." : "; `daybreak mood` can be logged already.")
        case .session:
            "You have been in the session since \(since(flow.since, today: today)); `daybreak leave` ends it."
        case .mood: "What is left is the mood: `daybreak mood` lists the choices."
        }
    }

    private static func exercise(_ flow: Homework.Flow) -> String {
        guard let exercise = flow.exercise else { return "The exercise is in progress." }
        let place = "breath \(exercise.breath) of \(exercise.breaths)"
        let join = flow.mayJoin ? " The provider is available: `daybreak join`, or finish first." : ""
        if !exercise.guided { return "The exercise waits at \(place): `daybreak start` or `daybreak breathe`.\(join)" }
        return exercise.paused
            ? "The exercise is paused at \(place): `daybreak resume` goes on with that breath.\(join)"
            : "The exercise is at \(place), \(left(exercise.remainingSeconds)) left.\(join)"
    }
}
