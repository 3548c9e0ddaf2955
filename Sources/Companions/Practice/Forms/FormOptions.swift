internal import ArgumentParser
import Companion
import Varlink

/// The options of every verb with a form: the fields as JSON in the form's place, its look, and the daemon.
struct FormOptions: ParsableArguments {
    @Argument(help: ArgumentHelp(FormFile.help)) var file: String?
    @OptionGroup var look: Look
    @OptionGroup var daemon: DaemonOptions

    /// Sends the JSON file, or else the form, and prints the reply.
    ///
    /// - Parameters:
    ///   - given: the fields that options name; not looked at where there is a file, which may be standard input.
    ///   - more: what the command line says beside the file: the client, the revision.
    ///   - again: the questions with what is there now, where somebody else changed it meanwhile.
    func send<M: Method>(
        _ form: Form, _ given: @autoclosure () throws(Failure) -> [String: String?], over connection: DaemonConnection,
        adding more: [String: String] = [:], again: (() throws(Failure) -> [Question])? = nil,
        _ make: (Answers) -> M, say: (M.Reply) throws -> String
    ) throws {
        let reply: Reply
        if let file {
            reply = try connection.reply(to: FormFile.call(M.self, from: file, adding: more))
        } else {
            var form = form
            reply = try form.send(
                given(), look: look, asking: !daemon.json, over: connection, again: again
            ) { make($0) }
        }
        try daemon.answer(reply, of: M.self, over: connection, say: say)
    }
}
