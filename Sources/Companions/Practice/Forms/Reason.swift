internal import ArgumentParser
import Companion
import PracticeRules

/// Why something is done that takes a reason.
struct Reason: ParsableArguments {
    @Option(help: "Why; - reads it from standard input. Left out: asked for in the terminal.") var reason: String?

    /// - Parameter draft: the name of the file in which a long one is written.
    func text(_ question: String, draft: String, look: Look, asking: Bool) throws(Failure) -> String {
        if let reason { return try TextInput.word(reason) }
        guard asking, let reader = LineReader(isPlain: look.plain) else {
            throw .misused("Say why: --reason TEXT, or --reason - from standard input.")
        }
        let form = Form(
            question, does: "goes on", untouched: "Nothing was changed.",
            [
                Question(
                    field: "reason", label: "Why", kind: .text(draft: draft), isRequired: true,
                    check: { text throws(Unfit) in try Field.someText(text) })
            ])
        var typed: [String: String] = [:]
        var screen = FormScreen(form, reader, look)
        guard try screen.ask(["reason"], &typed, [:]), let reason = typed["reason"] else {
            throw .refused("Left", saying: form.untouched)
        }
        return reason
    }
}
