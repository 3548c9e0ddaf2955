internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Time
import Varlink

struct Enrol: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "enrol", abstract: "Enrol a client in a programme.",
        discussion: """
            The programme's first day is today unless --from names another. Its lessons open by their rules, its surveys on \
            their days; the breathing tasks are added to the client's homework.
            """)

    @Argument(help: ArgumentHelp(ClientName.help)) var client: String
    @Argument(help: ArgumentHelp(ProgrammeName.help)) var programme: String
    @Option(
        help: ArgumentHelp(
            "The first day: 2027-03-05, today, tomorrow or a weekday, which is the next.", valueName: "day"))
    var from: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        try caller.demand(.enrol)
        let client = try ClientName(client).client(over: connection)
        try client.demandOpen(true)
        let programme = try ProgrammeName.one(programme, over: connection)
        guard programme.offered else {
            throw Failure.refused(
                "NotOffered",
                saying:
                    "\(programme.name.shown.singleLine) is offered no more. `practice programme offer` offers it again."
            )
        }
        let call = Programmes.Enrol(
            client: client.id, programme: programme.id, from: try from.flatMap { try Self.day($0, caller.today) },
            key: CallKey.new())
        try daemon.ask(call, over: connection) { reply in
            "\(client.name.shown.singleLine) is enrolled in \(reply.enrolment.name.shown.singleLine), from "
                + "\(Wording.day(reply.enrolment.since, today: caller.today)), as \(reply.enrolment.id.shown).\n"
        }
    }

    /// Nil for today: without a day, the first one is that of the client's calendar, which may be another than the practice's.
    static func day(_ text: String, _ today: String) throws(Failure) -> String? {
        guard let spoken = SpokenDay(text), let today = CalendarDay(today) else {
            throw .misused("“\(text.shown)” is not a day: write it as 2027-03-05, or today, tomorrow or a weekday.")
        }
        return spoken == SpokenDay("today") ? nil : spoken.day(today: today, weekdays: .next).description
    }
}

struct Withdraw: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "withdraw", abstract: "Take a client out of a programme, with the reason.",
        discussion: """
            Surveys and tasks to come are gone. Answers and read marks stay. The client does not see the reason.
            """)

    @Argument(help: ArgumentHelp(ClientName.help)) var client: String
    @Argument(help: "Which programme, if there are several: its identifier, or part of its name.") var programme:
        String?
    @OptionGroup var options: ReasonOptions

    func run() throws {
        let connection = try options.daemon.connection()
        let client = try ClientName(client).client(over: connection)
        let enrolment = try Self.enrolment(programme, of: client, over: connection)
        let name = enrolment.name.shown.singleLine
        try options.send(
            "Take \(client.name) out of \(enrolment.name)", does: "ends it", draft: "withdraw",
            about: (client.id, client.name), over: connection
        ) { answers in
            Programmes.Withdraw(enrolment: enrolment.id, reason: answers["reason"] ?? "")
        } say: { _ in
            "\(client.name.shown.singleLine) is out of \(name). What was answered and read stays.\n"
        }
    }

    private static func enrolment(
        _ text: String?, of client: Records.Client, over connection: DaemonConnection
    ) throws(Failure) -> Programmes.Enrolment {
        let active = try connection.call(Programmes.ListEnrolments(client: client.id)).enrolments
        let found =
            text.map { text in
                active.filter { $0.id == text || $0.programme == text || $0.name.holds(text) }
            } ?? active
        guard !active.isEmpty else {
            throw .refused(
                "NoProgramme", saying: "\(client.name.shown.singleLine) takes part in no programme now.")
        }
        return try NameMatch.one(
            text, among: found, kind: "programme", plural: "programmes", name: \.name, mark: \.id,
            advice: "`practice enrolments \(client.number)` lists those of the client.")
    }
}

struct Enrolments: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "enrolments", abstract: "List a client's programmes: how far they are, and what waits.")

    @Argument(help: ArgumentHelp(ClientName.clientsHelp)) var client: String
    @Flag(help: "Those that have ended, too.") var past = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        let client = try ClientName(client).identifier(over: connection)
        let reply = try connection.reply(to: Programmes.ListEnrolments(client: client, past: past ? true : nil))
        let all = try connection.decode(Programmes.ListEnrolments.self, from: reply).enrolments
        guard !daemon.json else { return Streams.output(json: reply.parameters) }
        guard !all.isEmpty else {
            return output.print(
                "  \(past ? "There are none." : "There is none now.") `practice enrol CLIENT PROGRAMME` enrols a client.\n"
            )
        }
        output.print(
            EnrolmentTable(enrolments: all, today: caller.today).table.text(columns: output.columns, ink: output.ink))
    }
}

/// A client's enrolments, as a table.
struct EnrolmentTable {
    let enrolments: [Programmes.Enrolment]
    let today: String

    var table: Table {
        var table = Table([
            .init("", leads: true), .init("Programme", leads: true), .init("Since"), .init("State"),
            .init("Lessons read"), .init("Waits"), .init("Reason"),
        ])
        for enrolment in enrolments {
            table.rows.append([
                .init(enrolment.id, .faint), .init(enrolment.name.singleLine, .strong),
                .init(Wording.day(enrolment.since, today: today)), state(enrolment),
                .init("\(enrolment.lessonsRead) of \(enrolment.lessons)"), .init(waits(enrolment), .warm),
                .init(
                    (enrolment.reason ?? "").split(whereSeparator: \.isNewline).joined(separator: " ").cut(to: 60),
                    .faint),
            ])
        }
        return table
    }

    private func state(_ enrolment: Programmes.Enrolment) -> Table.Cell {
        let until = enrolment.until.map { " " + Wording.day($0, today: today) } ?? ""
        return switch enrolment.state {
        case .active: .init("under way")
        case .finished: .init("finished\(until)", .good)
        case .withdrawn: .init("withdrawn\(until)", .faint)
        }
    }

    private func waits(_ enrolment: Programmes.Enrolment) -> String {
        guard enrolment.state == .active else { return "" }
        let unread = max(0, (enrolment.unlocked ?? enrolment.lessonsRead) - enrolment.lessonsRead)
        let parts = [
            unread > 0 ? Wording.counted(unread, "lesson") : nil,
            (enrolment.surveysDue ?? 0) > 0 ? Wording.counted(enrolment.surveysDue ?? 0, "survey") : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}
