import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Time

/// The questions for the fields of a client.
enum ClientForm {
    /// - Parameters:
    ///   - client: the edited client; nil for a new one.
    ///   - therapists: the choices, if the caller is no thanatologist.
    static func questions(
        _ client: Records.Client?, fields: [Records.ListFields.Reply.Fields], therapists: [Practice.Person]?,
        _ caller: CallerInfo
    ) -> [Question] {
        let today = CalendarDay(caller.today) ?? CalendarDay(ordinal: 0)
        var questions = [
            Question(
                field: "name", label: "Name", isRequired: true, current: client?.name ?? "", check: Field.name),
            Question(
                field: "born", label: "Born", hint: "such as 1980-04-03", current: client?.born ?? "",
                check: { text throws(FieldError) in try Field.birthday(text.dateTyped, today: today).description }),
            Question(
                field: "phone", label: "Telephone", hint: "such as +49 30 1234567", current: client?.phone ?? "",
                check: Field.phone),
            Question(field: "email", label: "E-mail", current: client?.email ?? "", check: Field.email),
            Question(field: "address", label: "Address", current: client?.address ?? "", check: Field.paragraph),
            Question(
                field: "emergencyContact", label: "In an emergency", hint: "whom to call",
                current: client?.emergencyContact ?? "", check: Field.paragraph),
            Question(
                field: "referredBy", label: "Referred by", current: client?.referredBy ?? "", check: Field.paragraph),
            Question(field: "motive", label: "Came because of", current: client?.motive ?? "", check: Field.paragraph),
        ]
        questions += fields.map { field in
            var rule = ClientField()
            rule.pattern = field.pattern ?? ""
            return Question(
                field: "extra.\(field.name)", label: field.label.shown, isRequired: field.required,
                named: "--field \(field.name)=", current: client?.extra[field.name] ?? "",
                check: { [rule] text throws(FieldError) in try rule.check(text) })
        }
        questions += formerFields(of: client, fields).map { name in
            Question(
                field: "extra.\(name)", label: formerLabel(name), isAsked: false, current: client?.extra[name] ?? "",
                check: { text throws(FieldError) in
                    guard !text.isEmpty else { return text }
                    throw FieldError("must be empty: the settings name no such field any more.")
                })
        }
        if client == nil, let therapists {
            questions.append(
                Question(
                    field: "thanatologist", label: Wording.capitalised(caller.therapist),
                    kind: .one(therapists.map { .init(value: $0.id, word: Self.word(for: $0, among: therapists)) }),
                    isRequired: true,
                    named: "--therapist"))
        }
        questions += [
            Question(
                field: "timeZone", label: "Time zone", isAsked: false, current: client?.timeZone ?? "",
                check: Field.paragraph),
            Question(
                field: "account", label: "Account", isAsked: false, current: client?.account ?? "",
                check: { text throws(FieldError) in try Field.line(text, limit: 64) }),
        ]
        if client == nil {
            questions.append(
                Question(
                    field: "since", label: "Record since", isAsked: false,
                    check: { text throws(FieldError) in try Field.day(text.day(before: today)).description }))
        }
        return questions
    }

    /// The names of the fields of which a client has a value, and which the settings name no more.
    static func formerFields(of client: Records.Client?, _ fields: [Records.ListFields.Reply.Fields]) -> [String] {
        (client?.extra.keys.sorted() ?? []).filter { name in !fields.contains { $0.name == name } }
    }

    /// Two people of one name are told apart by their identifiers.
    private static func word(for person: Practice.Person, among people: [Practice.Person]) -> String {
        people.count { $0.name == person.name } == 1 ? person.name : "\(person.name) (\(person.id))"
    }

    static func formerLabel(_ name: String) -> String { "\(name.shown) (no field any more)" }

    /// The answers for the practice's own fields; nil if there are none. The others stay as they are.
    static func extra(_ answers: Answers) -> [String: String]? {
        var extra: [String: String] = [:]
        for (field, values) in answers.values where field.hasPrefix("extra.") {
            extra[String(field.dropFirst("extra.".count))] = values.first ?? ""
        }
        return extra.isEmpty ? nil : extra
    }

    /// Reads `NAME=VALUE` from options. The keys are the fields' names in the form.
    static func extras(_ options: [String], known: [String]) throws(Failure) -> [String: String?] {
        var extras: [String: String?] = [:]
        for option in options {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw .misused("“\(option.shown)” is no field of the practice's own: write NAME=VALUE.")
            }
            let name = String(parts[0])
            guard known.contains(name) else {
                let those = known.isEmpty ? "It has none." : "They are \(known.map(\.shown).joined(separator: ", "))."
                throw .misused("“\(name.shown)” is no field of the practice's own. \(those)")
            }
            extras["extra.\(name)"] = String(parts[1])
        }
        return extras
    }
}

extension String {
    var dateTyped: String { filter { !$0.isWhitespace } }

    /// A typed day as the interface spells it. A weekday is the last one. Any other text is left to the rule that refuses it.
    func day(before today: CalendarDay) -> String {
        SpokenDay(self)?.day(today: today, weekdays: .last).description ?? dateTyped
    }
}
