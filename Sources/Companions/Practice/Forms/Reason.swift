internal import ArgumentParser
import Companion
import Messages
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
    ///   - draft: the kind of the reason's draft, such as `client-close`.
    ///   - client: the client's identifier and name.
    ///   - more: further questions that come first, and the options that answer them.
    func ask<M: Method>(
        _ title: String, does: String, draft kind: String, about client: (id: String, name: String),
        over connection: DaemonConnection, after more: [(question: Question, given: String?)] = [],
        _ make: (Answers) -> M
    ) throws(Failure) -> Reply {
        let writer = try LongText.Writer(over: connection)
        let draft = LongText(kind, about: client.id, for: client.name, by: writer)
        let why = Question(
            field: "reason", label: "Reason", kind: .text(draft: draft), isRequired: true,
            check: { text throws(FieldError) in try Field.someText(text) })
        var form = Form(title, does: does, untouched: "Nothing was changed.", more.map(\.question) + [why])
        var given: [String: String?] = ["reason": reason]
        for (question, typed) in more { given[question.field] = typed }
        return try form.send(Given.read(given), output: output, asking: !daemon.json, over: connection) { make($0) }
    }

    /// Sends the call, and prints the reply.
    func send<M: Method>(
        _ title: String, does: String, draft kind: String, about client: (id: String, name: String),
        over connection: DaemonConnection, after more: [(question: Question, given: String?)] = [],
        _ make: (Answers) -> M,
        say: (M.Reply) throws -> String
    ) throws {
        let reply = try ask(title, does: does, draft: kind, about: client, over: connection, after: more, make)
        try daemon.answer(reply, of: M.self, over: connection, say: say)
    }
}
