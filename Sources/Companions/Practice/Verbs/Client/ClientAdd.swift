internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Varlink

/// The options that name a client's fields.
struct ClientFields: ParsableArguments {
    @Option(help: "The name; - reads it from standard input, as every one of these.") var name: String?
    @Option(help: ArgumentHelp("The day of birth.", valueName: "day")) var born: String?
    @Option(help: "A telephone number with its country.") var phone: String?
    @Option(help: "An e-mail address.") var email: String?
    @Option(help: "The postal address.") var address: String?
    @Option(help: "The person to call in an emergency.") var emergencyContact: String?
    @Option(help: "The person or place that referred them.") var referredBy: String?
    @Option(help: "Why they came.") var motive: String?
    @Option(name: .customLong("field"), help: ArgumentHelp("A field of the practice's own.", valueName: "name=value"))
    var fields: [String] = []
    @Option(help: "Their time zone, such as Europe/Madrid.") var timeZone: String?
    @Option(help: "Their Unix account on the practice's machine.") var account: String?

    /// The fields, as they were typed.
    ///
    /// - Parameter known: the names of the practice's own fields.
    func given(
        _ more: [String: String?] = [:], known: [String]
    ) throws(Failure) -> [String: String?] {
        let own = [
            "name": name, "born": born, "phone": phone, "email": email, "address": address,
            "emergencyContact": emergencyContact, "referredBy": referredBy, "motive": motive, "timeZone": timeZone,
            "account": account,
        ]
        let extras = try ClientForm.extras(fields, known: known)
        return own.merging(more) { $1 }.merging(extras) { $1 }
    }
}

extension ClientVerb {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "add", abstract: "Begin the record of a new client.")

        @OptionGroup var fields: ClientFields
        @Option(help: ArgumentHelp("Who will care for them (administrators and support).", valueName: "person"))
        var therapist: String?
        @Option(help: ArgumentHelp("When the record begins: today, unless they came before.", valueName: "day"))
        var since: String?
        @Flag(help: "Add the client although another has the name.") var namesake = false
        @OptionGroup var options: FormOptions

        func run() throws {
            let connection = try options.daemon.connection()
            let caller = try CallerInfo(over: connection)
            try caller.demand(.addClients)
            guard therapist == nil || !caller.isTherapist else {
                throw Failure.misused("--therapist is for administrators and support: whom you add is yours.")
            }
            let therapists = caller.isTherapist ? nil : try connection.staff(role: "thanatologist")
            guard therapists?.isEmpty != true else {
                throw Failure.refused("NoTherapist", saying: Self.noTherapist(caller))
            }
            let own = try connection.call(Records.ListFields()).fields
            let person = try therapist.map { try PersonName($0).person(over: connection).id }
            let form = Form(
                "New client", does: "adds this client", untouched: "Nobody was added.",
                ClientForm.questions(nil, fields: own, therapists: therapists, caller))
            let key = CallKey.new()
            var (sent, sure): (String?, String?)
            let doubt = { (reply: Reply) -> String? in
                guard let error = reply.decodeError(Records.Namesakes.self) else { return nil }
                sure = sent
                return "\(Refusal.namesakes(error)). Is this somebody else?"
            }
            try options.send(
                form, fields.given(["thanatologist": person, "since": since], known: own.map(\.name)),
                also: namesake ? ["--namesake"] : [], over: connection, doubt: doubt
            ) { answers in
                sent = answers["name"]
                return Records.AddClient(
                    name: answers["name"] ?? "", born: answers["born"], phone: answers["phone"],
                    email: answers["email"], address: answers["address"],
                    emergencyContact: answers["emergencyContact"], referredBy: answers["referredBy"],
                    motive: answers["motive"], extra: ClientForm.extra(answers), timeZone: answers["timeZone"],
                    account: answers["account"], thanatologist: answers["thanatologist"], since: answers["since"],
                    unlessKnown: !namesake && sent != sure, key: key)
            } say: { reply in
                let client = reply.client
                return "\(client.name.shown.singleLine) is client No. \(client.number). "
                    + "`practice client show \(client.number)` shows the record.\n"
            }
        }

        private static func noTherapist(_ caller: CallerInfo) -> String {
            let add =
                caller.may(.editStaff)
                ? "`practice staff add --role thanatologist` adds one." : "An administrator adds one."
            return "No \(caller.therapist) works here yet, who would care for the client. \(add)"
        }
    }
}
