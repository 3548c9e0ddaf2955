import Companion
import PracticeInterfaces
import StaffInterfaces

/// Reports on one page.
struct ReportPage {
    let reports: [CountedReport]
    let query: ReportQuery
    let caller: CallerInfo
    var links: [(file: String, name: String)] = []

    /// The first words below the title.
    static func introduction(_ unit: Reports.Get.Period) -> String { "Reports by \(unit.rawValue)" }

    var text: String {
        let counted = Wording.date(caller.today)
        let span = reports.first.map { ", \($0.figures.span)" } ?? ""
        return FiguresPage(
            title: caller.reply.practice,
            introduction: "\(Self.introduction(query.unit))\(span), as recorded by \(counted).",
            reports: reports.map(\.figures), links: links
        ).text
    }
}

/// The files of a folder of reports: a page for each kind of period, and of the months a drawing of each report and a
/// spreadsheet.
///
/// Shared ones are of months alone, and of months that are over: the numbers of weeks, and of a month from one quarter of an hour
/// to the next, could be subtracted from each other.
struct ReportPages {
    let files: [(name: String, text: String)]

    static let pages: [(unit: Reports.Get.Period, file: String, name: String)] = [
        (.month, "index.html", "By month"), (.week, "weeks.html", "By week"), (.year, "years.html", "By year"),
    ]

    private static let sheet = "reports.csv"
    private static func drawing(_ kind: Reports.Kind) -> String { "\(kind.rawValue).svg" }

    /// All files that a folder may have, each with words that stand near its beginning, and hardly in a file of another program.
    static var marks: [(file: String, mark: String)] {
        let pages = Self.pages.map { (file: $0.file, mark: "<p dir=\"auto\">\(ReportPage.introduction($0.unit))") }
        let drawings = Reports.Kind.allCases.map { kind in
            (file: drawing(kind), mark: "aria-labelledby=\"\(kind.rawValue)-title \(kind.rawValue)-desc\"")
        }
        return pages + drawings + [(file: sheet, mark: ReportSheet.columns.joined(separator: ","))]
    }

    init(thanatologist: String?, isEach: Bool, isShared: Bool, over connection: DaemonConnection) throws(Failure) {
        let caller = try CallerInfo(over: connection)
        var files: [(name: String, text: String)] = []
        for page in Self.pages where page.unit == .month || !isShared {
            let query = ReportQuery(
                unit: page.unit, thanatologist: thanatologist, isEach: isEach, isShared: isShared)
            let reports = try query.reports(Reports.Kind.allCases, over: connection)
            let links = Self.pages.filter { $0.unit != page.unit && !isShared }.map { (file: $0.file, name: $0.name) }
            files.append((page.file, ReportPage(reports: reports, query: query, caller: caller, links: links).text))
            guard page.unit == .month else { continue }
            files += reports.map { (Self.drawing($0.kind), BarDrawing($0.figures).file) }
            files.append((Self.sheet, ReportSheet(reports).text))
        }
        self.files = files
    }
}
