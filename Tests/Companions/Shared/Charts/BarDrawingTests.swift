import Foundation
import FoundationXML
import Testing
import Time

@testable import Companion

@Suite struct `Drawings and pages of reports` {
    private static let records = SampleFigures.records

    @Test func `a drawing has its title and its numbers in words`() {
        let drawing = BarDrawing(Self.records).file
        #expect(
            drawing.hasPrefix(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 307" width="760" height="307" role="img" \
                aria-labelledby="records-title records-desc" font-family="system-ui, sans-serif" font-size="13">
                <title id="records-title">Records</title>
                <desc id="records-desc">opened: Jan 2026 3, Feb 2026 5, in all 8. closed: Jan 2026 1, Feb 2026 0, in all 1. \
                reopened: Jan 2026 none, Feb 2026 –, in all –.</desc>
                """))
    }

    @Test func `every text of a drawing is text, and every number of a bar is at its end`() throws {
        let texts = try Self.texts(of: BarDrawing(Self.records).file)
        #expect(
            texts == [
                "Records", "opened", "closed", "reopened", "3", "1", "5", "0", "–", "Jan", "2026", "Feb",
                "– stands for a number that is not shown.",
            ])
        #expect(
            try Self.texts(of: BarDrawing(SampleFigures.motives).file) == [
                "Motives", "Grief for a parent", "210", "Grief for a child", "25", "Loss", "–",
                "A session may have several.",
                "– stands for a number that is not shown.",
            ])
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var texts: [String] = []
        private var isText = false

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            isText = name == "text"
            if isText { texts.append("") }
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            isText = false
        }

        func parser(_ parser: XMLParser, foundCharacters characters: String) {
            if isText { texts[texts.count - 1] += characters }
        }
    }

    private static func texts(of drawing: String) throws -> [String] {
        let parser = XMLParser(data: Data(drawing.utf8))
        let reader = Reader()
        parser.delegate = reader
        #expect(parser.parse())
        return reader.texts
    }

    @Test func `a mark behind a quotation mark or an angle bracket does not hide it from the escaping`() {
        #expect("\"\u{301} <\u{338} & >".escapedForXML == "&quot;\u{301} &lt;\u{338} &amp; &gt;")
        #expect("a\u{0}b\u{FFFE}c\u{FFFF}d\te".escapedForXML == "abcd\te")
    }

    @Test func `the page of a report`() {
        let page = FiguresPage(
            title: "Clinic <at> the Park", introduction: "Reports by month.", reports: [Self.records],
            links: [(file: "weeks.html", name: "By week")]
        ).text
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"))
        let body = page.components(separatedBy: "<main>\n")[1]
        let table = body.components(separatedBy: "</figure>\n")
        #expect(
            table[0].components(separatedBy: "<figure")[0] == """
                <h1 dir="auto">Clinic &lt;at&gt; the Park</h1>
                <p dir="auto">Reports by month.</p>
                <nav>
                <a href="weeks.html">By week</a>
                </nav>
                <section id="records">
                <h2 dir="auto">Records</h2>

                """)
        #expect(
            table[1] == """
                <div class="tables">
                <div class="wide"><table><thead><tr><th scope="col">Period</th><th scope="col">opened</th><th scope="col">closed</th>\
                <th scope="col">reopened</th></tr></thead>
                <tbody>
                <tr><th scope="row" dir="auto">2026-01</th><td>3</td><td>1</td><td>none</td></tr>
                <tr><th scope="row" dir="auto">2026-02</th><td>5</td><td>0</td><td>–</td></tr>
                <tr><th scope="row" dir="auto">In all</th><td>8</td><td>1</td><td>–</td></tr>
                </tbody></table></div>
                </div>
                <p dir="auto">– stands for a number that is not shown.</p>
                </section>
                </main>
                </body>
                </html>

                """)
    }

    @Test func `bars that are too narrow for their numbers have a scale, and the newest period is named`() throws {
        let months = (0..<118).map { Period.month(year: 2017 + $0 / 12, month: $0 % 12 + 1) }
        let series = Figures.Series("clients", months.indices.map { Figure.number(Double($0 * 9)) }, total: .number(9))
        let figures = Figures(
            id: "attended", title: "Clients", definition: "", periods: months, running: nil, form: .overTime,
            sections: [.init("", unit: .init("clients"), [series])])
        let texts = try Self.texts(of: BarDrawing(figures).file)
        #expect(texts.prefix(2) == ["Clients", "1053"])
        #expect(texts.last == "Oct")
        #expect(texts.filter { $0 == "2026" }.count == 1)
    }

    @Test func `a wide table is printed in parts, each with the names of its rows`() {
        let periods = (1...20).map { Period.year(2_000 + $0) }
        let series = Figures.Series("a", periods.map { _ in .number(1) }, total: .number(20))
        let figures = Figures(
            id: "tools", title: "Tools", definition: "", periods: periods, running: nil, form: .shares,
            sections: [.init("", unit: .init("sessions"), [series])])
        let parts = FigureTable(figures.sections[0], of: figures).parts(of: 13)
        #expect(parts.map { $0.columns.count } == [14, 9])
        #expect(parts[1].columns == ["Sessions"] + (2_014...2_020).map { "\($0)" } + ["In all"])
        #expect(parts[1].rows == [["a"] + [String](repeating: "1", count: 7) + ["20"]])
    }
}
