internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces

struct Sessions: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "sessions", abstract: "List a client's sessions, the newest first.")

    @Argument(help: ArgumentHelp(ClientName.help)) var client: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let client = try ClientName(client).identifier(over: connection)
        let sessions = try connection.sessions(of: client)
        guard !daemon.json else { return Streams.output(object: Records.ListSessions.Reply(sessions: sessions)) }
        let caller = try CallerInfo(over: connection)
        guard !sessions.isEmpty else {
            return Streams.output(
                "No session is recorded yet. `practice session add \(self.client.shown)` records one.\n")
        }
        let newest = sessions.sorted { ($0.on, $0.number) > ($1.on, $1.number) }
        let head =
            "  " + output.ink.strong("Sessions") + output.ink.faint(" · \(sessions.count { $0.voided == nil })")
            + "\n\n"
        output.print(
            try head
                + SessionTable(newest, caller, NameCache(connection)).table.text(
                    columns: output.columns, ink: output.ink))
    }
}

/// The table of sessions.
struct SessionTable {
    let table: Table

    init(_ sessions: [Records.Session], _ caller: CallerInfo, _ lookup: NameCache) throws(Failure) {
        var table = Table([
            .init("No.", isNumber: true, leads: true), .init("Day", leads: true), .init("Length", isNumber: true),
            .init("Service"), .init("Motives"), .init("Fee", isNumber: true), .init(""),
        ])
        for session in sessions {
            let tone: Table.Tone = session.voided == nil ? .plain : .faint
            let marks = [
                session.voided.map { _ in "voided" },
                session.addenda.isEmpty ? nil : Wording.counted(session.addenda.count, "addendum", "addenda"),
            ]
            table.rows.append([
                .init("\(session.number)", .faint), .init(Wording.date(session.on), tone),
                .init(Wording.minutes(session.minutes), tone), .init(try lookup.service(session.service), tone),
                .init(try lookup.terms(session.motives), tone),
                .init(session.fee.map { session.spelled(fee: $0, else: caller) } ?? "", tone),
                .init(marks.compactMap { $0 }.joined(separator: ", "), .warm),
            ])
        }
        self.table = table
    }
}
