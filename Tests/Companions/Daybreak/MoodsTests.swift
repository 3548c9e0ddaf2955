import DaybreakInterfaces
import Foundation
import FoundationXML
import Testing
import Time
import Varlink

@testable import Companion
@testable import DaybreakCompanion

@Suite struct MoodsTests {
    private static func task(_ day: String, _ mood: String?, on: String? = nil) -> Homework.Assignment {
        let logged = mood.map { #","mood":"\#($0)""# } ?? ""
        let completed = mood == nil ? "" : #","completedOn":"\#(on ?? day)""#
        return Sample.assignment(mood == nil ? "missed" : "completed", due: day, also: logged + completed)
    }

    static let tasks = [
        task("2026-10-30", "hopeful"), task("2026-11-02", "tired"), task("2026-11-03", nil),
        task("2026-11-04", "tired"),
        task("2026-11-05", "calm", on: "2026-11-06"), task("2026-11-06", "calm"), task("2026-11-20", "穏やか"),
    ]
    static let log = DayLog(moodsOf: tasks, since: nil)

    @Test func `words are in the order of the choices, and days in theirs`() {
        #expect(Self.log.words == ["calm", "tired", "hopeful", "穏やか"])
        #expect(
            Self.log.entries.map { "\($0.day.description) \($0.word)" } == [
                "2026-10-30 hopeful", "2026-11-02 tired", "2026-11-04 tired", "2026-11-06 calm", "2026-11-06 calm",
                "2026-11-20 穏やか",
            ])
        #expect(DayLog(moodsOf: Self.tasks, since: CalendarDay("2026-11-05")).entries.count == 3)
    }

    @Test func `a mood stands on the day on which it was logged`() {
        var late = Self.task("2026-11-03", "calm", on: "2026-11-05")
        late.moodOn = "2026-11-04"
        #expect(DayLog(moodsOf: [late], since: nil).entries.map(\.day) == ["2026-11-04"])
        late.completedOn = nil
        #expect(DayLog(moodsOf: [late], since: nil).entries.map(\.day) == ["2026-11-04"])
    }

    @Test func `each word has a mark of its own`() {
        let words = ["tired", "tense", "t", "Terse", "☂"]
        let tasks = words.enumerated().map { index, word in
            var task = Self.task("2026-11-0\(index + 1)", word)
            task.moods = words
            return task
        }
        let marks = DayLog(moodsOf: tasks, since: nil).marks
        #expect(words.map { marks[$0].map(String.init) } == ["t", "e", "1", "r", "2"])
    }

    @Test func `months begin on their weekday and have all of their days`() throws {
        let february: CalendarDay = "2028-02-17"
        #expect(february.weeks.count == 5)
        #expect(february.weeks[0].map { $0?.parts.day } == [nil, 1, 2, 3, 4, 5, 6])
        #expect(february.weeks[4].map { $0?.parts.day } == [28, 29, nil, nil, nil, nil, nil])
        #expect(("2026-12-31" as CalendarDay).firstOfNextMonth.description == "2027-01-01")
    }

    @Test func `the months of a gap of more than a year are left out, and those of a shorter one stay`() {
        func months(_ days: String...) -> [String] {
            DayLog(moodsOf: days.map { Self.task($0, "calm") }, since: nil).months.map(\.description)
        }
        #expect(months("2026-11-30", "2027-02-01") == ["2026-11-01", "2026-12-01", "2027-01-01", "2027-02-01"])
        #expect(months("2026-11-30", "2027-11-30").count == 13)
        #expect(months("2026-11-20", "9998-12-31", "9999-01-01") == ["2026-11-01", "9998-12-01", "9999-01-01"])
    }

    @Test func `the calendar is drawn on a terminal`() {
        #expect(
            MonthCalendar(log: Self.log, ink: .plain).text == """
                  October 2026
                   Mo     Tu     We     Th     Fr     Sa     Su
                                         1      2      3      4
                    5      6      7      8      9     10     11
                   12     13     14     15     16     17     18
                   19     20     21     22     23     24     25
                   26     27     28     29     30 h   31

                  November 2026
                   Mo     Tu     We     Th     Fr     Sa     Su
                                                              1
                    2 t    3      4 t    5      6 cc   7      8
                    9     10     11     12     13     14     15
                   16     17     18     19     20 穏  21     22
                   23     24     25     26     27     28     29
                   30

                    c  calm  2
                    t  tired  2
                    h  hopeful  1
                    穏 穏やか  1

                """)
    }

    @Test(arguments: [(80, 3, true), (80, 2, false), (40, 2, true), (40, 1, false)])
    func `the calendar explains the mark of a day that has more moods than fit`(
        columns: Int, moods: Int, isMarked: Bool
    ) {
        let words = (0..<moods).map { "mood \($0)" }
        let log = DayLog(words.map { DayLog.Entry(day: "2026-11-20", word: $0) }, words: words)
        let lines = MonthCalendar(log: log, columns: columns, ink: .plain).text.split(separator: "\n")
        #expect(lines.contains { $0.contains(" 20 ") && $0.contains("+") } == isMarked)
        #expect(lines.contains("    +  more on that day") == isMarked)
    }

    @Test func `the chart is drawn on a terminal`() {
        #expect(
            DotChart(log: Self.log, columns: 80, ink: .plain).text == """
                  calm    │       2
                  tired   │   ● ●
                  hopeful │●
                  穏やか  │                     ●
                          └──────────────────────
                           30 October 2026 – 20 November 2026

                """)
        #expect(
            DotChart(log: Self.log, columns: 24, ink: .plain).text == """
                  calm    │   2
                  tired   │ ●●
                  hopeful │●
                  穏やか  │          ●
                          └───────────
                  30 October 2026 –
                  20 November 2026

                  A column is 2 days; a
                  number tells how
                  often, where it was
                  more than once.

                """)
    }

    @Test func `months and chart fit a narrow terminal, and the chart is ASCII on one without UTF-8`() {
        let texts = [
            MonthCalendar(log: Self.log, columns: 40, ink: .plain).text,
            DotChart(log: Self.log, columns: 40, ink: .plain).text,
        ]
        for line in texts.joined().split(separator: "\n") { #expect(DisplayWidth.of(line) <= 40, "\(line)") }
        let name = String(repeating: "calm", count: 6)
        let entries = ["calm", name].map { DayLog.Entry(day: "2026-11-20", word: $0) }
        let long = DayLog(entries, words: ["calm", name])
        let cut = DotChart(log: long, columns: 80, ink: .plain, isASCII: true).text.ascii
        let margins = cut.split(separator: "\n").prefix(2).map { line in line.prefix { $0 != "|" }.count }
        #expect(Set(margins).count == 1, "\(cut)")
        let ascii = DotChart(log: DayLog(Self.log.entries, words: ["calm", "tired"]), columns: 80, ink: .plain).text
            .ascii
        #expect(!ascii.contains("?"))
        #expect(
            MonthCalendar(log: Self.log, columns: 40, ink: .plain).text.hasPrefix(
                """
                  October 2026
                  Mo   Tu   We   Th   Fr   Sa   Su
                                  1    2    3    4
                   5    6    7    8    9   10   11
                  12   13   14   15   16   17   18
                  19   20   21   22   23   24   25
                  26   27   28   29   30 h 31
                """))
    }

    @Test func `a drawing and a page without moods say so`() {
        let none = DayLog([], words: [])
        #expect(Moods.drawing(none).contains("No mood is logged yet."))
        #expect(Moods.page(none).contains("<p>No mood is logged yet.</p>"))
        #expect(!Moods.page(none).contains("<svg"))
        let later = Moods.noMoods(since: CalendarDay(ordinal: 20_000))
        for file in [Moods.drawing(none, orSaying: later), Moods.page(none, orSaying: later)] {
            #expect(file.contains("No mood is logged since 4 October 2024."))
            #expect(!file.contains(Moods.noMoods))
        }
    }

    @Test func `a schedule's words are escaped in the page`() {
        let word = #"<script>\"&"#
        var task = Self.task("2026-11-20", #"<script>\"&"#)
        task.moods = [task.mood ?? ""]
        let page = Moods.page(DayLog(moodsOf: [task], since: nil))
        #expect(!page.contains("<script"))
        #expect(page.contains("<td>&lt;script&gt;&quot;&amp;</td>"))
        #expect(!word.isEmpty)
    }

    @Test func `the drawing has a description in words`() {
        let drawing = Moods.drawing(Self.log)
        #expect(drawing.contains(#"<title id="log-title">Moods from 30 October 2026 to 20 November 2026</title>"#))
        #expect(
            drawing.contains(
                #"<desc id="log-desc">calm: 6 November 2026, 6 November 2026. tired: 2 November 2026, 4 November 2026. "#
                    + "hopeful: 30 October 2026. 穏やか: 20 November 2026.</desc>"))
        #expect(drawing.components(separatedBy: "<circle").count - 1 == 6)
        #expect(drawing.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 214" "#))
    }

    @Test func `a drawing of one day or ten years is sound XML`() throws {
        let years = (0..<3_650).map {
            Self.task(CalendarDay(ordinal: Int32(20_000 + $0)).description, ["calm", "tired"][$0 % 2])
        }
        for tasks in [Array(Self.tasks.prefix(1)), Self.tasks, years] {
            let drawing = Moods.drawing(DayLog(moodsOf: tasks, since: nil))
            #expect(XMLParser(data: Data(drawing.utf8)).parse())
        }
    }
}
