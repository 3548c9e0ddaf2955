internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "explain", abstract: "Say why a task is locked, open or missed; or explain the kinds of reminder.")

    @Argument(help: ArgumentHelp(TaskName.helpText + " Or a kind of reminder. Left out: all kinds.")) var what: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard let what else { return try show(Homework.ReminderKind.allCases) }
        if let kind = Homework.ReminderKind(rawValue: what), !isTask(what) { return try show([kind]) }
        let connection = try daemon.connection()
        let name = TaskName(what)
        let task = try name.day(over: connection) ?? what
        try daemon.ask(Homework.Explain(task: task), over: connection) { reply in
            guard !reply.explanations.isEmpty else { return name.noTask(on: task) + "\n" }
            return Self.text(of: reply.explanations, ink: Streams.ink)
        }
    }
}

// The kinds of reminder.
extension Explain {
    /// False also if the daemon does not answer: the kinds are explained without it.
    private func isTask(_ name: String) -> Bool {
        do {
            return try daemon.connection().call(Homework.List(all: true)).assignments.contains { $0.id == name }
        } catch {
            return false
        }
    }

    private func show(_ kinds: [Homework.ReminderKind]) throws {
        guard daemon.json else { return Streams.output(Self.text(of: kinds, ink: Streams.ink)) }
        Streams.output(object: ["kinds": kinds.map(ExplainedKind.init)])
    }

    private struct ExplainedKind: Encodable {
        let kind: String
        let title: String
        let explanation: String

        init(_ kind: Homework.ReminderKind) {
            self.kind = kind.rawValue
            title = kind.title
            explanation = kind.explanation
        }
    }

    static func text(of kinds: [Homework.ReminderKind], ink: Ink) -> String {
        kinds.map { kind in
            let head = ink.strong(kind.title) + ink.faint(" (\(kind.rawValue))")
            let lines = kind.explanation.split(whereSeparator: \.isNewline).joined(separator: " ").wrapped(to: 76)
            return ([head] + lines.map { "  " + $0 }).joined(separator: "\n") + "\n"
        }
        .joined(separator: "\n")
    }
}

// A task.
extension Explain {
    static func text(of explanations: [Homework.Explanation], ink: Ink) -> String {
        explanations.map { text(of: $0, ink: ink) }.joined(separator: "\n")
    }

    private static func text(of explanation: Homework.Explanation, ink: Ink) -> String {
        let assignment = explanation.assignment
        let head =
            ink.strong(Wording.task(due: assignment.due, today: nil)) + ink.faint(" (\(assignment.id.shown))")
        let lines = [Wording.standing(of: assignment), Wording.sentence(explanation.rule)]
        let all =
            lines + explanation.settings.map(setting) + [change(explanation)]
            + (explanation.reminding.map(reminding) ?? [])
        return ([head] + all.map { "  " + $0 }).joined(separator: "\n") + "\n"
    }

    private static func reminding(_ reminding: Homework.Reminding) -> [String] {
        let next = reminding.next.map { "The next reminder comes on \(Wording.time($0, today: nil))." }
        return [next, Wording.sentence(reminding.rule)].compactMap { $0 } + reminding.settings.map(setting)
    }

    private static func setting(_ setting: Homework.Setting) -> String {
        let file = setting.file.shown
        let place = setting.line.map { "\(file):\($0)" } ?? "the default; \(file) does not set it"
        return "\(setting.name.shown) = \(setting.value.shown) (\(place))"
    }

    private static func change(_ explanation: Homework.Explanation) -> String {
        let state = explanation.assignment.state
        guard let at = explanation.assignment.changesAt else {
            return "Time alone \(state == .locked ? "does not open it" : "changes nothing about it")."
        }
        let then = explanation.becomes.map { $0 == state ? "" : ": it is \(Wording.state($0)) then" } ?? ""
        return "That changes on \(Wording.time(at, today: nil))\(then), if nobody does anything until then."
    }
}
