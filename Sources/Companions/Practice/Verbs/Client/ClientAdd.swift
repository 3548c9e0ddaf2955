internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import Varlink

/// The options that name a client's fields.
struct ClientFields: ParsableArguments {
    @Option(help: "The name; - reads it from standard input, as every one of these.") var name: String?
    @Option(help: ArgumentHelp("The day of birth.", valueName: "day")) var born: String?
    @Option(help: "A telephone number with its country.") var phone: String?
    @Option(help: "An e-mail address.") var email: String?
    @Option(help: "Where they live.") var address: String?
    @Option(help: "Whom to call.") var emergencyContact: String?
    @Option(help: "Who sent them.") var referredBy: String?
    @Option(help: "Why they came.") var motive: String?
    @Option(name: .customLong("field"), help: ArgumentHelp("A field of the practice's own.", valueName: "name=value"))
    var fields: [String] = []
    @Option(help: "Their time zone, such as Europe/Madrid.") var timeZone: String?
    @Option(help: "Their Unix account on the practice's machine.") var account: String?

    func given(_ more: [String: String?] = [:]) throws(Failure) -> [String: String?] {
        let own = [
            "name": name, "born": born, "phone": phone, "email": email, "address": address,
            "emergencyContact": emergencyContact, "referredBy": referredBy, "motive": motive, "timeZone": timeZone,
            "account": account,
        ]
        let extras = try ClientForm.extras(fields)
        return try Given.read(own.merging(more) { $1 }.merging(extras) { $1 }.compactMapValues { $0 })
    }
}

extension ClientVerb {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Begin the record of a new client.")

        @Argument(help: ArgumentHelp(FormFile.help)) var file: String?
        @OptionGroup var fields: ClientFields
        @Option(help: ArgumentHelp("Who will care for them (administrators and support).", valueName: "person"))
        var therapist: String?
        @Option(help: ArgumentHelp("When the record begins: today, unless they came before.", valueName: "day"))
        var since: String?
        @OptionGroup var look: Look
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let reply =
                try file.map { try connection.reply(to: FormFile.call(Records.AddClient.self, from: $0)) }
                ?? asked(over: connection)
            try daemon.answer(reply, of: Records.AddClient.self, over: connection) { reply in
                let client = reply.client
                return "\(client.name.shown.sideBySide) is client No. \(client.number). "
                    + "`practice client show \(client.number)` shows the record.\n"
            }
        }

        private func asked(over connection: DaemonConnection) throws -> Reply {
            let asker = try Asker(over: connection)
            try asker.demand(.addClients)
            let therapists = asker.isTherapist ? nil : try connection.staff(role: "thanatologist")
            let own = try connection.call(Records.ListFields()).fields
            let person = try therapist.map { try PersonName($0).person(over: connection).id }
            var form = Form(
                "New client", does: "adds this client", untouched: "Nobody was added.",
                ClientForm.questions(nil, fields: own, therapists: therapists, asker))
            let key = CallKey.new()
            let given = try fields.given(["thanatologist": person, "since": since])
            return try form.send(given, look: look, asking: !daemon.json, over: connection) { answers in
                Records.AddClient(
                    name: answers["name"] ?? "", born: answers["born"], phone: answers["phone"],
                    email: answers["email"],
                    address: answers["address"], emergencyContact: answers["emergencyContact"],
                    referredBy: answers["referredBy"], motive: answers["motive"], extra: ClientForm.extra(answers),
                    timeZone: answers["timeZone"], account: answers["account"], thanatologist: answers["thanatologist"],
                    since: answers["since"], key: key)
            }
        }
    }
}
