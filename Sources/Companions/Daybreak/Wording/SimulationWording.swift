import DaybreakInterfaces

// What is to come, as lines under their days.
extension Wording {
    static func simulation(_ simulation: Homework.Simulation, ink: Ink) -> String {
        let days =
            simulation.from == simulation.through
            ? spoken(simulation.from) : "\(spoken(simulation.from)) to \(spoken(simulation.through))"
        var text =
            "What is to come if nobody does anything\n" + ink.faint("\(days) · \(simulation.timeZone.shown)") + "\n"
        if simulation.entries.isEmpty { return text + "\nNothing.\n" }
        var last = ""
        for entry in simulation.entries {
            if entry.day != last { text += "\n" + ink.strong(spoken(entry.day)) + "\n" }
            last = entry.day
            text += "  \(ink.faint(entry.at.shown))  \(verb(entry.kind).padded(to: 7))  \(line(entry))\n"
        }
        return text
    }

    private static func verb(_ kind: Homework.SimulatedEvent.Kind) -> String {
        switch kind {
        case .unlocked: "unlocks"
        case .reminded: "reminds"
        case .missed: "misses"
        }
    }

    private static func line(_ entry: Homework.SimulatedEvent) -> String {
        guard entry.kind != .reminded, let assignment = entry.assignment else { return entry.message.shown }
        return "\(assignment.shown): \(entry.message.shown)"
    }

    private static func spoken(_ day: String) -> String { Day(day).map { fullDay($0, today: nil) } ?? day.shown }

    static func noProgram(_ name: String, why: String) -> String {
        "\(name) was found neither beside daybreak nor on the PATH (\(why)); `systemd/install` puts both in one place."
    }
}
