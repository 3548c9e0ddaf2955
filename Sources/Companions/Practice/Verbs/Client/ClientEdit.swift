internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import Varlink

extension ClientVerb {
    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit", abstract: "Change what is kept of a client; an empty text empties a field.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Argument(help: ArgumentHelp(FormFile.help)) var file: String?
        @OptionGroup var fields: ClientFields
        @OptionGroup var look: Look
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let client = try ClientName(client).client(over: connection)
            let reply =
                try file.map {
                    let more = ["client": client.id, "revision": "\(client.revision)"]
                    return try connection.reply(to: FormFile.call(Records.EditClient.self, from: $0, adding: more))
                } ?? asked(client, over: connection)
            try daemon.answer(reply, of: Records.EditClient.self, over: connection) { reply in
                "The record of \(reply.client.name.shown.sideBySide) (No. \(reply.client.number)) is changed.\n"
            }
        }

        private func asked(_ client: Records.Client, over connection: DaemonConnection) throws -> Reply {
            let asker = try Asker(over: connection)
            let own = try connection.call(Records.ListFields()).fields
            var latest = client
            func questions() -> [Question] { ClientForm.questions(latest, fields: own, therapists: nil, asker) }
            var form = Form(
                "Client No. \(client.number)", does: "writes what you changed", untouched: "Nothing was changed.",
                isEdit: true, questions())
            return try form.send(
                fields.given(), look: look, asking: !daemon.json, over: connection,
                again: { () throws(Failure) in
                    latest = try connection.call(Records.GetClient(client: client.id)).client
                    return questions()
                }
            ) { answers in
                Records.EditClient(
                    client: client.id, revision: latest.revision, name: answers["name"], born: answers["born"],
                    phone: answers["phone"], email: answers["email"], address: answers["address"],
                    emergencyContact: answers["emergencyContact"], referredBy: answers["referredBy"],
                    motive: answers["motive"], extra: ClientForm.extra(answers, beside: latest.extra),
                    timeZone: answers["timeZone"], account: answers["account"])
            }
        }
    }
}
