internal import ArgumentParser
import Companion
import PracticeInterfaces
import StaffInterfaces
import Time

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "report", abstract: "Show what the practice counts, as bars, tables, or a page with all reports.",
        discussion: """
            Each report says under its numbers what they count. On a terminal it is a chart, else a plain table.
            """)

    /// The period of a report's numbers, as a flag: `--week`.
    enum Unit: String, EnumerableFlag {
        case week, month, year

        static func help(for value: Unit) -> ArgumentHelp? {
            value == .month ? "By \(value), which is usual." : "By \(value)."
        }
    }

    @Argument(
        help: ArgumentHelp("What to count: \(kinds.joined(separator: ", ")); left out: all of them."),
        completion: .list(kinds), transform: Self.kind)
    var kind: Reports.Kind?
    @Flag(exclusivity: .exclusive) var unit: Unit?
    @Option(
        help: ArgumentHelp(
            "The last period: 2026-W47, 2026-11 or 2026; left out: the one that runs.", valueName: "period"))
    var until: String?
    @Option(help: "How many periods, from 1 to 120; left out: 12.") var count: Int?
    @Option(
        name: .customLong("of"),
        help: ArgumentHelp("Of one thanatologist: an identifier, or part of the name.", valueName: "name"))
    var name: String?
    @Flag(help: "A series for each thanatologist.") var each = false
    @Flag(
        help: ArgumentHelp(
            "For people outside the practice: of months that are over, without numbers from 1 to 10, and without those from "
                + "which they follow."))
    var share = false
    @Flag(help: "A spreadsheet (RFC 4180).") var csv = false
    @Option(
        help: ArgumentHelp("Write the chart to FILE, a drawing; - is standard output.", valueName: "file"),
        completion: .file())
    var svg: String?
    @Option(
        help: ArgumentHelp(
            "Write charts and tables to FILE, a page that needs nothing else; - is standard output.", valueName: "file"),
        completion: .file())
    var html: String?
    @Flag(help: "Write over a file that is there already; --watch requires it for files that are no reports.")
    var force = false
    @Option(
        help: ArgumentHelp(
            "Keep pages, drawings and a spreadsheet of all reports current in the folder DIR, until Ctrl-C.",
            valueName: "dir"), completion: .directory)
    var watch: String?
    @Option(help: ArgumentHelp("With --watch: how often, in minutes.", valueName: "minutes")) var every = 15
    @Flag(help: "With --watch: once, for a timer.") var once = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    private static let kinds = Reports.Kind.allCases.map(\.rawValue)

    private static func kind(_ text: String) throws -> Reports.Kind {
        guard let kind = Reports.Kind(rawValue: text) else {
            throw ValidationError("There is no report “\(text.shown)”; there are \(kinds.joined(separator: ", ")).")
        }
        return kind
    }

    /// In minutes: the longest is a day.
    private static let intervals = 1...1_440

    func validate() throws {
        let forms = [
            ("--plain", output.plain), ("--csv", csv), ("--json", daemon.json), ("--svg", svg != nil),
            ("--html", html != nil), ("--watch", watch != nil),
        ].filter(\.1).map(\.0)
        guard forms.count < 2 else {
            throw ValidationError("\(forms[0]) and \(forms[1]) are two forms of a report: choose one.")
        }
        guard name == nil || !each else { throw ValidationError("--of and --each exclude each other.") }
        guard !share || (unit.map(\.rawValue) ?? untilsUnit?.rawValue ?? "month") == "month" else {
            throw ValidationError(
                "--share is of months alone: numbers of weeks or years beside them would tell those that are left out.")
        }
        guard svg == nil || kind != nil else {
            throw ValidationError("--svg draws one report: name it, as in `practice report attended --svg FILE`.")
        }
        guard watch == nil || (kind == nil && unit == nil && until == nil && count == nil) else {
            throw ValidationError("--watch keeps all reports, by week, month and year, up to now.")
        }
        guard watch != nil || (!once && every == 15) else {
            throw ValidationError("--every and --once go with --watch.")
        }
        guard Self.intervals.contains(every) else {
            throw ValidationError("--every takes minutes from 1 to \(Self.intervals.upperBound).")
        }
    }

    func run() throws {
        if let watch { return try keep(watch) }
        let connection = try daemon.connection()
        let query = try query(over: connection)
        if daemon.json { return Streams.output(json: try query.json(kind, over: connection)) }
        let reports = try query.reports(kind.map { [$0] } ?? Reports.Kind.allCases, over: connection)
        // Programs read it: it is UTF-8 whatever the terminal shows.
        if csv { return Streams.output(Array(ReportSheet(reports).text.utf8)) }
        if let svg {
            return try write(reports.map { BarDrawing($0.figures).file }.joined(), to: svg)
        }
        if let html {
            let caller = try CallerInfo(over: connection)
            return try write(ReportPage(reports: reports, query: query, caller: caller).text, to: html)
        }
        output.print(reports.map(text).joined(separator: "\n"))
    }

    private func query(over connection: DaemonConnection) throws(Failure) -> ReportQuery {
        let person = try name.map { name throws(Failure) in try PersonName(name).person(over: connection).id }
        let unit = unit.flatMap { Reports.Get.Period(rawValue: $0.rawValue) } ?? untilsUnit ?? .month
        return ReportQuery(
            unit: unit, until: until, count: count, thanatologist: person, isEach: each, isShared: share)
    }

    /// `--until 2026-W47` asks for weeks.
    private var untilsUnit: Reports.Get.Period? {
        until.flatMap { Period($0) }.flatMap { Reports.Get.Period(rawValue: $0.unit.rawValue) }
    }

    private func text(_ report: CountedReport) -> String {
        guard let columns = output.columns, !output.plain else { return report.figures.plain(columns: output.columns) }
        return BarChart(report.figures, columns: columns, ink: output.ink, isASCII: Streams.isASCII).text
    }

    private func write(_ text: String, to file: String) throws(Failure) {
        guard file != "-" else { return Streams.output(Array(text.utf8)) }
        let isThere = PrivateFile.existsUnlessForced(file)
        try PrivateFile.write(to: file, replacing: force, orSaying: isThere) { draft throws(Failure) in
            try draft.append(Array(text.utf8)[...])
        }
        Streams.output("Written to \(file.shown); only you can read it.\n")
    }

    private func keep(_ path: String) throws {
        let folder = ReportFolder(path: path, isPublic: share)
        try folder.make()
        if !force { try folder.checkOwn() }
        if let sentence = folder.keptShut { Streams.error(sentence + "\n") }
        try folder.keep(
            isOnce: once, pause: { [every] in Self.pause(minutes: every) },
            say: { $0.isRefusal ? Streams.error($0.text + "\n") : Streams.output($0.text + "\n") },
            pages: { () throws in
                let connection = try daemon.connection()
                let thanatologist = try query(over: connection).thanatologist
                return try ReportPages(
                    thanatologist: thanatologist, isEach: each, isShared: share, over: connection
                ).files
            })
    }
}
