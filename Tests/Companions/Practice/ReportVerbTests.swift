import ArgumentParser
import CSV
import Foundation
import Glibc
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import Companion
@testable import PracticeCompanion

/// The real `practice report`, on the real practiced.
@Suite struct `The verb report` {
    /// A practice with four sessions in 2025, of which one is without a fee and one is voided.
    private func practice() throws -> RealPractice {
        let practice = try RealPractice()
        try practice.begin(isMadeUp: true)
        let ana = try practice.connection(as: "p2")
        let olga = try practice.connection(as: "p1")
        let service = try olga.call(Practice.AddService(category: "Care", name: "Grief, 50 min", description: ""))
            .service.id
        let loss = try olga.call(Practice.AddTerm(vocabulary: .motives, word: "Duelo – <b>")).term.id
        let clients = try ["Cleo", "Ibrahim"].map {
            try ana.call(Records.AddClient(name: $0, since: "2025-01-01")).client.id
        }
        let sessions: [(client: Int, day: String, fee: Int?)] = [
            (0, "2025-11-03", 4_550), (0, "2025-11-10", 0), (1, "2025-12-01", nil), (1, "2025-12-02", 9),
        ]
        for (client, day, fee) in sessions {
            let session = try ana.call(
                Records.AddSession(
                    client: clients[client], on: day, minutes: 50, service: service, motives: [loss], tools: [],
                    fee: fee, notes: ""))
            if fee == 9 { _ = try ana.call(Records.VoidSession(session: session.session.id, reason: "Twice.")) }
        }
        return practice
    }

    @Test func `a pipe gets the plain table, with the definition below it`() throws {
        let practice = try practice()
        #expect(
            try practice.says("report", "fees", "--until", "2025-12", "--count", "2") == """
                  Recovery fees, by month, of Ana Ruiz

                  EUR
                  Period     EUR
                  2025-11  45.50
                  2025-12   0.00
                  In all   45.50

                  Sessions
                  Period   None given  Nothing to give
                  2025-11           1                0
                  2025-12           0                1
                  In all            1                1

                  Recovery fees given for sessions, each currency by itself. None given: sessions that were recorded with a fee of \
                0. Nothing to give: sessions that were recorded without a fee. A session counts on its day, and not at all once it \
                was voided.

                """)
        #expect(
            try practice.says("report", "attended", "--until", "2025", "--count", "1", "--plain") == """
                  Clients with a session, by year, of Ana Ruiz

                  Period  clients
                  2025          2

                  Clients with at least one session in the period. They are people: a client with ten sessions counts once in \
                each period, and once in the total, which is therefore not the sum. A session counts on its day, and not at all \
                once it was voided.

                """)
    }

    @Test func `the same numbers as a spreadsheet, as JSON, and as a drawing`() throws {
        let practice = try practice()
        let words = ["report", "motives", "--until", "2025-12", "--count", "2"]
        let sheet = try practice.run(words + ["--csv"], input: nil).output
        #expect(
            sheet == "report,part,series,unit,not over,2025-11,2025-12,in all\r\n"
                + "motives,,Duelo – <b>,sessions,,2,1,3\r\n")
        #expect(
            try practice.run(words + ["--json"], input: nil).output
                == #"{"definition":"Sessions by their motives. A session with several counts once for each. A session counts "#
                + #"on its day, and not at all once it was voided.","first":"2025-11-01","last":"2025-12-31","periods":["#
                + #""2025-11","2025-12"],"series":[{"name":"Duelo – <b>","thanatologist":"p2","thanatologistName":"#
                + #""Ana Ruiz","total":3,"values":[2,1]}],"title":"Sessions by motive, by month","unit":"sessions"}"#
                + "\n")
        let drawing = try practice.run(words + ["--svg", "-"], input: nil).output
        practice.also["LANG"] = "C"
        #expect(try practice.run(words + ["--csv"], input: nil).output == sheet)
        #expect(drawing == BarDrawing(try reports(practice, words: 2)[2].figures).file)
    }

    @Test func `a hidden character of a word is an escape in the JSON of one report and of all`() throws {
        let practice = try practice()
        let (ana, olga) = (try practice.connection(as: "p2"), try practice.connection(as: "p1"))
        let service = try olga.call(Practice.AddService(category: "Care", name: "Walk", description: "")).service.id
        let motive = try olga.call(Practice.AddTerm(vocabulary: .motives, word: "👩\u{200D}👧")).term.id
        let client = try ana.call(Records.AddClient(name: "Dora", since: "2025-01-01")).client.id
        _ = try ana.call(
            Records.AddSession(
                client: client, on: "2025-12-03", minutes: 50, service: service, motives: [motive], tools: [], notes: ""
            ))
        for words in [["report"], ["report", "motives"]] {
            let json = try practice.run(words + ["--until", "2025-12", "--count", "1", "--json"], input: nil).output
            #expect(json.contains(#""name":"👩\u200d👧""#) && json.hasSuffix("}\n"), "\(json)")
            #expect(!json.unicodeScalars.contains("\u{200D}"))
        }
    }

    @Test func `under each of the eight tables, and on the page, stands what its numbers count`() throws {
        let practice = try practice()
        let page = try practice.run("report", "--until", "2025-12", "--count", "2", "--html", "-").output
        for kind in ReportKind.allCases {
            let said = try practice.says("report", kind.rawValue, "--until", "2025-12", "--count", "2")
            #expect(said.hasSuffix("\n\n  \(kind.definition())\n"), "\(kind)")
            #expect(page.contains(kind.definition()), "\(kind)")
        }
    }

    private func reports(_ practice: RealPractice, words count: Int) throws -> [CountedReport] {
        let query = ReportQuery(unit: .month, until: "2025-12", count: count)
        return try query.reports(Reports.Kind.allCases, over: practice.connection(as: "p2"))
    }

    @Test func `a page and a drawing are written for their owner alone, and over nothing`() throws {
        let practice = try practice()
        let file = practice.folder + "/all.html"
        #expect(
            try practice.says("report", "--until", "2025-12", "--html", file)
                == "Written to \(file); only you can read it.\n")
        var found = stat()
        #expect(stat(file, &found) == 0 && found.st_mode & 0o777 == 0o600)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.components(separatedBy: "<section").count - 1 == 8)
        #expect(
            try practice.run("report", "fees", "--html", file)
                == .init(
                    error: "\(file) is there already and was left as it is; --force writes over it.\n", status: 1))
        try practice.says("report", "fees", "--until", "2025-12", "--html", file, "--force")
        #expect(try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "<section").count - 1 == 1)
    }

    @Test func `a folder of all reports is made once for a timer`() throws {
        let practice = try practice()
        let folder = practice.folder + "/pages"
        #expect(try practice.says("report", "--watch", folder, "--once") == "12 files in \(folder) changed.\n")
        let kinds = Reports.Kind.allCases.map { "\($0.rawValue).svg" }
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder))
                == Set(kinds + ["index.html", "weeks.html", "years.html", "reports.csv"]))
        #expect(try practice.says("report", "--watch", folder, "--once") == "")
        #expect(try Self.notOver(folder + "/reports.csv").contains(practice.today().prefix(7).description))
        let shared = try practice.run("report", "--watch", folder, "--once", "--share")
        #expect(shared.output.hasSuffix(" files in \(folder) changed.\n") && shared.status == 0)
        #expect(
            shared.error == """
                The folder \(folder) was there already, and keeps other users out; `chmod go+rx \(folder)` opens it.

                """)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder))
                == Set(kinds + ["index.html", "reports.csv"]))
        // The running month would tell each session that is added.
        #expect(try Self.notOver(folder + "/reports.csv") == [""])
    }

    @Test func `the page of a web site is no report, and is replaced only by force`() throws {
        let practice = try practice()
        let folder = practice.folder + "/site"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let page = "<!DOCTYPE html>\n<title>Our clinic</title>\n"
        try page.write(toFile: folder + "/index.html", atomically: true, encoding: .utf8)
        #expect(
            try practice.run("report", "--watch", folder, "--once")
                == .init(
                    error: "In \(folder), these are not files of `practice report`: index.html. Name another folder; "
                        + "--force replaces them.\n", status: 1))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["index.html"])
        #expect(try String(contentsOfFile: folder + "/index.html", encoding: .utf8) == page)
        #expect(
            try practice.says("report", "--watch", folder, "--once", "--force") == "12 files in \(folder) changed.\n")
        #expect(try practice.says("report", "--watch", folder, "--once") == "")
    }

    /// The values of the column of periods that are not over.
    private static func notOver(_ file: String) throws -> Set<String> {
        let table = try CSVTable(Array(Data(contentsOf: URL(filePath: file))), separator: UInt8(ascii: ","))
        return Set(table.rows.map { $0.fields[4] })
    }

    @Test func `the chart fits the terminal, with and without UTF-8`() throws {
        let practice = try practice()
        let words = "report fees --until 2025-12 --count 2 --no-pager"
        for columns in [40, 200] {
            let pane = try practice.pane(words, columns: columns, rows: 60)
            pane.waits { pane.picture().contains("= 0") }
            let text = pane.picture()
            #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of($0) <= columns }, "\(text)")
        }
    }

    @Test(arguments: [
        (
            ["report", "fee"],
            "The value 'fee' is invalid for '<kind>': There is no report “fee”; there are attended, fees, motives, services, tools, caseload, records, replies."
        ),
        (["report", "fees", "--csv", "--json"], "--csv and --json are two forms of a report: choose one."),
        (["report", "fees", "--of", "Ana", "--each"], "--of and --each exclude each other."),
        (
            ["report", "fees", "--share", "--week"],
            "--share is of months alone: numbers of weeks or years beside them would tell those that are left out."
        ),
        (
            ["report", "--share", "--until", "2025"],
            "--share is of months alone: numbers of weeks or years beside them would tell those that are left out."
        ),
        (["report", "--svg", "x"], "--svg draws one report: name it, as in `practice report attended --svg FILE`."),
        (["report", "fees", "--watch", "x"], "--watch keeps all reports, by week, month and year, up to now."),
        (["report", "fees", "--once"], "--every and --once go with --watch."),
        (["report", "--watch", "x", "--every", "0"], "--every takes minutes from 1 to 1440."),
    ])
    func `words that contradict each other are refused before anybody is asked`(words: [String], sentence: String) {
        let error = #expect(throws: (any Error).self) { try Verbs.command(words, of: PracticeVerbs.self) }
        #expect(error.map { PracticeVerbs.message(for: $0) } == sentence)
        #expect(error.map { PracticeVerbs.exitCode(for: $0) } == .validationFailure)
    }

    @Test func `a period of another form, and one to come, are refused by name`() throws {
        let practice = try practice()
        #expect(
            try practice.run("report", "fees", "--week", "--until", "2025-12")
                == .init(error: "--until must be a week such as 2027-W09.\n", status: 1))
        #expect(
            try practice.run("report", "fees", "--count", "121").status == 1)
    }

    @Test func `the help names every report, and a completion script offers them`() throws {
        let help = PracticeVerbs.helpMessage(for: Report.self, columns: 80)
        #expect(
            help.components(separatedBy: "  --plain")[0] == """
                OVERVIEW: Show what the practice counts, as bars, tables, or a page with all
                reports.

                Each report says under its numbers what they count. On a terminal it is a
                chart, else a plain table.

                USAGE: practice report [<options>] [<kind>]

                ARGUMENTS:
                  <kind>                  What to count: attended, fees, motives, services,
                                          tools, caseload, records, replies; left out: all of
                                          them.

                OPTIONS:
                  --week                  By week.
                  --month                 By month, which is usual.
                  --year                  By year.
                  --until <period>        The last period: 2026-W47, 2026-11 or 2026; left out:
                                          the one that runs.
                  --count <count>         How many periods, from 1 to 120; left out: 12.
                  --of <name>             Of one thanatologist: an identifier, or part of the
                                          name.
                  --each                  A series for each thanatologist.
                  --share                 For people outside the practice: of months that are
                                          over, without numbers from 1 to 10, and without those
                                          from which they follow.
                  --csv                   A spreadsheet (RFC 4180).
                  --svg <file>            Write the chart to FILE, a drawing; - is standard
                                          output.
                  --html <file>           Write charts and tables to FILE, a page that needs
                                          nothing else; - is standard output.
                  --force                 Write over a file that is there already; --watch
                                          requires it for files that are no reports.
                  --watch <dir>           Keep pages, drawings and a spreadsheet of all reports
                                          current in the folder DIR, until Ctrl-C.
                  --every <minutes>       With --watch: how often, in minutes. (default: 15)
                  --once                  With --watch: once, for a timer.

                """)
        let script = PracticeVerbs.completionScript(for: .bash)
        #expect(script.contains(Reports.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: #"$'\n'"#)))
    }
}
