import DaybreakInterfaces

// Everything about one task.
extension Wording {
    static func everything(_ reply: Homework.Show.Reply, ink: Ink) -> String {
        let task = reply.assignment
        var rows = [
            ("Task", task.id.shown), ("State", "\(state(task.state)). \(reason(task.cause, else: task.reason))"),
            ("Breaths", drawn(task, reply.steps)),
        ]
        let pauses = reply.steps.count { $0.what == .breathingPaused || $0.what == .guideLeft }
        if pauses > 0 { rows.append(("Pauses", "\(pauses)")) }
        if let mood = task.mood { rows.append(("Mood", self.mood(mood, reply.steps))) }
        rows.append(("Choices", choices(task.moods)))
        let head = ink.strong(Day(task.due).map { fullDay($0, today: nil) } ?? task.due.shown)
        let facts = head + "\n" + rows.map { "  \(ink.faint($0.0.padded(to: 10)))\($0.1)\n" }.joined()
        let way = reply.steps.isEmpty ? "" : "\n" + steps(reply.steps, ink: ink)
        let written = reply.notes.isEmpty ? "" : "\n" + ink.strong("Notes") + "\n" + notes(reply.notes, ink: ink)
        return facts + way + written
    }

    private static func state(_ state: Homework.State) -> String {
        switch state {
        case .locked: "Locked"
        case .eligible: "Open"
        case .inProgress: "In progress"
        case .completed: "Completed"
        case .missed: "Missed"
        }
    }

    /// "3 of 5", with the pattern that it was begun with last.
    private static func drawn(_ task: Homework.Assignment, _ steps: [Homework.Step]) -> String {
        let pattern = steps.last { $0.pattern != nil }?.pattern.map { ", seconds \(seconds($0))" } ?? ""
        return "\(task.breathsDone) of \(task.breaths)\(pattern)"
    }

    /// "4-0-6-0": to inhale, hold, exhale and rest.
    private static func seconds(_ pattern: Homework.Pattern) -> String {
        [pattern.inhale, pattern.hold, pattern.exhale, pattern.rest].map(number).joined(separator: "-")
    }

    /// The mood that counts, and where it was corrected, what it was first.
    private static func mood(_ word: String, _ steps: [Homework.Step]) -> String {
        guard steps.contains(where: { $0.what == .moodCorrected }),
            let first = steps.first(where: { $0.what == .moodLogged })?.mood, first != word
        else { return word.shown }
        return "\(word.shown), corrected; first logged as \(first.shown)"
    }

    private static func steps(_ steps: [Homework.Step], ink: Ink) -> String {
        var text = ""
        var lastDay = ""
        for (index, step) in steps.enumerated() {
            // Breath after breath is one line, which tells of the last.
            if step.what == .breathed, steps.dropFirst(index + 1).first?.what == .breathed { continue }
            let day = Day(step.at).map { fullDay($0, today: nil) } ?? step.at.shown
            if day != lastDay { text += (lastDay.isEmpty ? "" : "\n") + ink.strong(day) + "\n" }
            lastDay = day
            text += "  \(ink.faint(String(step.at.dropFirst(11).prefix(8)).shown))  \(said(of: step))\n"
        }
        return text
    }

    private static func said(of step: Homework.Step) -> String {
        switch step.what {
        case .unlocked: "It unlocked."
        case .started: "Taken up."
        case .breathingBegan: "The breathing ran."
        case .breathingPaused: "Paused."
        case .guideLeft: "Nobody was led any more: the breathing paused."
        case .breathed: "\(counted(step.breaths ?? 0, "breath")) drawn."
        case .exerciseRestarted: "Begun again, from the first breath."
        case .exerciseFinished: "The exercise was done: into the wait room."
        case .joined: "Into the session."
        case .left: "Out of the session."
        case .moodLogged: "Mood: \(step.mood?.shown ?? "erased")."
        case .moodCorrected: "Mood corrected: \(step.mood?.shown ?? "erased")."
        case .completed: "Completed."
        case .cancelled: "Given up for then."
        case .setAside: "Set aside for what the day brought."
        }
    }
}
