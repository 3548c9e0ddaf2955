import Foundation
import FoundationXML
import TestSupport
import Testing
import Time

@testable import Companion

/// Reports that nobody would think of: random names, numbers, periods and widths.
@Suite struct `Random reports` {
    private static let names = [
        "clients", "=1+1", "<script>alert(1)</script>", "\u{1B}[2J\u{1B}]0;x\u{7}red", "a\u{202E}b", "穏やかな日々の会",
        "שלום עולם",
        "👩‍👩‍👧‍👦 family", "\"\u{301} onload=\"x", "<\u{338}b", "e\u{301}\u{301}\u{301}", "", " ", "\u{FFFF}\u{FFFE}\u{0}",
        "]]>",
        "a name that is so long that no chart of any width can ever have the room to show all of it at once",
        "x,\"y\"\r\nz",
    ]

    static func figures(_ random: inout SplitMix64) -> Figures {
        let count = Int.random(in: 0...40, using: &random)
        let start = CalendarDay(ordinal: .random(in: -719_162...2_900_000, using: &random))
        let unit = Period.Unit.allCases.randomElement(using: &random) ?? .week
        var periods: [Period] = []
        var day = start
        for _ in 0..<count {
            let period = Period(unit, with: day)
            periods.append(period)
            day = period.days.upperBound.next
        }
        func figure() -> Figure {
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: .withheld
            case 2: .none
            case 3:
                .number([0, -1, .infinity, -.infinity, .nan, 1e300, 1e-300, 0.05].randomElement(using: &random) ?? 0)
            default: .number(Double(Int.random(in: 0...1_000, using: &random)))
            }
        }
        func name() -> String { names.randomElement(using: &random) ?? "" }
        let sections = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let series = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                Figures.Series(name(), (0..<count).map { _ in figure() }, total: figure())
            }
            return Figures.Section(
                name(), unit: FigureUnit(name(), decimals: [nil, 0, 2, 3].randomElement(using: &random) ?? nil), series)
        }
        return Figures(
            id: "r\(count)", title: name(), definition: name(), periods: periods, running: periods.last,
            form: Bool.random(using: &random) ? .overTime : .shares, sections: sections)
    }

    @Test func `no line is wider than the terminal, and no control character is printed`() {
        var random = SplitMix64(seed: 20)
        for _ in 0..<400 {
            let figures = Self.figures(&random)
            for columns in [40, 57, 80, 200] {
                let texts = [
                    BarChart(figures, columns: columns, ink: .plain).text, figures.plain(columns: columns),
                ]
                for line in texts.joined(separator: "\n").split(separator: "\n") {
                    #expect(DisplayWidth.of(line) <= columns, "\(columns): \(line)")
                    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
                }
            }
        }
    }

    @Test func `each drawing is sound XML, and each page has no script and no address`() {
        var random = SplitMix64(seed: 21)
        for _ in 0..<300 {
            let figures = Self.figures(&random)
            let drawing = BarDrawing(figures).file
            #expect(XMLParser(data: Data(drawing.utf8)).parse(), "\(drawing)")
            let page = FiguresPage(title: figures.title, introduction: "x", reports: [figures]).text
            for forbidden in ["<script", "http:", "https:", "//", "url(", "@import", " onload=\"", "src="] {
                #expect(!page.contains(forbidden), "\(forbidden)")
            }
        }
    }
}
