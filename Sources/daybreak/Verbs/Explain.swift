internal import ArgumentParser
import Control
import Varlink

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: Wording.About.explain)

    @Argument(help: ArgumentHelp(Wording.About.kind)) var kind: String?
    @Flag(help: ArgumentHelp(Wording.About.explainJSON)) var json = false

    func validate() throws {
        guard let kind, HomeworkInterface.ReminderKind(rawValue: kind) == nil else { return }
        let known = HomeworkInterface.ReminderKind.allCases.map(\.rawValue)
        throw ValidationError(Wording.unknownKind(kind, known: known))
    }

    func run() throws {
        let one = kind.flatMap(HomeworkInterface.ReminderKind.init(rawValue:))
        let kinds = one.map { [$0] } ?? HomeworkInterface.ReminderKind.allCases
        guard json else { return Standard.output(Self.text(of: kinds, ink: Standard.ink)) }
        let explained = ["kinds": kinds.map(Explained.init)]
        Standard.output(try Reply(frame: Array(Reply.frame(explained).dropLast())).parameters + [UInt8(ascii: "\n")])
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
