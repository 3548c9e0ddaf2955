internal import ArgumentParser
import Companion
import Varlink

/// The options of every verb with a form: a JSON file with the fields, the form of the output, and the daemon.
struct FormOptions: ParsableArguments {
    @Argument(help: ArgumentHelp(FormFile.help)) var file: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    /// Sends the JSON file if there is one, else the form, and prints the reply. Refuses the two together, so that no field is
    /// left out silently.
    ///
    /// - Parameters:
    ///   - given: the fields from options, as they were typed. A hyphen stands for standard input.
    ///   - also: other options that were given and say something of the same call.
    ///   - more: further parameters from the command line, such as the client or the revision.
    ///   - again: returns the questions with the present values, after another person has changed them.
    ///   - doubt: returns a refusal's sentence if the person may send the same answers all the same.
    func send<M: Method>(
        _ form: Form, _ given: [String: String?], also: [String] = [], over connection: DaemonConnection,
        adding more: [String: String] = [:], again: (() throws(Failure) -> [Question])? = nil,
        doubt: ((Reply) -> String?)? = nil, _ make: (Answers) -> M, say: (M.Reply) throws -> String
    ) throws {
        let reply: Reply
        if let file {
            let options = form.questions.filter { given[$0.field] ?? nil != nil }.map(\.option) + also
            guard options.isEmpty else {
                throw Failure.misused(
                    "The fields come from \(file.shown), or from options: leave one of them out "
                        + "(\(options.joined(separator: ", "))).")
            }
            reply = try connection.reply(to: FormFile.call(M.self, from: file, adding: more, isEdit: form.isEdit))
        } else {
            var form = form
            reply = try form.send(
                Given.read(given), output: output, asking: !daemon.json, over: connection, again: again, doubt: doubt
            ) { make($0) }
        }
        try daemon.answer(reply, of: M.self, over: connection, say: say)
    }
}
