internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Varlink

extension ClientVerb {
    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "edit", abstract: "Change what is kept of a client; an empty text empties a field.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @OptionGroup var fields: ClientFields
        @OptionGroup var options: FormOptions

        func run() throws {
            let connection = try options.daemon.connection()
            var client = try ClientName(client).client(over: connection)
            let caller = try CallerInfo(over: connection)
            // Administrators and support see a part of the record, and change nothing.
            try caller.demand(.keepRecords)
            let own = try connection.call(Records.ListFields()).fields
            func questions() -> [Question] { ClientForm.questions(client, fields: own, therapists: nil, caller) }
            let form = Form(
                "Client No. \(client.number)", does: "writes what you changed", untouched: "Nothing was changed.",
                isEdit: true, questions())
            try options.send(
                form, fields.given(known: own.map(\.name) + ClientForm.formerFields(of: client, own)), over: connection,
                adding: ["client": client.id, "revision": "\(client.revision)"],
                again: { () throws(Failure) in
                    client = try connection.call(Records.GetClient(client: client.id)).client
                    return questions()
                }
            ) { answers in
                Records.EditClient(
                    client: client.id, revision: client.revision, name: answers["name"], born: answers["born"],
                    phone: answers["phone"], email: answers["email"], address: answers["address"],
                    emergencyContact: answers["emergencyContact"], referredBy: answers["referredBy"],
                    motive: answers["motive"], extra: ClientForm.extra(answers),
                    timeZone: answers["timeZone"], account: answers["account"])
            } say: { reply in
                "The record of \(reply.client.name.shown.singleLine) (No. \(reply.client.number)) is changed.\n"
            }
        }
    }
}
