internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import Varlink

/// The options that name the fields of a member of staff.
struct StaffFields: ParsableArguments {
    @Option(help: "The name; - reads it from standard input, as every one of these.") var name: String?
    @Option(help: "administrator, support or thanatologist.") var role: String?
    @Option(help: "Their Unix account on the practice's machine.") var account: String?
    @Option(help: "An e-mail address.") var email: String?
    @Option(help: "A telephone number with its country.") var phone: String?

    /// As they were typed.
    var given: [String: String?] {
        ["name": name, "role": role, "account": account, "email": email, "phone": phone]
    }

    static func questions(_ person: Practice.Person?, _ caller: CallerInfo) -> [Question] {
        let roles = Role.allCases.filter(\.isStaff).map { role in
            Question.Choice(value: role.rawValue, word: role == .thanatologist ? caller.therapist : role.rawValue)
        }
        let role = person.map { Wording.role($0.role, therapist: caller.therapist) }
        return [
            Question(field: "name", label: "Name", isRequired: true, current: person?.name ?? "", check: Field.name),
            Question(field: "role", label: "Role", kind: .one(roles), isRequired: true, current: role ?? ""),
            Question(
                field: "account", label: "Account", hint: "on this machine, so that they can use `practice`",
                current: person?.account ?? "",
                check: { text throws(FieldError) in try Field.line(text, limit: 64) }),
            Question(field: "email", label: "E-mail", current: person?.email ?? "", check: Field.email),
            Question(
                field: "phone", label: "Telephone", hint: "such as +49 30 1234567", current: person?.phone ?? "",
                check: Field.phone),
        ]
    }
}

extension StaffVerb {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration.verb("add", abstract: "Add somebody who works here.")

        @OptionGroup var fields: StaffFields
        @OptionGroup var options: FormOptions

        func run() throws {
            let connection = try options.daemon.connection()
            let caller = try CallerInfo(over: connection)
            try caller.demand(.editStaff)
            let form = Form(
                "Somebody new", does: "adds them", untouched: "Nobody was added.", StaffFields.questions(nil, caller))
            let key = CallKey.new()
            try options.send(form, fields.given, over: connection) { answers in
                Practice.AddStaff(
                    name: answers["name"] ?? "", role: answers["role"] ?? "", account: answers["account"],
                    email: answers["email"], phone: answers["phone"], key: key)
            } say: { reply in
                let person = reply.person
                let way =
                    person.account == nil
                    ? " Without an account they cannot use `practice` yet: `practice staff edit \(person.id)`." : ""
                return "\(person.name.shown.singleLine) works here now, as \(person.id).\(way)\n"
            }
        }
    }

    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "edit",
            abstract: "Change what is kept of somebody who works here; an empty text empties a field.")

        @Argument(help: ArgumentHelp(PersonName.help)) var person: String
        @OptionGroup var fields: StaffFields
        @OptionGroup var options: FormOptions

        func run() throws {
            let connection = try options.daemon.connection()
            var person = try PersonName(person).person(over: connection)
            let caller = try CallerInfo(over: connection)
            try caller.demand(.editStaff)
            let form = Form(
                person.name, does: "writes what you changed", untouched: "Nothing was changed.", isEdit: true,
                StaffFields.questions(person, caller))
            try options.send(
                form, fields.given, over: connection,
                adding: ["person": person.id, "revision": "\(person.revision)"],
                again: { () throws(Failure) in
                    person = try connection.call(Practice.GetPerson(person: person.id)).person
                    return StaffFields.questions(person, caller)
                }
            ) { answers in
                Practice.EditStaff(
                    person: person.id, revision: person.revision, name: answers["name"], role: answers["role"],
                    account: answers["account"], email: answers["email"], phone: answers["phone"])
            } say: { reply in
                "The data of \(reply.person.name.shown.singleLine) is changed.\n"
            }
        }
    }

    struct Retire: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "retire",
            abstract: "Somebody leaves: they come in no more, and their clients go to a successor.")

        @Argument(help: ArgumentHelp(PersonName.wholeHelp)) var person: String
        @Option(help: ArgumentHelp("The person who takes over their clients.", valueName: "person")) var successor:
            String?
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            try CallerInfo(over: connection).demand(.editStaff)
            let named = try PersonName(self.person)
            let person = try named.person(over: connection)
            guard person.active else {
                throw Failure.refused(
                    "LeftBefore", saying: "\(person.name.shown.singleLine) left before: nothing was done.")
            }
            let successor = try successor.map { try PersonName($0).person(over: connection) }
            if NameMatch.identifier(named.text) == nil {
                try NameMatch.settle(
                    named.text, means: person.name, person.id, question: "Retire \(person.name.shown.singleLine)?",
                    asking: daemon.json ? nil : LineReader(isPlain: false))
            }
            let call = Practice.RetireStaff(person: person.id, revision: person.revision, successor: successor?.id)
            try daemon.ask(call, over: connection) { reply in
                let heir = reply.handed == nil ? nil : successor?.name.shown.singleLine
                let handed = heir.map { " Their clients are \($0)'s now." } ?? ""
                let left = ClientVerb.Transfer.letters(reply.unread, urgent: reply.urgent).map {
                    "Nobody can read what they had not read yet: \($0) of clients.\n"
                }
                return "\(reply.person.name.shown.singleLine) works here no longer; what they did stays.\(handed)\n"
                    + (left ?? "")
            }
        }
    }
}
