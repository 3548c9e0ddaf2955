internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Time
import Varlink

struct SessionVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Show or record a session; nothing edits or removes one.",
        subcommands: [Show.self, Add.self, Amend.self, Void.self])
}

/// The name of a session on the command line: its identifier, or its client and its number.
struct SessionName: ParsableArguments {
    @Argument(help: "The session's identifier; or its client, and then its number.") var session: String
    @Argument(help: "The number, after the client.") var number: Int?

    func session(over connection: DaemonConnection) throws(Failure) -> Records.Session {
        if number == nil, NameMatch.identifier(session) != nil {
            return try connection.call(Records.GetSession(session: session)).session
        }
        let client = try ClientName(session).client(over: connection)
        let sessions = try connection.sessions(of: client.id)
        if let found = sessions.first(where: { $0.number == number }) { return found }
        let lists = "`practice sessions \(client.number)` lists them."
        if let number {
            throw .refused(
                "NoSuchSession", saying: "\(client.name.shown.singleLine) has no session \(number); \(lists)")
        }
        let newest = sessions.map(\.number).max().map { "the newest is \($0)" } ?? "there is none yet"
        throw .misused("Say which session of \(client.name.shown.singleLine), by its number: \(newest); \(lists)")
    }
}

extension SessionVerb {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration.verb("show", abstract: "Show one session whole.")

        @OptionGroup var name: SessionName
        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let session = try name.session(over: connection)
            guard !daemon.json else { return Streams.output(object: Records.GetSession.Reply(session: session)) }
            let page = SessionPage(
                session: session, caller: try CallerInfo(over: connection), lookup: NameCache(connection))
            output.print(try page.text(columns: output.columns, ink: output.ink))
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "add", abstract: "Record a session that took place.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Option(help: ArgumentHelp("The day: 2027-03-05, today, yesterday or a weekday.", valueName: "day")) var on:
            String?
        @Option(parsing: .unconditional, help: "How long it took, in minutes.") var minutes: String?
        @Option(help: "The service: its identifier, its name, or part of it.") var service: String?
        @Option(
            name: .customLong("motive"), help: ArgumentHelp("Why they came; may be given again.", valueName: "word"))
        var motives: [String] = []
        @Option(
            name: .customLong("tool"),
            help: ArgumentHelp("A tool that was used; may be given again.", valueName: "word"))
        var tools: [String] = []
        @Option(help: ArgumentHelp("The recovery fee that was given, such as 50 or 50.00.", valueName: "amount"))
        var fee: String?
        @Option(help: "Notes; - reads them from standard input.") var notes: String?
        @OptionGroup var options: FormOptions

        func run() throws {
            let connection = try options.daemon.connection()
            let client = try ClientName(client).client(over: connection)
            let caller = try CallerInfo(over: connection)
            try caller.demand(.keepRecords)
            try client.demandOpen(true)
            let draft = LongText(
                "session-add", about: client.id, for: client.name, by: LongText.Writer(caller.reply, over: connection))
            let form = Form(
                "A session of \(client.name)", does: "records it; nothing edits it afterwards",
                untouched: "Nothing was recorded.", try questions(client, draft, caller, connection))
            let key = CallKey.new()
            try options.send(form, given, over: connection, adding: ["client": client.id]) { answers in
                Records.AddSession(
                    client: client.id, on: answers["on"] ?? "", minutes: answers.number("minutes") ?? 0,
                    service: answers["service"] ?? "", motives: answers.list("motives"), tools: answers.list("tools"),
                    fee: answers.number("fee"), notes: answers["notes"] ?? "", key: key)
            } say: { reply in
                let session = reply.session
                return "Session \(session.number) of \(client.name.shown.singleLine) is recorded. "
                    + "`practice session show \(client.number) \(session.number)` shows it.\n"
            }
        }

        /// As they were typed.
        private var given: [String: String?] {
            [
                "on": on, "minutes": minutes, "service": service,
                "motives": motives.isEmpty ? nil : motives.joined(separator: "\n"),
                "tools": tools.isEmpty ? nil : tools.joined(separator: "\n"), "fee": fee, "notes": notes,
            ]
        }

        private func questions(
            _ client: Records.Client, _ draft: LongText, _ caller: CallerInfo, _ connection: DaemonConnection
        ) throws -> [Question] {
            let today = CalendarDay(caller.today) ?? CalendarDay(ordinal: 0)
            let turns = try connection.call(Records.ListTurns(client: client.id)).turns
            let record = Episode.all(of: turns.compactMap { $0.asRule })
            let services = try connection.call(Practice.ListServices()).services
            guard !services.isEmpty else {
                throw Failure.refused(
                    "NoService",
                    saying: "Nothing is offered yet that a session can be of. An administrator adds a service with "
                        + "`practice service add`.")
            }
            let choices = services.map { Question.Choice(value: $0.id, word: $0.name) }
            return [
                Question(
                    field: "on", label: "Day", hint: "such as 2027-03-05, yesterday or monday", isRequired: true,
                    current: "today",
                    check: { text throws(FieldError) in
                        try SessionRules.day(text.day(before: today), today: today, in: record).day.description
                    }),
                Question(field: "service", label: "Service", kind: .one(choices), isRequired: true),
                Question(
                    field: "minutes", label: "Minutes", hint: "how long it took", isRequired: true,
                    usual: { typed in
                        let service = services.first { $0.name == typed["service"] || $0.id == typed["service"] }
                        return service?.minutes.map { "\($0)" } ?? ""
                    },
                    check: { text throws(FieldError) in
                        "\(try Field.number(Int(text.dateTyped) ?? -1, in: SessionRules.minutes))"
                    }),
                Question(
                    field: "motives", label: "Motives", kind: .some(try terms(.motives, connection)), named: "--motive"),
                Question(field: "tools", label: "Tools", kind: .some(try terms(.tools, connection)), named: "--tool"),
                Question(
                    field: "fee", label: "Recovery fee", hint: "in \(caller.currency.code), such as 50",
                    check: { text throws(FieldError) in
                        "\(try Field.number(caller.currency.amount(text), in: SessionRules.fee))"
                    }),
                Question(
                    field: "notes", label: "Notes", kind: .text(draft: draft),
                    check: { text throws(FieldError) in try Field.text(text, limit: Field.notesLimit) }),
            ]
        }

        private func terms(
            _ vocabulary: Practice.ListTerms.Vocabulary, _ connection: DaemonConnection
        ) throws -> [Question.Choice] {
            try connection.call(Practice.ListTerms(vocabulary: vocabulary)).terms.filter(\.offered)
                .map { .init(value: $0.id, word: $0.word) }
        }
    }
}

/// A page about one session on the terminal.
struct SessionPage {
    let session: Records.Session
    let caller: CallerInfo
    let lookup: NameCache

    func text(columns: Int?, ink: Ink) throws(Failure) -> String {
        let head =
            "  \(ink.strong("Session \(session.number)"))\(ink.faint(" · \(Wording.date(session.on)) · \(session.id)"))\n\n"
        var facts = FactList()
        facts.add("Length", Wording.minutes(session.minutes))
        facts.add("Service", try lookup.service(session.service))
        facts.add("Motives", try lookup.terms(session.motives))
        facts.add("Tools", try lookup.terms(session.tools))
        facts.add("Recovery fee", session.fee.map { session.spelled(fee: $0, else: caller) })
        facts.add(Wording.capitalised(caller.therapist), try lookup.person(session.thanatologist))
        facts.add("Recorded", Wording.time(session.recorded, today: caller.today))
        if let voided = session.voided {
            let by = try session.voidedBy.map { person throws(Failure) in " by \(try lookup.person(person))" } ?? ""
            let why = session.voidReason.map { ": \($0)" } ?? ""
            facts.add("Voided", "\(Wording.time(voided, today: caller.today))\(by)\(why)")
        }
        var text = head + facts.text(columns: columns, ink: ink)
        if !session.notes.isEmpty { text += "\n" + indented(session.notes, columns) }
        for addendum in session.addenda {
            let by = "Addendum · \(Wording.time(addendum.at, today: caller.today)) · \(try lookup.person(addendum.by))"
            text += "\n  " + ink.faint(by) + "\n" + indented(addendum.text, columns)
        }
        return text
    }

    private func indented(_ text: String, _ columns: Int?) -> String {
        text.paragraphs(columns: columns.map { max(1, min($0, 84) - 4) }).map { "  \($0)\n" }.joined()
    }
}

extension Records.Session {
    /// The fee in the currency of the session's day.
    func spelled(fee: Int, else caller: CallerInfo) -> String {
        (currency.map { Currency($0) } ?? caller.currency).text(fee)
    }
}

extension Records.Turn {
    /// Nil from an older daemon, which does not send the day.
    fileprivate var asRule: (kind: RecordTurnKind, cause: ReopeningCause?, on: CalendarDay)? {
        guard let kind = RecordTurnKind(rawValue: what.rawValue), let day = on.flatMap({ CalendarDay($0) }) else {
            return nil
        }
        return (kind, why.flatMap { ReopeningCause(rawValue: $0.rawValue) }, day)
    }
}
