internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "show", abstract: "Show everything about one task: its steps, its breaths, its mood, its notes.")

    @Argument(help: ArgumentHelp(TaskName.helpText + " Left out: the open one.")) var task: String?
    @OptionGroup var pager: PagerOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let shown = try names(over: connection).map { name throws(Failure) in
            try connection.call(Homework.Show(assignment: name))
        }
        guard !daemon.json else {
            return shown.count == 1 ? Streams.output(object: shown[0]) : Streams.output(object: Tasks(tasks: shown))
        }
        pager.print(shown.map { Self.text($0, ink: Streams.ink) }.joined(separator: "\n"))
    }

    /// The tasks of a day that has several, as one value of JSON.
    private struct Tasks: Encodable { let tasks: [Homework.Show.Reply] }

    private func names(over connection: DaemonConnection) throws(Failure) -> [String] {
        if let task { return try TaskName(task).assignments(over: connection) }
        let status = try connection.call(Homework.GetStatus()).status
        if let open = status.flow?.assignment ?? status.eligible?.id { return [open] }
        return try TaskName("today").assignments(over: connection)
    }
}

extension Show {
    static func text(_ reply: Homework.Show.Reply, ink: Ink) -> String {
        let task = reply.assignment
        let isWithdrawn = reply.withdrawn == true
        let withdrawn = "Withdrawn. \(Wording.reason(task.cause, else: task.reason))"
        var rows = [
            ("Task", task.id.shown), ("State", isWithdrawn ? withdrawn : Wording.standing(of: task)),
            ("Breaths", drawn(task, reply.steps)),
        ]
        let pauses = reply.steps.indices.count { Self.isPause(reply.steps[$0], after: reply.steps[..<$0]) }
        if pauses > 0 { rows.append(("Pauses", "\(pauses)")) }
        if let mood = task.mood { rows.append(("Mood", self.mood(mood, reply.steps))) }
        rows.append(("Choices", Wording.choices(task.moods)))
        let head = ink.strong(CalendarDay(task.due).map { Wording.fullDay($0, today: nil) } ?? task.due.shown)
        let facts = head + "\n" + rows.map { "  \(ink.faint($0.0.padded(to: 10)))\($0.1)\n" }.joined()
        let steps = reply.steps.isEmpty ? "" : "\n" + self.steps(reply.steps, ink: ink)
        let notes =
            reply.notes.isEmpty ? "" : "\n" + ink.strong("Notes") + "\n" + Wording.notes(reply.notes, ink: ink)
        return facts + steps + notes
    }

    /// False for a guide who leaves an exercise that is paused already.
    private static func isPause(_ step: Homework.Step, after earlier: ArraySlice<Homework.Step>) -> Bool {
        if step.what == .breathingPaused { return true }
        let last = earlier.last { [.breathingBegan, .breathingPaused, .guideLeft].contains($0.what) }
        return step.what == .guideLeft && last?.what == .breathingBegan
    }

    /// "3 of 5", with the pattern of the last start.
    private static func drawn(_ task: Homework.Assignment, _ steps: [Homework.Step]) -> String {
        let pattern = steps.last { $0.pattern != nil }?.pattern.map { ", seconds \(seconds($0))" } ?? ""
        return "\(task.breathsDone) of \(task.breaths)\(pattern)"
    }

    /// "4-0-6-0": to inhale, hold, exhale and rest.
    private static func seconds(_ pattern: Homework.Pattern) -> String {
        [pattern.inhale, pattern.hold, pattern.exhale, pattern.rest].map(Wording.number).joined(separator: "-")
    }

    /// The mood that counts; if it was corrected, with the first one.
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
            // Consecutive breaths take one line: that of the last one, whose number counts all of them.
            if step.what == .breathed, steps.dropFirst(index + 1).first?.what == .breathed { continue }
            let day = CalendarDay(of: step.at).map { Wording.fullDay($0, today: nil) } ?? step.at.shown
            if day != lastDay { text += (lastDay.isEmpty ? "" : "\n") + ink.strong(day) + "\n" }
            lastDay = day
            let isPaused = step.what == .guideLeft && !isPause(step, after: steps[..<index])
            let said = isPaused ? "Nobody was led any more." : sentence(step)
            text += "  \(ink.faint(String(step.at.dropFirst(11).prefix(8)).shown))  \(said)\n"
        }
        return text
    }

    private static func sentence(_ step: Homework.Step) -> String {
        switch step.what {
        case .unlocked: "It unlocked."
        case .started: "Taken up."
        case .breathingBegan: "The breathing ran."
        case .breathingPaused: "Paused."
        case .guideLeft: "Nobody was led any more: the breathing paused."
        case .breathed: "\(Wording.counted(step.breaths ?? 0, "breath")) drawn."
        case .exerciseRestarted: "Begun again, from the first breath."
        case .exerciseFinished: "The exercise was done: into the wait room."
        case .joined: "Into the session."
        case .left: "Out of the session."
        case .moodLogged: "Mood: \(step.mood?.shown ?? "erased")."
        case .moodCorrected: "Mood corrected: \(step.mood?.shown ?? "erased")."
        case .completed: "Completed."
        case .cancelled: "Given up."
        case .setAside: "Set aside, unfinished."
        case .completedElsewhere: "Completed on another of your machines."
        }
    }
}
