internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces

struct Clients: ParsableCommand {
    static let configuration = CommandConfiguration.verb("clients", abstract: "List my clients.")

    enum Part: EnumerableFlag {
        case closed, all

        static func help(for part: Part) -> ArgumentHelp? {
            switch part {
            case .closed: "Those whose record is closed."
            case .all: "Those whose record is open, and those whose record is closed."
            }
        }

        var isOpen: Bool? { self == .closed ? false : nil }
    }

    @Argument(help: "Part of a name, or a number; - reads it from standard input.") var part: String?
    @Flag var records: Part?
    @Option(help: ArgumentHelp("Only this therapist's clients.", valueName: "person")) var of: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        if of != nil, try !CallerInfo(over: connection).isForAll {
            throw Failure.misused("--of is for administrators and support: the list has only your own clients.")
        }
        let query = try part.map(TextInput.word)
        let therapist = try of.map { try PersonName($0).person(over: connection) }
        let open = records == nil ? true : records?.isOpen
        func page(_ after: String?) -> Records.ListClients {
            Records.ListClients(open: open, thanatologist: therapist?.id, query: query, after: after, limit: 200)
        }
        let (who, first) = try connection.call(Practice.WhoAmI(), page(nil))
        let rows = try connection.all(after: first, page) { ($0.clients, next: $0.next) }
        guard !daemon.json else {
            return Streams.output(object: Records.ListClients.Reply(clients: rows, total: rows.count))
        }
        let caller = CallerInfo(reply: who)
        let names = caller.isForAll ? try NameCache(connection).therapists(of: rows) : [:]
        output.print(
            ClientTable(rows, caller, therapists: names, records: records, query: query, therapist: therapist?.name)
                .text(columns: output.columns, ink: output.ink))
    }
}

extension CallerInfo {
    /// True for administrators and support, who see all clients with their therapists.
    var isForAll: Bool { may(.listClients) && !may(.keepRecords) }
    var isTherapist: Bool { may(.keepRecords) }
}

extension NameCache {
    /// The names of the clients' thanatologists, by identifier.
    func therapists(of rows: [Records.Row]) throws(Failure) -> [String: String] {
        var names: [String: String] = [:]
        for row in rows where names[row.thanatologist] == nil {
            names[row.thanatologist] = try person(row.thanatologist)
        }
        return names
    }
}

/// The table of clients.
struct ClientTable {
    let rows: [Records.Row]
    let caller: CallerInfo
    let therapists: [String: String]
    let records: Clients.Part?
    let query: String?
    /// The one whose clients alone are listed.
    let therapist: String?

    init(
        _ rows: [Records.Row], _ caller: CallerInfo, therapists: [String: String] = [:], records: Clients.Part? = nil,
        query: String? = nil, therapist: String? = nil
    ) {
        self.rows = rows
        self.caller = caller
        self.therapists = therapists
        self.records = records
        self.query = query
        self.therapist = therapist
    }

    func text(columns: Int?, ink: Ink) -> String {
        guard !rows.isEmpty else { return none.paragraphs(columns: columns).joined(separator: "\n") + "\n" }
        let name = caller.isForAll ? "Clients" : "My clients"
        let head = "  " + ink.strong(name) + ink.faint(" · \(count)")
        return head + "\n\n" + Self.table(rows, caller, therapists: therapists).text(columns: columns, ink: ink)
    }

    static func table(_ rows: [Records.Row], _ caller: CallerInfo, therapists: [String: String]) -> Table {
        var table = Table([
            .init("No.", isNumber: true, leads: true), .init("Name", leads: true),
            .init(Wording.capitalised(caller.therapist)), .init("Sessions", isNumber: true), .init("Last"), .init(""),
        ])
        table.rows = rows.map { row in
            [
                .init("\(row.number)", .faint), .init(row.name, row.open ? .strong : .faint),
                .init(caller.isForAll ? therapists[row.thanatologist] ?? row.thanatologist : ""),
                .init(row.sessions > 0 ? "\(row.sessions)" : ""),
                .init(row.lastSession.map { Wording.day($0, today: caller.today) } ?? ""), state(row),
            ]
        }
        return table
    }

    private static func state(_ row: Records.Row) -> Table.Cell {
        let states = [
            row.waiting ? "in the wait room" : nil, row.late > 0 ? "\(row.late) late" : nil,
            row.unread > 0 ? "\(row.unread) unread" : nil, row.open ? nil : "closed",
        ]
        return .init(states.compactMap { $0 }.joined(separator: ", "), row.open ? .warm : .faint)
    }

    private var count: String {
        let kind = records == .all ? "" : records == .closed ? " closed" : " open"
        let with = query.map { " with “\($0.shown)”" } ?? ""
        return "\(rows.count)\(kind)\(with)"
    }

    private var none: String {
        if let query {
            let more = records == .all ? "" : " `practice clients --all` looks at closed records, too."
            return "There is no client with “\(query.shown)” in their name.\(more)"
        }
        if let therapist {
            let kind = records == .all ? "" : records == .closed ? " closed" : " open"
            return "\(therapist.shown.singleLine) has no\(kind) clients."
        }
        switch records {
        case .closed: return "No record is closed."
        case .all, nil:
            let begin = caller.may(.addClients) ? " `practice client add` begins a record." : ""
            return caller.isForAll ? "No client has an open record yet.\(begin)" : "You have no open clients.\(begin)"
        }
    }
}
