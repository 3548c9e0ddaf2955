internal import ArgumentParser
import Companion
import PracticeInterfaces

struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "audit", abstract: "Show the audit: who read or changed a record, newest first.")

    @Option(help: ArgumentHelp("Only the actions of this person.", valueName: "person")) var by: String?
    @Option(help: ArgumentHelp("Only entries about this client.", valueName: "client")) var client: String?
    @Option(help: ArgumentHelp("Only from that day on: 2027-03-05, yesterday or a weekday.", valueName: "day"))
    var since: String?
    @Option(help: ArgumentHelp("Only up to that day.", valueName: "day")) var until: String?
    @Option(help: "The most entries to show.") var limit = 100
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    /// The most entries that a person reads.
    private static let mostEntries = 100_000

    func run() throws {
        guard (1...Self.mostEntries).contains(limit) else {
            throw Failure.misused("--limit takes a number from 1 to \(Self.mostEntries).")
        }
        let connection = try daemon.connection()
        let person = try by.map { try PersonName($0).person(over: connection).id }
        let client = try client.map { try ClientName($0).identifier(over: connection) }
        let caller = try CallerInfo(over: connection)
        let (since, until) = (since.map(caller.day), until.map(caller.day))
        if let since, let until, since > until {
            throw Failure.misused("--since is after --until: nothing lies between.")
        }
        var entries: [Practice.Entry] = []
        var after: String?
        repeat {
            let page = try connection.call(
                Practice.Audit(
                    person: person, client: client, since: since, until: until, after: after,
                    limit: max(1, min(200, limit - entries.count))))
            entries += page.entries
            after = page.next
        } while after != nil && entries.count < limit
        guard !daemon.json else { return Streams.output(object: Practice.Audit.Reply(entries: entries, next: after)) }
        guard !entries.isEmpty else { return Streams.output("Nothing of that is recorded.\n") }
        let table = Self.table(entries, caller)
        let more =
            after == nil
            ? ""
            : output.ink.faint("  There is more: --limit \(min(limit * 10, Self.mostEntries)) shows more of it.") + "\n"
        output.print(table.text(columns: output.columns, ink: output.ink) + more)
    }

    /// Root, or a stranger at the gate.
    private static func nobody(_ entry: Practice.Entry) -> String {
        entry.through.hasPrefix("ssh") ? "somebody" : "root"
    }

    /// The identifier stands for a name that the caller may not know, or that was erased.
    static func table(_ entries: [Practice.Entry], _ caller: CallerInfo) -> Table {
        var table = Table([
            .init("When", leads: true), .init("Who"), .init("Did"), .init("Client"), .init("What"),
            .init("Through"),
        ])
        for entry in entries {
            table.rows.append([
                .init(Wording.time(entry.at, today: caller.today), .faint),
                .init((entry.personName ?? entry.person ?? nobody(entry)).shown.singleLine, .strong),
                .init(entry.did),
                .init((entry.clientName ?? entry.client ?? "").shown.singleLine),
                .init(entry.what ?? ""), .init(entry.through, .faint),
            ])
        }
        return table
    }
}
