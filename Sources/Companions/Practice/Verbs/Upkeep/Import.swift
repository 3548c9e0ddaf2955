internal import ArgumentParser
import CSV
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Text
import Varlink

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "import", abstract: "Take clients, or sessions, in from a spreadsheet: whole, or not at all.",
        discussion: """
            FILE is text with commas, semicolons or tabs (CSV), and its first line names the columns:
              clients   name, born, phone, email, address, emergencyContact, referredBy, motive, timeZone, thanatologist,
                        since, account, and the practice's own fields
              sessions  client (number or name), on, minutes, service, motives, tools (words with semicolons between), fee
                        (an amount: 50, 50.50 or 50,50), notes
            Clients need name, thanatologist and the practice's required fields; sessions need client, on, minutes and service.
            --map born=Birthday reads a column by another name. Days are 2027-03-05. Columns of other names are passed over,
            and named. If a client's name is there already, or twice in the file, nothing is taken in without --namesakes; \
            if a session is, nothing without --again. At most 20,000 rows and 16 MB.
            """)

    enum Kind: String, ExpressibleByArgument, CaseIterable { case clients, sessions }

    @Argument(help: "clients or sessions.") var kind: Kind
    @Argument(help: "The spreadsheet as text; - reads it from standard input.") var file: String
    @Option(help: ArgumentHelp("Read this column by another name.", valueName: "name=column")) var map: [String] = []
    @Flag(help: "Only check: every fault is told with its line, and nothing is taken in.") var dryRun = false
    @Flag(help: "Take clients in although others have their names.") var namesakes = false
    @Flag(help: "Take sessions in although the clients have such sessions already.") var again = false
    @OptionGroup var daemon: DaemonOptions

    /// The rows of one check, after which the progress bar moves.
    private static let step = 100

    func run() throws {
        let table = try read()
        let connection = try daemon.connection()
        let names = try columns(of: table, try known(over: connection))
        let rows = table.rows.map { row in
            Upkeep.ImportedRow(
                line: row.line,
                values: Dictionary(uniqueKeysWithValues: names.map { name, column in (name, row.fields[column]) }))
        }
        let kind: Upkeep.Import.Kind = kind == .clients ? .clients : .sessions
        let found = try look(at: rows, kind, over: connection)
        let doubles = twice(in: rows) + text(of: found.namesakes) + text(of: found.repeated)
        let (error, others, option, isWished) =
            self.kind == .clients
            ? ("Namesakes", "people", "--namesakes", namesakes) : ("Repeated", "sessions", "--again", again)
        guard doubles.isEmpty || isWished else {
            throw Failure.refused(
                error,
                saying: doubles
                    + "Nothing was taken in. If they are other \(others), \(option) takes them in all the same.")
        }
        guard !dryRun else {
            if daemon.json { return Streams.output(object: found) }
            return Streams.output(
                doubles + Self.named(found.passedOver)
                    + "\(Self.counted(rows.count, kind)), and no fault. Nothing was taken in.\n")
        }
        try daemon.ask(Upkeep.Import(kind: kind, rows: rows), over: connection) { reply in
            Self.named(reply.passedOver)
                + "\(Self.counted(reply.rows, kind)) \(reply.rows == 1 ? "was" : "were") taken in.\n"
        }
    }

    /// A line for each row that says the same as an earlier one: a client's name, or a session's client, day, service and length.
    private func twice(in rows: [Upkeep.ImportedRow]) -> String {
        let columns = kind == .clients ? ["name"] : ["client", "on", "service", "minutes"]
        var lines: [[String]: Int] = [:]
        return rows.map { row in
            // Blanks beside a word mean nothing.
            let said = columns.map { column in
                (row.values[column] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").folded
            }
            guard let line = lines[said] else {
                lines[said] = row.line
                return ""
            }
            let who = kind == .clients ? "“\((row.values["name"] ?? "").shown.singleLine)”" : "This session"
            return "\(file.shown):\(row.line): \(who) stands on line \(line), too\n"
        }.joined()
    }

    /// A line for each client whose name others have.
    private func text(of namesakes: [Upkeep.Import.Reply.Namesakes]?) -> String {
        (namesakes ?? []).map { namesake in
            let numbers = namesake.numbers.prefix(5).map { "No. \($0)" }.joined(separator: ", ")
            return "\(file.shown):\(namesake.line): “\(namesake.name.shown.singleLine)” is there already: \(numbers)\n"
        }.joined()
    }

    /// A line for each session that is there already.
    private func text(of repeated: [Upkeep.Import.Reply.Repeated]?) -> String {
        (repeated ?? []).map { session in
            "\(file.shown):\(session.line): client No. \(session.client) has that already, as session \(session.number)\n"
        }.joined()
    }

    /// The columns that were not read.
    private static func named(_ passedOver: [String]?) -> String {
        guard let passedOver else { return "" }
        return "Passed over: \(quoted(passedOver)). --map reads a column by another name.\n"
    }

    private func read() throws -> CSVTable {
        do {
            let table = try CSVTable(try TextInput.bytes(of: file, limit: Self.longest))
            // The check goes by parts, and practiced would refuse the whole after it.
            let (rows, most) = (table.rows.count, ImportColumns.mostRows)
            guard rows <= most else {
                throw Failure.refused(
                    "TooManyRows",
                    saying: "\(file == "-" ? "Standard input" : file.shown) has \(rows) rows, and one import takes "
                        + "\(most): split it. Nothing was taken in.")
            }
            return table
        } catch let fault as CSVFault {
            throw Failure.refused("Faulty", saying: "\(file.shown):\(fault.line): \(fault.reason)")
        }
    }

    /// The largest spreadsheet, in bytes.
    private static let longest = 16 * 1_024 * 1_024

    /// The columns that the practice reads.
    private func known(over connection: DaemonConnection) throws(Failure) -> ImportColumns {
        guard kind == .clients else { return .sessions }
        let own = try connection.call(Records.ListFields()).fields
        return .clients.adding(own.map { (name: $0.name, isNeeded: $0.required) })
    }

    /// The index of each column, by its name in the practice.
    private func columns(
        of table: CSVTable, _ known: ImportColumns
    ) throws(Failure) -> [(name: String, column: Int)] {
        var wanted: [String: String] = [:]
        for pair in map {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, table.header.contains(parts[1]) else {
                throw .misused("--map takes NAME=COLUMN, and the file must have that column: \(pair.shown)")
            }
            guard known.names.contains(parts[0]) else {
                let names = known.names.map(\.shown).joined(separator: ", ")
                throw .misused("--map has no “\(parts[0].shown.singleLine)” for \(kind.rawValue). It has \(names).")
            }
            wanted[parts[1]] = parts[0]
        }
        let names = table.header.map { wanted[$0] ?? $0 }
        guard Set(names).count == names.count else {
            throw .refused("Faulty", saying: "\(file.shown):1: Two columns have one name.")
        }
        let missing = known.needed.filter { !names.contains($0) }
        guard missing.isEmpty else {
            throw .refused(
                "Faulty",
                saying: "\(file.shown):1: There is no column \(Self.quoted(missing)). The file has "
                    + "\(Self.quoted(table.header)). --map reads a column by another name.\nNothing was taken in.")
        }
        return names.enumerated().map { (name: $1, column: $0) }
    }

    private static func quoted(_ names: [String]) -> String {
        names.map { "“\($0.shown.singleLine)”" }.joined(separator: ", ")
    }

    /// Checks all rows, and returns what was found.
    private func look(
        at rows: [Upkeep.ImportedRow], _ kind: Upkeep.Import.Kind, over connection: DaemonConnection
    ) throws -> Upkeep.Import.Reply {
        var found = Upkeep.Import.Reply(rows: rows.count)
        let bar = ProgressBar("Looking", of: rows.count)
        var faults: [Upkeep.Faulty.Faults] = []
        for start in stride(from: 0, to: rows.count, by: Self.step) {
            let some = Array(rows[start..<min(start + Self.step, rows.count)])
            let reply = try connection.reply(to: Upkeep.Import(kind: kind, rows: some, dryRun: true))
            if let faulty = reply.decodeError(Upkeep.Faulty.self) {
                faults += faulty.faults
                found.passedOver = faulty.passedOver
            } else {
                let part = try connection.decode(Upkeep.Import.self, from: reply)
                found.passedOver = part.passedOver
                if let more = part.namesakes { found.namesakes = (found.namesakes ?? []) + more }
                if let more = part.repeated { found.repeated = (found.repeated ?? []) + more }
            }
            bar.show(start + some.count)
        }
        bar.end()
        guard !faults.isEmpty else { return found }
        let lines = faults.map { "\(file.shown):\($0.line): \($0.field.shown) \($0.reason.shown)\n" }
        throw Failure(
            refused: Upkeep.Faulty(faults: faults, passedOver: found.passedOver),
            saying: lines.joined() + Self.named(found.passedOver) + "Nothing was taken in.")
    }

    private static func counted(_ count: Int, _ kind: Upkeep.Import.Kind) -> String {
        Wording.counted(count, kind == .clients ? "client" : "session")
    }
}
