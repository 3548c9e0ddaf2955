import DaybreakInterfaces

// How things stand, and the reminders, as lines.
extension Wording {
    static func status(_ status: Homework.Status, wall: Day? = .onTheWall, ink: Ink) -> String {
        let today = status.today
        var rows: [(String, String)] = [("Task", task(status))]
        if let next = status.nextUnlock { rows.append(("Next", "unlocks \(time(next, today: today))")) }
        if let snoozed = status.snoozedUntil {
            rows.append(("Reminder", "\(snoozeEnd(snoozed, status)), snoozed until then"))
        } else if let next = status.nextReminder {
            rows.append(("Reminder", time(next, today: today, dayEnds: status.dayEnds)))
        }
        rows.append(("Provider", status.providerOnline ? "available" : "not available"))
        rows.append(("Tasks", counts(status.counts)))
        if let problem = status.problem { rows.append(("Problem", sentence(problem))) }
        let head =
            ink.strong(heading(today, ends: status.dayEnds, wall: wall)) + ink.faint(" · " + status.timeZone.shown)
        return head + "\n" + rows.map { "  \(ink.faint($0.0.padded(to: 10)))\($0.1)\n" }.joined()
    }

    static func snoozeEnd(_ instant: String, _ status: Homework.Status) -> String {
        let clock = clock(instant, today: status.today)
        let time = time(instant, today: status.today, dayEnds: status.dayEnds)
        return time.hasPrefix("tonight") ? time : clock
    }

    private static func task(_ status: Homework.Status) -> String {
        if let flow = status.flow { return standing(of: flow, today: status.today) }
        guard let eligible = status.eligible else { return "none now" }
        return "the one of \(day(eligible.due, today: status.today)) is open: `daybreak start`"
    }

    private static func counts(_ counts: Homework.Counts) -> String {
        "\(counts.completed) completed, \(counts.missed) missed, \(counts.open) open, \(counts.locked) locked"
    }

    /// One reply's reminders, under a line for each new day.
    /// - Parameter lastDay: the day that was printed last.
    static func reminders(_ reminders: [Homework.Reminder], after lastDay: inout String, ink: Ink) -> String {
        var text = ""
        for reminder in reminders {
            let day = Day(reminder.at).map { fullDay($0, today: nil) } ?? reminder.at.shown
            if day != lastDay { text += (lastDay.isEmpty ? "" : "\n") + ink.strong(day) + "\n" }
            lastDay = day
            let clock = WallTime(reminder.at)?.clock ?? ""
            text += "  \(ink.faint(clock.padded(to: DateStyle.current.clockWidth)))  \(reminder.message.shown)\n"
        }
        return text
    }

    static let noReminders = "No reminder was given yet.\n"
}
