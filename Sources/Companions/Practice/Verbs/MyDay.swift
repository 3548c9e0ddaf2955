internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Time
import Varlink

struct MyDay: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "today", abstract: "Show my day: who waits, who was seen today, and who is late with homework.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let who = try connection.reply(to: Practice.WhoAmI())
        let caller = CallerInfo(reply: try connection.decode(Practice.WhoAmI.self, from: who))
        guard !daemon.json else { return Streams.output(json: who.parameters) }
        let page = DayPage(caller: caller, columns: output.columns, ink: output.ink)
        output.print(try page.text(over: connection))
    }
}

/// The page of `practice` without a verb: the tasks of the caller's role.
struct DayPage {
    let caller: CallerInfo
    let columns: Int?
    let ink: Ink

    func text(over connection: DaemonConnection) throws(Failure) -> String {
        let body: String
        if caller.isTherapist {
            return try therapist(clients(over: connection), messages: messages(over: connection))
        } else if caller.may(.listClients) {
            let staff = caller.may(.seeStaff) ? try connection.staff() : []
            let services = try connection.call(Practice.ListServices()).services
            body = office(staff, services, try clients(over: connection))
        } else {
            body = visitor
        }
        return try head + "\n" + messages(over: connection) + body
    }

    /// The announcements, and the numbers of unread letters and messages.
    private func messages(over connection: DaemonConnection) throws(Failure) -> String {
        guard caller.reply.person != nil, caller.may(.mail) else { return "" }
        let (broadcasts, folders) = try connection.call(Mail.ListBroadcasts(), Mail.ListFolders())
        let rooms = caller.may(.chat) ? try connection.call(Chat.ListRooms()).rooms.filter { !$0.muted } : []
        let new = folders.folders.first { $0.role == "inbox" }?.unread ?? 0
        let urgent =
            new > 0 ? try connection.call(Mail.List(folder: "inbox", unread: true, urgent: true, limit: 1)).total : 0
        return messages(
            broadcasts.broadcasts, new: new, urgent: urgent,
            said: rooms.reduce(0) { $0 + $1.unread })
    }

    /// - Parameters:
    ///   - new: new letters.
    ///   - urgent: those of them that are urgent.
    ///   - said: new messages in rooms that are not muted.
    func messages(_ broadcasts: [Mail.Broadcast], new: Int, urgent: Int, said: Int) -> String {
        let announced = Announcements(broadcasts, today: caller.today, columns: columns, ink: ink).text()
        let hurry = urgent == 0 ? "" : ", \(urgent) of them urgent"
        let letters =
            new == 0 ? "" : lines("\(Wording.counted(new, "new letter"))\(hurry): `practice mail` reads them.")
        let talk = said == 0 ? "" : lines("\(Wording.counted(said, "new message")): `practice chat` shows them.")
        return [announced, letters + talk].filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
    }

    private func clients(over connection: DaemonConnection) throws(Failure) -> [Records.Row] {
        try connection.all {
            Records.ListClients(open: true, after: $0, limit: 200)
        } _: {
            ($0.clients, next: $0.next)
        }
    }

    private var head: String {
        let day = CalendarDay(caller.today).map { Wording.fullDay($0, today: nil) } ?? caller.today.shown
        let practice = caller.reply.practice.shown.singleLine
        let whole = "  \(practice) · \(day)"
        let isNarrow = columns.map { DisplayWidth.of(whole) > $0 } ?? false
        let first = "  " + ink.strong(practice)
        return (isNarrow ? "\(first)\n  \(ink.faint(day))" : first + ink.faint(" · \(day)")) + "\n"
    }

    /// A therapist's whole page. The clients who wait stand before everything else.
    ///
    /// - Parameter messages: the announcements and the numbers of unread letters and messages, as text.
    func therapist(_ rows: [Records.Row], messages: String) -> String {
        let start = head + "\n"
        guard !rows.isEmpty else {
            return start + messages + lines("You have no open clients. `practice client add` begins a record.")
        }
        let waiting = table("In the wait room", rows.filter(\.waiting))
        let rest =
            table("Seen today", rows.filter { $0.lastSession == caller.today })
            + table(
                "With something late or unread", rows.filter { ($0.late > 0 || $0.unread > 0) && !$0.waiting })
        let none =
            (waiting + rest).isEmpty
            ? lines("Nobody waits, nobody was seen today, and no shared homework is late.") + "\n" : ""
        let clients = Wording.counted(rows.count, "open client")
        return start + waiting + messages + none + rest
            + faint("\(clients): `practice clients`. `practice session add CLIENT` records a session.")
    }

    /// A table with its title and an empty line after it; empty without rows.
    private func table(_ title: String, _ rows: [Records.Row]) -> String {
        guard !rows.isEmpty else { return "" }
        let table = ClientTable.table(rows, caller, therapists: [:]).text(columns: columns, ink: ink)
        return "  " + ink.strong(title) + "\n" + table + "\n"
    }

    /// The first steps of a new practice; later its counts.
    func office(_ staff: [Practice.Person], _ services: [Practice.Service], _ rows: [Records.Row]) -> String {
        let isAdministrator = caller.may(.editStaff)
        let therapists = staff.count { $0.role == .thanatologist }
        let steps: [(isDone: Bool, what: String, how: String)] = [
            (
                staff.contains { $0.role == .administrator }, "An administrator of its own",
                "practice staff add --role administrator"
            ),
            (therapists > 0, "A \(caller.therapist)", "practice staff add --role thanatologist"),
            (!services.isEmpty, "What it offers", "practice service add"),
            (!rows.isEmpty, "A first client", "practice client add"),
        ]
        guard isAdministrator, steps.contains(where: { !$0.isDone }) else {
            var facts = FactList()
            facts.add("Staff", "\(staff.count): `practice staff`")
            facts.add("Clients", "\(rows.count) open: `practice clients`")
            facts.add("Services", "\(services.count): `practice services`")
            return facts.text(columns: columns, ink: ink)
        }
        let begin = lines("The practice is new. This is still to come, in this order:") + "\n"
        var table = Table([.init("", leads: true), .init("", leads: true), .init("")])
        table.rows = steps.map { step in
            [
                .init(step.isDone ? "✓" : "○", step.isDone ? .good : .faint),
                .init(step.what, step.isDone ? .faint : .strong), .init(step.isDone ? "" : "`\(step.how)`"),
            ]
        }
        return begin + table.text(columns: columns, ink: ink)
    }

    private var visitor: String {
        if caller.reply.person == nil {
            return lines(
                "Welcome. `practice services` shows what is offered. If you work here or are a client, ask an "
                    + "administrator to enter the name of your account.")
        }
        return lines(
            "`practice client file me --html --to FILE` writes all that is kept of you as a page to read or print. "
                + "`practice audit` shows who looked at your record. `practice services` shows what is offered.")
    }

    private func lines(_ text: String) -> String {
        text.paragraphs(columns: columns.map { $0 - 2 }).map { "  \($0)\n" }.joined()
    }

    private func faint(_ text: String) -> String {
        text.paragraphs(columns: columns.map { $0 - 2 }).map { "  \(ink.faint($0))\n" }.joined()
    }
}
