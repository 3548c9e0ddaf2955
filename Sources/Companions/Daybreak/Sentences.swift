import Companion
import DaybreakInterfaces
import Time

// Sentences that several verbs use.
extension Wording {
    static func breaths(_ count: Int) -> String { counted(count, "breath") }

    static func state(_ state: Homework.State) -> String {
        switch state {
        case .locked: "locked"
        case .eligible: "open"
        case .inProgress: "in progress"
        case .completed: "completed"
        case .missed: "missed"
        }
    }

    /// The reason why a task is in its state, with the days in the form of the client's locale. An older daemon sends no cause, only the
    /// sentence.
    /// - Parameter today: the client's day, which is named so; nil if it is unknown.
    static func reason(
        _ cause: Homework.Cause?, else sentence: String, today: String? = nil, style: DateStyle = .current
    ) -> String {
        let said = cause?.sentence { day in
            day == today ? "today" : CalendarDay(day).map { fullDay($0, today: nil, style: style) } ?? day
        }
        return Self.sentence(said ?? sentence)
    }

    /// The assignment's state and the reason for it.
    static func standing(of assignment: Homework.Assignment) -> String {
        let reason = reason(assignment.cause, else: assignment.reason)
        // The reason of a task in progress says that it is.
        return assignment.state == .inProgress ? reason : "\(capitalised(state(assignment.state))). \(reason)"
    }

    static func phase(_ phase: Homework.Phase) -> String {
        switch phase {
        case .inhale: "Breathe in"
        case .hold: "Hold"
        case .exhale: "Breathe out"
        case .rest: "Rest"
        }
    }

    /// The choices, each on a line, with its number if that can be typed.
    static func numbered(_ moods: [String]) -> String {
        let areCounted = countsChoices(moods)
        return moods.enumerated().map { "  \(areCounted ? "\($0.offset + 1) " : "")\($0.element.shown)\n" }.joined()
    }

    /// False if a choice is a number itself, as on a scale from 0 to 10: its place would be taken for it.
    static func countsChoices(_ moods: [String]) -> Bool { !moods.contains { Int($0) != nil } }

    /// "one of them, or its number"
    static func oneOf(_ moods: [String]) -> String {
        countsChoices(moods) ? "one of them, or its number" : "one of them"
    }

    /// "Today's task", "The task of Friday 20 November": the beginning of a sentence.
    static func task(due: String, today: String?) -> String {
        guard let due = CalendarDay(due) else { return "The task of \(due.shown)" }
        let today = today.flatMap { CalendarDay($0) }
        let said = day(due, today: today)
        let isNear = today.map { abs(due - $0) <= 1 } ?? false
        return isNear ? "\(capitalised(said))'s task" : "The task of \(said)"
    }

    /// Notes, each under the time it was written at.
    static func notes(_ notes: [Homework.Note], ink: Ink) -> String {
        notes.map { note in
            let when =
                DateTime(note.at).map { "\(fullDay($0.day, today: nil)), \($0.time.clock)" } ?? note.at.shown
            let purpose = note.assignment == nil ? " · for the session" : ""
            let lines = note.text.split(separator: "\n", omittingEmptySubsequences: false)
                .flatMap { String($0).shown.wrapped(to: min(76, (Pager.columns ?? 78) - 2)) }
            return ink.faint(when + purpose) + "\n" + lines.map { "  \($0)\n" }.joined()
        }
        .joined()
    }

    /// After a step that may have ended the flow.
    static func step(_ reply: Homework.LogMood.Reply) -> String {
        reply.flow.map { standing(of: $0) } ?? outcome(reply.assignment)
    }

    /// The assignment's state as a sentence.
    static func outcome(_ assignment: Homework.Assignment, today: String? = nil) -> String {
        let task = task(due: assignment.due, today: today)
        let mood = assignment.mood.map { " Mood: \($0.shown)." } ?? ""
        return switch assignment.state {
        case .completed: "\(task) is completed\(countsFor(assignment)).\(mood)"
        case .inProgress: "\(task) is in progress.\(mood)"
        case .eligible:
            "\(task) is open; `daybreak start` \(assignment.startedAt == nil ? "begins it" : "goes on with it").\(mood)"
        case .locked, .missed: "\(task): \(reason(assignment.cause, else: assignment.reason))\(mood)"
        }
    }

    /// The day for which a completed task counts, if it is not the task's own day.
    static func countsFor(_ assignment: Homework.Assignment) -> String {
        guard let on = assignment.completedOn, on != assignment.due, let day = CalendarDay(on) else { return "" }
        return ", on \(fullDay(day, today: CalendarDay(assignment.due)))"
    }

    /// The flow's stage as a sentence, with the verb that goes on from there.
    /// - Parameter today: nil for the date on the wall clock.
    static func standing(of flow: Homework.Flow, today: String? = nil) -> String {
        let today = today ?? CalendarDay.onTheWall?.description
        return switch flow.stage {
        case .exercise: exercise(flow)
        case .waiting:
            flow.mayJoin
                ? "You are in the wait room, and the provider is available: `daybreak join`."
                : "You have been in the wait room since \(since(flow.since, today: today))"
                    + (flow.moodLogged ? "." : "; `daybreak mood` can be logged already.")
        case .session:
            "You have been in the session since \(since(flow.since, today: today)); `daybreak leave` ends it."
        case .mood: "Only the mood is missing: `daybreak mood` lists the choices."
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
