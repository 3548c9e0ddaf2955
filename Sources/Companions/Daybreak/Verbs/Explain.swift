internal import ArgumentParser
import DaybreakInterfaces

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "explain", abstract: Wording.About.explain)

    @Argument(help: ArgumentHelp(Wording.About.what)) var what: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard let what else { return try show(Homework.ReminderKind.allCases) }
        if let kind = Homework.ReminderKind(rawValue: what) { return try show([kind]) }
        let connection = try daemon.connection()
        let task = try TaskName(what).day(over: connection) ?? what
        try daemon.ask(Homework.Explain(task: task), over: connection) { reply in
            Wording.explanations(reply.explanations, of: what, ink: Standard.ink)
        }
    }

    private func show(_ kinds: [Homework.ReminderKind]) throws {
        guard daemon.json else { return Standard.output(Self.text(of: kinds, ink: Standard.ink)) }
        Standard.output(object: ["kinds": kinds.map(Explained.init)])
    }

    private struct Explained: Encodable {
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
