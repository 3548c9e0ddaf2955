internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces
import PracticeRules
import StaffInterfaces

struct Point: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "point", abstract: "Write a talking point for a client's next session; the wait room shows it.")

    @Argument(help: ArgumentHelp(ClientName.help)) var client: String
    @Argument(help: "The talking point; - reads it from standard input. Left out: the terminal asks for it.") var text:
        String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        try caller.demand(.giveHomework)
        let client = try ClientName(client).client(over: connection)
        let draft = LongText(
            "point", about: client.id, for: client.name, by: LongText.Writer(caller.reply, over: connection))
        var form = Form(
            "A talking point", does: "adds it", untouched: "Nothing was added.",
            [
                Question(
                    field: "text", label: "Talking point", kind: .text(draft: draft), isRequired: true,
                    check: { text throws(FieldError) in try Field.talkingPoint(text) })
            ])
        let key = CallKey.new()
        let reply = try form.send(
            Given.read(["text": text]), output: output, asking: !daemon.json, over: connection
        ) { answers in
            Care.AddTalkingPoint(client: client.id, text: answers["text"] ?? "", key: key)
        }
        try daemon.answer(reply, of: Care.AddTalkingPoint.self, over: connection) { _ in
            "It is kept for the next session. The wait room shows it once the client's Daybreak has heard of it.\n"
        }
    }
}
