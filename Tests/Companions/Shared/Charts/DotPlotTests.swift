import Foundation
import FoundationXML
import Testing
import Time

@testable import Companion

@Suite struct `Dots of scores` {
    private static let plot = DotPlot(
        rows: ["20", "10", "0"],
        dots: [
            .init(day: "2026-11-20", row: 0.4, name: "16 of 20"), .init(day: "2026-11-02", row: 2, name: "0 of 20"),
            .init(day: "2026-11-11", row: 7, name: "beyond"),
        ], isJoined: true, description: "0 on 2 November.")

    @Test func `dots are in the order of their days, and none is outside of the rows`() {
        #expect(Self.plot.dots.map(\.name) == ["0 of 20", "beyond", "16 of 20"])
        #expect(Self.plot.dots.map(\.row) == [2, 2, 0.4])
        #expect(Self.plot.span?.first == "2026-11-02" && Self.plot.span?.last == "2026-11-20")
    }

    @Test func `a row without a dot is drawn, and a dot between rows is on the nearer one`() {
        #expect(
            DotChart(Self.plot, columns: 50, ink: .plain).text == """
                  20 │                  ●
                  10 │
                  0  │●        ●
                     └───────────────────
                      2 November 2026 – 20 November 2026

                """)
    }

    @Test func `a line joins the dots of scores in the drawing, and its words are the plot's`() {
        let drawing = DotDrawing(Self.plot, title: "Scores").file
        #expect(XMLParser(data: Data(drawing.utf8)).parse())
        #expect(
            drawing.contains(
                "<polyline class=\"joint\" fill=\"none\" stroke-width=\"2\" points=\"160,119 443,119 726,64.6\"/>"))
        #expect(drawing.contains("<desc id=\"log-desc\">0 on 2 November.</desc>"))
        #expect(drawing.contains("<title>Friday 20 November 2026: 16 of 20</title>"))
    }
}
