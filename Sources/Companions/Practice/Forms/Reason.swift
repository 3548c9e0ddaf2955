internal import ArgumentParser
import Companion
import PracticeRules
import Varlink

/// The options of a verb that needs a reason. A form asks for a missing reason.
struct ReasonOptions: ParsableArguments {
    @Option(help: "Why; - reads it from standard input. Left out: asked for in the terminal.") var reason: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    /// Sends the call that `make` returns for the answers. The reason is the field `reason`.
    ///
    /// - Parameters:
    ///   - does: the effect of Enter at the end: "closes the record".
    ///   - draft: the name of the draft's file.
    ///   - more: further questions that come first, and the options that answer them.
    func ask<M: Method>(
        _ title: String, does: String, draft name: String, over connection: DaemonConnection,
        after more: [(question: Question, given: String?)] = [], _ make: (Answers) -> M
    ) throws(Failure) -> Reply {
        let draft = LongText(name)
        let why = Question(
            field: "reason", label: "Reason", kind: .text(draft: name), isRequired: true,
            check: { text throws(FieldError) in try Field.someText(text) })
        var form = Form(title, does: does, untouched: "Nothing was changed.", more.map(\.question) + [why])
        var given: [String: String?] = ["reason": reason]
        for (question, typed) in more { given[question.field] = typed }
        var sent = ""
        let reply = try form.send(
            Given.read(given), output: output, asking: !daemon.json, over: connection
        ) { answers in
            sent = answers["reason"] ?? ""
            return make(answers)
        }
        if reply.error == nil { try draft.forget(sent: sent) }
        return reply
    }

    /// Sends the call, and prints the reply.
    func send<M: Method>(
        _ title: String, does: String, draft: String, over connection: DaemonConnection,
        after more: [(question: Question, given: String?)] = [], _ make: (Answers) -> M,
        say: (M.Reply) throws -> String
    ) throws {
        let reply = try ask(title, does: does, draft: draft, over: connection, after: more, make)
        try daemon.answer(reply, of: M.self, over: connection, say: say)
    }
}
