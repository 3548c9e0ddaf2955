internal import ArgumentParser
import Control

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "explain", abstract: Wording.About.explain)

    @Argument(help: ArgumentHelp(Wording.About.what)) var what: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard let what else { return try show(HomeworkInterface.ReminderKind.allCases) }
        if let kind = HomeworkInterface.ReminderKind(rawValue: what) { return try show([kind]) }
        let connection = try daemon.connection()
        let task = try TaskName(what).day(over: connection) ?? what
        try daemon.ask(HomeworkInterface.Explain(task: task), over: connection) { reply in
            Wording.explanations(reply.explanations, of: what, ink: Standard.ink)
        }
    }

    private func show(_ kinds: [HomeworkInterface.ReminderKind]) throws {
        guard daemon.json else { return Standard.output(Self.text(of: kinds, ink: Standard.ink)) }
        Standard.output(object: ["kinds": kinds.map(Explained.init)])
    }

    private struct Explained: Encodable {
        let kind: String
        let title: String
        let explanation: String

        init(_ kind: HomeworkInterface.ReminderKind) {
            self.kind = kind.rawValue
            title = kind.title
            explanation = kind.explanation
        }
    }

    static func text(of kinds: [HomeworkInterface.ReminderKind], ink: Ink) -> String {
        kinds.map { kind in
            let head = ink.strong(kind.title) + ink.faint(" (\(kind.rawValue))")
            let lines = kind.explanation.split(whereSeparator: \.isNewline).joined(separator: " ").wrapped(to: 76)
            return ([head] + lines.map { "  " + $0 }).joined(separator: "\n") + "\n"
        }
        .joined(separator: "\n")
    }
}
