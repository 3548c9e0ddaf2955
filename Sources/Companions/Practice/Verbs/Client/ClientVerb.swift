internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces

struct ClientVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Show, add or change one client's record.",
        subcommands: [
            Show.self, Add.self, Edit.self, Close.self, Reopen.self, Transfer.self, Invite.self, File.self, Export.self,
            Erase.self,
        ])
}

extension ClientVerb {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "show", abstract: "Show a client: who they are, and their sessions.")

        @Argument(help: ArgumentHelp(ClientName.clientsHelp)) var client: String
        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let client = try ClientName(client).client(over: connection)
            guard !daemon.json else { return Streams.output(object: Records.GetClient.Reply(client: client)) }
            let caller = try CallerInfo(over: connection)
            let lookup = NameCache(connection)
            let fields = try connection.call(Records.ListFields()).fields
            let sessions = caller.isTherapist ? try connection.sessions(of: client.id) : []
            let turns = caller.isTherapist ? try connection.call(Records.ListTurns(client: client.id)).turns : []
            let page = ClientPage(client: client, fields: fields, caller: caller, lookup: lookup)
            output.print(try page.text(sessions, turns, columns: output.columns, ink: output.ink))
        }
    }
}

/// A page about one client on the terminal.
struct ClientPage {
    let client: Records.Client
    let fields: [Records.ListFields.Reply.Fields]
    let caller: CallerInfo
    let lookup: NameCache

    /// The number of newest sessions on the page. `practice sessions` shows all.
    static let newest = 10

    func text(
        _ sessions: [Records.Session], _ turns: [Records.Turn], columns: Int?, ink: Ink
    ) throws(Failure) -> String {
        let head = "  \(ink.strong(client.name.shown.singleLine))\(ink.faint(" · No. \(client.number)"))\n\n"
        var text = head + (try facts().text(columns: columns, ink: ink))
        if caller.isTherapist { text += try self.sessions(sessions, columns: columns, ink: ink) }
        if turns.count > 1 {
            text +=
                "\n  " + ink.strong("The record") + "\n\n" + (try self.turns(turns).text(columns: columns, ink: ink))
        }
        return text
    }

    private func facts() throws(Failure) -> FactList {
        var facts = FactList()
        facts.add("Born", client.born.map { Wording.born($0, today: caller.today) })
        facts.add("Telephone", client.phone?.shown)
        facts.add("E-mail", client.email?.shown)
        facts.add("Account", client.account?.shown)
        facts.add("Address", client.address)
        facts.add("In an emergency", client.emergencyContact)
        facts.add("Referred by", client.referredBy)
        facts.add("Came because of", client.motive)
        for field in fields { facts.add(field.label.shown, client.extra[field.name]) }
        for name in ClientForm.formerFields(of: client, fields) where caller.may(.listClients) {
            facts.add(ClientForm.formerLabel(name), client.extra[name])
        }
        facts.add("Time zone", client.timeZone.shown)
        facts.add(Wording.capitalised(caller.therapist), try lookup.person(client.thanatologist))
        let since = "since \(Wording.date(client.since))"
        facts.add(
            "Record", client.open ? "open \(since)" : "closed on \(Wording.date(client.closedOn ?? "")), kept \(since)")
        if !caller.may(.seeCaseFile) { facts.add("All else", "is for the \(caller.therapist) and the client") }
        return facts
    }

    private func sessions(_ sessions: [Records.Session], columns: Int?, ink: Ink) throws(Failure) -> String {
        guard !sessions.isEmpty else {
            let advice = client.open ? " `practice session add \(client.number)` records one." : ""
            return "\n"
                + "No session is recorded yet.\(advice)"
                .paragraphs(columns: columns.map { $0 - 2 }).map { "  \($0)\n" }.joined()
        }
        let count = sessions.count { $0.voided == nil }
        let newest = sessions.sorted { ($0.on, $0.number) > ($1.on, $1.number) }.prefix(Self.newest)
        let head = "\n  " + ink.strong("Sessions") + ink.faint(" · \(count)") + "\n\n"
        let table = try SessionTable(Array(newest), caller, lookup).table.text(columns: columns, ink: ink)
        let more =
            sessions.count > newest.count
            ? ink.faint("  `practice sessions \(client.number)` shows all.") + "\n" : ""
        return head + table + more
    }

    private static func what(_ turn: Records.Turn) -> String {
        guard turn.what == .reopened else { return "\(turn.what)" }
        return turn.why == .return ? "reopened: a return" : "reopened: a mistake"
    }

    private func turns(_ turns: [Records.Turn]) throws(Failure) -> Table {
        var table = Table([.init("", leads: true), .init("", leads: true), .init(""), .init("")])
        for turn in turns {
            table.rows.append([
                .init(Wording.date(turn.on ?? turn.at), .faint), .init(Self.what(turn)),
                .init("by \(try lookup.person(turn.by))"),
                .init(turn.reason, .faint),
            ])
        }
        return table
    }
}
