import Testing
import Time

@testable import Companion

/// Reports that the tests draw.
enum SampleFigures {
    static let months = (1...6).map { Period.month(year: 2026, month: $0) }

    static func known(_ values: Double...) -> [Figure] { values.map { .number($0) } }

    static let attended = Figures(
        id: "attended", title: "Clients with at least one session", definition: "People, each counted once.",
        periods: months, running: .month(year: 2026, month: 6), form: .overTime,
        sections: [
            .init(
                "", unit: .init("clients"),
                [.init("clients", known(12, 18, 0, 37, 1, 4), total: .number(52))])
        ])

    static let records = Figures(
        id: "records", title: "Records", definition: "", periods: Array(months.prefix(2)), running: nil,
        form: .overTime,
        sections: [
            .init(
                "", unit: .init("records"),
                [
                    .init("opened", known(3, 5), total: .number(8)), .init("closed", known(1, 0), total: .number(1)),
                    .init("reopened", [.none, .withheld], total: .withheld),
                ])
        ])

    static let motives = Figures(
        id: "motives", title: "Motives", definition: "A session may have several.", periods: months, running: nil,
        form: .shares,
        sections: [
            .init(
                "", unit: .init("sessions"),
                [
                    .init("Grief for a parent", known(10, 20, 30, 40, 50, 60), total: .number(210)),
                    .init("Grief for a child", known(5, 5, 0, 5, 5, 5), total: .number(25)),
                    .init("Loss", [.withheld, .none, .withheld, .withheld, .withheld, .number(20)], total: .withheld),
                ])
        ])

    static let fees = Figures(
        id: "fees", title: "Recovery fees", definition: "", periods: Array(months.prefix(2)), running: nil,
        form: .overTime,
        sections: [
            .init(
                "Given, EUR", unit: .init("EUR", decimals: 2),
                [.init("EUR", known(1_250.5, 0.99), total: .number(1_251.49))]),
            .init(
                "Sessions", unit: .init("sessions"),
                [
                    .init("none given", known(2, 3), total: .number(5)),
                    .init("nothing to give", known(0, 1), total: .number(1)),
                ]),
        ])

    static let services = Figures(
        id: "services", title: "Services", definition: "A session has one.", periods: months, running: nil,
        form: .shares,
        sections: [
            .init(
                "", unit: .init("sessions"),
                [
                    .init("Talk", known(10, 20, 30, 40, 50, 60), total: .number(210)),
                    .init("Walk", known(0, 0, 3, 4, 0, 1), total: .number(8)),
                ])
        ])

    static let tools = Figures(
        id: "tools", title: "Tools", definition: "A session may have several.", periods: months, running: nil,
        form: .shares,
        sections: [
            .init("", unit: .init("sessions"), [.init("A letter", known(1, 2, 3, 4, 5, 6), total: .number(21))])
        ])

    static let caseload = Figures(
        id: "caseload", title: "Caseload", definition: "", periods: months, running: .month(year: 2026, month: 6),
        form: .shares,
        sections: [
            .init(
                "", unit: .init("clients"),
                [
                    .init("Ana Ruiz", known(12, 12, 13, 14, 15, 11), total: .number(21)),
                    .init("Ben Sanz", known(0, 0, 2, 2, 3, 3), total: .number(4)),
                ])
        ])

    static let replies = Figures(
        id: "replies", title: "Hours to the first answer", definition: "", periods: Array(months.prefix(3)),
        running: nil, form: .overTime,
        sections: [
            .init(
                "Hours", unit: .init("hours", decimals: 2),
                [
                    .init("Median", [.number(1.25), .none, .number(3.5)], total: .number(2)),
                    .init("90th percentile", [.number(20.5), .none, .number(48)], total: .number(47.75)),
                ]),
            .init(
                "Waiting (conversations)", unit: .init("conversations"),
                [.init("Waiting", known(0, 0, 2), total: .number(2))]),
        ])

    /// One of each kind.
    static let all = [attended, fees, motives, services, tools, caseload, records, replies]

    static let nothing = Figures(
        id: "tools", title: "Tools", definition: "", periods: months, running: nil, form: .shares, sections: [])
}

@Suite struct `Bars on a terminal` {
    @Test func `eighths of a cell are rounded to the nearest, and a small value is seen`() {
        func length(_ value: Double, _ columns: Int = 10) -> Int {
            Eighths.length(of: value, largest: 100, columns: columns)
        }
        #expect(
            [0, 0.01, 0.6, 1.25, 50, 99.3, 99.4, 100, 250, -5].map { length($0) } == [
                0, 1, 1, 1, 40, 79, 80, 80, 80, 0,
            ])
        #expect(Eighths.length(of: 5, largest: 0, columns: 10) == 0)
        #expect(Eighths.length(of: 5, largest: 5, columns: 0) == 0)
        #expect((0...9).map(Eighths.bar) == ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█", "█▏"])
        for eighths in 0...400 { #expect(DisplayWidth.of(Eighths.bar(eighths)) == (eighths + 7) / 8) }
    }

    @Test func `a line of eighths tells zero from little and from unknown`() {
        #expect(Eighths.line([0, 1, 50, 100, nil]) == "▁▂▅█·")
        #expect(Eighths.line([0, 0]) == "▁▁")
        #expect(Eighths.line([nil]) == "·")
        #expect(Eighths.line([]) == "")
    }

    @Test func `a series over time has a bar for each period, and the running one is marked`() {
        #expect(
            BarChart(SampleFigures.attended, columns: 60, ink: .plain).text == """
                  Clients with at least one session

                  Jan 2026 ████████████▋ 12
                  Feb 2026 ███████████████████ 18
                  Mar 2026 0
                  Apr 2026 ███████████████████████████████████████ 37
                  May 2026 █ 1
                  Jun 2026 ████▎ 4 so far

                  Jan 2026 to Jun 2026: 52 clients.

                  People, each counted once.

                  Jun 2026 is not over yet.

                """)
    }

    @Test func `several series are grouped by period`() {
        #expect(
            BarChart(SampleFigures.records, columns: 40, ink: .plain).text == """
                  Records

                  Jan 2026
                    opened   █████████ 3
                    closed   ███ 1
                    reopened none
                  Feb 2026
                    opened   ███████████████ 5
                    closed   0
                    reopened –

                  Jan 2026 to Feb 2026: opened 8,
                  closed 1, reopened –.

                  – stands for a number that is not
                  shown.

                """)
    }

    @Test func `shares are bars with their trends, and on a narrow terminal long names stand above them`() {
        #expect(
            BarChart(SampleFigures.motives, columns: 70, ink: .plain).text == """
                  Motives

                  Grief for a parent ████████████████████████████████████ 210  ▂▃▅▆▇█
                  Grief for a child  ████▎ 25                                  ██▁███
                  Loss               –                                         ·····█

                  A session may have several.

                  – stands for a number that is not shown.

                """)
        #expect(
            BarChart(SampleFigures.motives, columns: 40, ink: .plain).text == """
                  Motives

                  Grief for a parent
                    ███████████████████████ 210  ▂▃▅▆▇█
                  Grief for a child
                    ██▊ 25                       ██▁███
                  Loss
                    –                            ·····█

                  A session may have several.

                  – stands for a number that is not
                  shown.

                """)
    }

    @Test func `money is shown in whole amounts, and each unit has bars of its own`() {
        #expect(
            BarChart(SampleFigures.fees, columns: 50, ink: .plain).text == """
                  Recovery fees

                  Given, EUR
                  Jan 2026 ████████████████████████ 1250.50
                  Feb 2026 ▏ 0.99

                  Jan 2026 to Feb 2026: 1251.49 EUR.

                  Sessions
                  Jan 2026
                    none given      ██████████████ 2
                    nothing to give 0
                  Feb 2026
                    none given      █████████████████████ 3
                    nothing to give ███████ 1

                  Jan 2026 to Feb 2026: none given 5, nothing to
                  give 1.

                """)
        let unit = FigureUnit("EUR", decimals: 2)
        #expect(
            ([0, 0.05, 0.99, 1, -0.05, 1e300, .nan] as [Double]).map { unit.text($0) } == [
                "0.00", "0.05", "0.99", "1.00", "-0.05", "9999999999999.99", "0.00",
            ])
        #expect(FigureUnit("JPY", decimals: 0).text(5_000) == "5000")
        #expect(FigureUnit("BHD", decimals: 3).text(0.005) == "0.005")
        #expect(FigureUnit("hours").text(4.25) == "4.3")
    }

    @Test func `a report of nothing says so`() {
        let text = """
              Tools

              Nothing was recorded in this time.

            """
        #expect(BarChart(SampleFigures.nothing, columns: 60, ink: .plain).text == text)
        #expect(SampleFigures.nothing.plain(columns: nil) == text)
    }

    @Test func `in the C locale a chart is ASCII of the same width`() {
        for figures in [SampleFigures.attended, SampleFigures.records, SampleFigures.motives, SampleFigures.fees] {
            let text = BarChart(figures, columns: 60, ink: .plain, isASCII: true).text
            #expect(!text.ascii.contains("?"))
            #expect(
                text.split(separator: "\n").map { DisplayWidth.of($0) }
                    == text.ascii.split(separator: "\n").map { DisplayWidth.of($0) })
        }
        #expect(
            BarChart(SampleFigures.records, columns: 40, ink: .plain, isASCII: true).text.ascii.hasPrefix(
                """
                  Records

                  Jan 2026
                    opened   ######### 3
                    closed   ### 1
                    reopened none

                """))
    }

    @Test func `colours are of the ink alone`() {
        #expect(!BarChart(SampleFigures.attended, columns: 60, ink: .plain).text.contains("\u{1B}"))
        let lit = BarChart(SampleFigures.attended, columns: 60, ink: Ink(isOn: true)).text.split(separator: "\n")
        #expect(lit[1] == "  Jan 2026 \u{1B}[33m████████████▋\u{1B}[0m 12")
        #expect(lit[6] == "  Jun 2026 \u{1B}[2m████▎\u{1B}[0m 4\u{1B}[2m so far\u{1B}[0m")
    }

    @Test func `the plain table has a row for each period, or for each share`() {
        #expect(
            SampleFigures.records.plain(columns: nil) == """
                  Records

                  Period   opened  closed  reopened
                  2026-01       3       1      none
                  2026-02       5       0         –
                  In all        8       1         –

                  – stands for a number that is not shown.

                """)
        #expect(
            SampleFigures.motives.plain(columns: nil) == """
                  Motives

                  Sessions            2026-01  2026-02  2026-03  2026-04  2026-05  2026-06  In all
                  Grief for a parent       10       20       30       40       50       60     210
                  Grief for a child         5        5        0        5        5        5      25
                  Loss                      –     none        –        –        –       20       –

                  A session may have several.

                  – stands for a number that is not shown.

                """)
        #expect(
            SampleFigures.fees.plain(columns: 40) == """
                  Recovery fees

                  Given, EUR
                  Period       EUR
                  2026-01  1250.50
                  2026-02     0.99
                  In all   1251.49

                  Sessions
                  Period   none given  nothing to give
                  2026-01           2                0
                  2026-02           3                1
                  In all            5                1

                """)
    }
}
