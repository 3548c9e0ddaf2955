import DaybreakInterfaces

// Why a task is as it is.
extension Wording {
    /// - Parameter what: what was asked about.
    static func explanations(_ all: [Homework.Explanation], of what: String, ink: Ink) -> String {
        if all.isEmpty { return "No task is due \(Day(what) == nil ? what : "on " + day(what, today: nil)).\n" }
        return all.map { explanation($0, ink: ink) }.joined(separator: "\n")
    }

    private static func explanation(_ one: Homework.Explanation, ink: Ink) -> String {
        let assignment = one.assignment
        let head = ink.strong(task(due: assignment.due, today: nil)) + ink.faint(" (\(assignment.id.shown))")
        let lines = [
            "\(capitalised(state(assignment.state))). \(reason(assignment.cause, else: assignment.reason))",
            sentence(one.rule),
        ]
        let all = lines + one.settings.map(setting) + change(one) + (one.reminding.map(reminding) ?? [])
        return ([head] + all.map { "  " + $0 }).joined(separator: "\n") + "\n"
    }

    private static func reminding(_ reminding: Homework.Reminding) -> [String] {
        let next = reminding.next.map { "The next reminder comes on \(time($0, today: nil))." }
        return [next, sentence(reminding.rule)].compactMap { $0 } + reminding.settings.map(setting)
    }

    private static func setting(_ setting: Homework.Setting) -> String {
        let file = setting.file.shown
        let place = setting.line.map { "\(file):\($0)" } ?? "the default; \(file) does not set it"
        return "\(setting.name.shown) = \(setting.value.shown) (\(place))"
    }

    private static func change(_ one: Homework.Explanation) -> [String] {
        guard let at = one.assignment.changesAt else {
            return ["Time alone \(one.assignment.state == .locked ? "does not open it" : "changes nothing about it")."]
        }
        let then = one.becomes.map { $0 == one.assignment.state ? "" : ": it is \(state($0)) then" } ?? ""
        return ["That changes on \(time(at, today: nil))\(then), if nobody does anything until then."]
    }

    private static func state(_ state: Homework.State) -> String {
        switch state {
        case .locked: "locked"
        case .eligible: "open"
        case .inProgress: "in progress"
        case .completed: "completed"
        case .missed: "missed"
        }
    }
}
