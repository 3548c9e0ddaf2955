internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces
import PracticeRules
import StaffInterfaces

extension SessionVerb {
    struct Amend: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "amend", abstract: "Correct or complete a session with an addendum.")

        @OptionGroup var name: SessionName
        @Option(help: "The addendum; - reads it from standard input. Left out: asked for in the terminal.") var text:
            String?
        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let session = try name.session(over: connection)
            let client = try connection.call(Records.GetClient(client: session.client)).client
            let draft = LongText(
                "session-amend-\(session.id)", about: client.id, for: client.name,
                by: try LongText.Writer(over: connection))
            var form = Form(
                "Session \(session.number), \(Wording.date(session.on))", does: "adds this",
                untouched: "Nothing was added.",
                [
                    Question(
                        field: "text", label: "Addendum", kind: .text(draft: draft), isRequired: true,
                        check: { text throws(FieldError) in try SessionRules.addendum(text) })
                ])
            let key = CallKey.new()
            let reply = try form.send(
                Given.read(["text": text]), output: output, asking: !daemon.json, over: connection
            ) { Records.AddAddendum(session: session.id, text: $0["text"] ?? "", key: key) }
            try daemon.answer(reply, of: Records.AddAddendum.self, over: connection) { _ in
                "The addendum stands under session \(session.number).\n"
            }
        }
    }

    struct Void: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "void",
            abstract: "Void a session that was recorded by mistake; it can still be read.")

        @OptionGroup var name: SessionName
        @OptionGroup var options: ReasonOptions

        func run() throws {
            let connection = try options.daemon.connection()
            let session = try name.session(over: connection)
            guard session.voided == nil else {
                throw Failure(
                    refused: Records.SessionVoided(session: session.id),
                    saying: "Session \(session.number) was voided before.")
            }
            let client = try connection.call(Records.GetClient(client: session.client)).client
            try options.send(
                "Void session \(session.number), \(Wording.date(session.on))", does: "takes it out of the count",
                draft: "session-void-\(session.id)", about: (client.id, client.name), over: connection
            ) { answers in
                Records.VoidSession(session: session.id, reason: answers["reason"] ?? "")
            } say: { reply in
                "Session \(reply.session.number) counts no more, and stays to be seen.\n"
            }
        }
    }
}
