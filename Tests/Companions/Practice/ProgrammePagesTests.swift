import Foundation
import PracticeInterfaces
import SurveyFormat
import Testing

@testable import Companion
@testable import PracticeCompanion
@testable import Surveys

/// A therapist's pages about programmes, as lines.
@Suite struct `Pages about programmes` {
    private static func survey(
        _ id: String, _ state: Programmes.Survey.State, score: Double? = nil, on day: String = "2027-03-01",
        title: String = "The week", least: Double? = -2, greatest: Double? = 6, occurrence: Int = 1,
        programme: String = "Finding your feet", word: String? = nil
    ) -> Programmes.Survey {
        Programmes.Survey(
            id: id, enrolment: "e1", title: title, questions: 3, opens: "\(day)T00:00:00+01:00",
            closes: "2027-03-29T00:00:00+02:00", state: state,
            answered: state == .answered ? "\(day)T09:30:00+01:00" : nil, score: score, least: least,
            greatest: greatest, programme: programme, survey: word, occurrence: occurrence,
            occurrences: 4)
    }

    static let surveys = [
        survey("v4", .due, on: "2027-03-22", occurrence: 4), survey("v3", .answered, on: "2027-03-15", occurrence: 3),
        survey("v2", .answered, score: -2, on: "2027-03-08", occurrence: 2), survey("v1", .answered, score: 5),
        survey("v9", .answered, title: "Sleep", least: nil, greatest: nil),
    ]

    @Test func `surveys are listed with their scores, which are drawn between their bounds`() {
        let page = SurveysPage(surveys: Self.surveys, today: "2027-03-22", columns: 80, ink: .plain)
        #expect(
            page.text(isPlain: false, isASCII: false) == """
                      Survey            State     When                               Score
                  v4  The week  4 of 4  open      until Monday 29 March at 00:00
                  v3  The week  3 of 4  answered  Monday 15 March at 09:30        no total
                  v2  The week  2 of 4  answered  Monday 8 March at 09:30               -2
                  v1  The week  1 of 4  answered  Monday 1 March at 09:30                5
                  v9  Sleep     1 of 4  answered  Monday 1 March at 09:30

                  The week
                  from -2 to 6, as the answers allow

                  6  │
                  5  │●
                  4  │
                  3  │
                  2  │
                  1  │
                  0  │
                  -1 │
                  -2 │       ●
                     └────────
                      1 March 2027 – 8 March 2027

                  `practice survey ID` shows the answers of one.

                """)
        #expect(
            SurveysPage(surveys: [], today: "", columns: nil, ink: .plain).text(isPlain: true, isASCII: false)
                == "  There are no surveys.\n")
    }

    @Test func `the chart in words has each score with its bounds`() throws {
        let page = SurveysPage(surveys: Self.surveys, today: "2027-03-22", columns: 100, ink: .plain)
        let plot = try #require(page.series.first).plot
        #expect(page.series.map(\.heading) == ["The week"])
        #expect(plot.description == "From -2 to 6. 1 March 2027: 5. 8 March 2027: -2.")
        #expect(plot.dots.map(\.name) == ["5, of -2 to 6", "-2, of -2 to 6"])
        #expect(plot.dots.map(\.row) == [1, 8])
        let half = try #require(ScoreSeries("x", [Self.survey("v1", .answered, score: 0.25, least: 0, greatest: 0.5)]))
        #expect(half.plot.rows.count == 5 && half.plot.dots.map(\.row) == [2])
        let flat = try #require(ScoreSeries("x", [Self.survey("v1", .answered, score: 1, least: 1, greatest: 1)]))
        #expect(flat.plot.rows == ["1"] && flat.plot.dots.map(\.row) == [0])
    }

    @Test func `scores of different surveys are no single line, also where their titles are equal`() {
        func heads(_ surveys: Programmes.Survey...) -> [String] {
            SurveysPage(surveys: surveys, today: "2027-03-22", columns: 80, ink: .plain).series
                .map { "\($0.heading): \($0.plot.dots.count)" }
        }
        func answered(_ day: Int, _ programme: String, _ word: String, title: String = "The week") -> Programmes.Survey
        {
            Self.survey(
                "v\(day)", .answered, score: 1, on: "2027-03-0\(day)", title: title, programme: programme, word: word)
        }
        #expect(
            heads(answered(1, "Feet", "week"), answered(2, "Sleep", "week"), answered(3, "Feet", "week")) == [
                "The week (Feet): 2", "The week (Sleep): 1",
            ])
        #expect(
            heads(
                answered(1, "Feet", "first"), answered(2, "Feet", "last"), answered(3, "Sleep", "first"),
                answered(4, "Sleep", "first", title: "Nights"))
                == [
                    "The week (Feet, first): 1", "The week (Feet, last): 1", "The week (Sleep): 1", "Nights: 1",
                ])
    }

    @Test func `a survey is meant by its whole title, also where that is a part of another's`() {
        let titles = [("The week", "Feet"), ("The week", "Sleep"), ("Week", "Feet"), ("Año", "Feet"), ("Ano", "Feet")]
        let surveys = titles.enumerated().map { place, survey in
            Self.survey(
                "v\(place)", .answered, score: 1, on: "2027-03-0\(place + 1)", title: survey.0, programme: survey.1)
        }
        let series = SurveysPage(surveys: surveys, today: "2027-03-22", columns: 80, ink: .plain).series
        func meant(_ text: String) -> [String] { ScoreSeries.meant(by: text, among: series).map(\.heading) }
        #expect(meant("week") == ["Week"])
        #expect(meant("the WEEK") == ["The week (Feet)", "The week (Sleep)"])
        #expect(meant("the week (sleep)") == ["The week (Sleep)"])
        #expect(meant("wee") == ["The week (Feet)", "The week (Sleep)", "Week"])
        #expect(meant("sleep") == ["The week (Sleep)"])
        #expect(meant("año") == ["Año"])
        #expect(meant("ano") == ["Año", "Ano"])
        #expect(meant("month") == [])
    }

    @Test func `the scores over time are a page that loads nothing, with each survey's chart and table`() {
        let page = SurveysPage(
            surveys: Self.surveys + [
                Self.survey(
                    "v7", .answered, score: 3, on: "2027-03-02", title: "Sleep <&\u{1B}>", least: 0, greatest: 4)
            ], today: "2027-03-22", columns: 80, ink: .plain)
        let html = page.scores(page.series, of: 7)
        #expect(html.contains("<title>Surveys of client No. 7: scores over time</title>"))
        #expect(html.contains("<h2 dir=\"auto\">The week</h2>\n<p>From -2 to 6, as the answers allow.</p>\n"))
        #expect(html.contains("<h2 dir=\"auto\">Sleep &lt;&amp;&gt;</h2>\n"))
        #expect(
            html.contains(
                """
                <tbody>
                <tr><th scope="row"><time datetime="2027-03-01">Monday 1 March 2027</time></th><td>5, of -2 to 6</td></tr>
                <tr><th scope="row"><time datetime="2027-03-08">Monday 8 March 2027</time></th><td>-2, of -2 to 6</td></tr>
                </tbody></table>
                """))
        #expect(html.contains("aria-labelledby=\"plot-1-title plot-1-desc\""))
        #expect(html.contains("aria-labelledby=\"plot-2-title plot-2-desc\""))
        for loaded in ["<script", "http://", "https://", "url(", "src=", "\u{1B}"] { #expect(!html.contains(loaded)) }
    }

    private static let questionnaire = SurveySamples.read(
        items: #"""
            {"linkId": "intro", "type": "display", "text": "Think of the last days."},
            {"linkId": "g", "type": "group", "text": "Days and nights", "item": [
              {"linkId": "mood", "type": "choice", "prefix": "1.", "text": "How was your week?", "answerOption": [
                {"valueCoding": {"code": "good", "display": "Good", "extension": [
                  {"url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": 0}]}},
                {"valueCoding": {"code": "bad", "display": "Bad", "extension": [
                  {"url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": 2}]}}]},
              {"linkId": "nights", "type": "integer", "text": "How many nights awake?",
               "enableWhen": [{"question": "mood", "operator": "=", "answerCoding": {"code": "bad"}}]}]},
            {"linkId": "words", "type": "text", "text": "What else?"},
            {"linkId": "walk", "type": "boolean", "text": "Did you walk?"}
            """#)

    private func answers(
        _ survey: Programmes.Survey, _ answers: [String: SurveyAnswer], hasWeights: Bool = true, columns: Int? = 60
    ) -> String {
        AnswersPage(
            survey: survey, questionnaire: Self.questionnaire,
            answers: SurveySamples.answers(answers, to: Self.questionnaire), hasWeights: hasWeights,
            today: "2027-03-22", columns: columns, ink: .plain
        ).text
    }

    @Test func `the answers stand item by item`() {
        #expect(
            answers(
                Self.survey("v1", .answered, score: 0),
                ["mood": .choice(0), "nights": .integer(3), "walk": .boolean(true)]) == """
                      The week

                      Programme   Finding your feet
                      Occurrence  1 of 4
                      State       answered Monday 1 March at 09:30
                      Score       0, of -2 to 6

                      Days and nights
                        1. How was your week?
                            Good (0)
                        How many nights awake?
                            not asked
                      What else?
                          no answer
                      Did you walk?
                          Yes

                      Written for these tests.

                    """)
    }

    @Test func `a client reads their answers without the weights, of which a score is made`() {
        let page = answers(Self.survey("v1", .answered), ["mood": .choice(1)], hasWeights: false)
        #expect(page.contains("        Bad\n") && !page.contains("(2)"), "\(page)")
    }

    @Test func `a survey that is not answered shows no answers`() {
        #expect(
            answers(Self.survey("v4", .due, least: nil, greatest: nil), ["walk": .boolean(true)]) == """
                  The week

                  Programme   Finding your feet
                  Occurrence  1 of 4
                  State       open until Monday 29 March at 00:00

                  Written for these tests.

                """)
        #expect(
            answers(Self.survey("v1", .answered, least: nil, greatest: nil), ["words": .text("A\nB")])
                .contains("  What else?\n      A\n      B\n"))
    }

    @Test func `programmes and enrolments are tables`() {
        let programmes = [
            Programmes.Programme(
                id: "feet", name: "Finding your feet", summary: "", lessons: 8, surveys: 2, offered: true, revision: 3),
            .init(id: "old", name: "Old", summary: "", lessons: 1, surveys: 0, offered: false, revision: 1),
        ]
        #expect(
            ProgrammeTable(programmes: programmes).table.text(columns: 80, ink: .plain) == """
                        Programme          Lessons  Surveys  Revision
                  feet  Finding your feet        8        2         3
                  old   Old                      1        0         1  not offered

                """)
        let enrolments = [
            Programmes.Enrolment(
                id: "e2", client: "p3", programme: "feet", name: "Finding your feet", state: .active,
                since: "2027-03-01", lessonsRead: 2, lessons: 8, unlocked: 4, surveysDue: 1),
            .init(
                id: "e1", client: "p3", programme: "old", name: "Old", state: .withdrawn, since: "2027-01-04",
                until: "2027-02-01", lessonsRead: 0, lessons: 1, reason: "It was\nnot the time."),
        ]
        #expect(
            EnrolmentTable(enrolments: enrolments, today: "2027-03-22").table.text(columns: 130, ink: .plain) == """
                      Programme          Since             State                        Lessons read  Waits                Reason
                  e2  Finding your feet  Monday 1 March    under way                    2 of 8        2 lessons, 1 survey
                  e1  Old                Monday 4 January  withdrawn Monday 1 February  0 of 1                             It was not the time.

                """)
    }

    @Test func `every fault of a folder is named with its file and line`() {
        let error = Programmes.InvalidProgramme(
            file: "programme.toml", line: 3, reason: "`nam` is unknown.",
            faults: [
                .init(file: "programme.toml", line: 3, reason: "`nam` is unknown."),
                .init(file: "week.json", reason: "It is no\u{1B}[2J JSON."),
            ])
        #expect(
            ProgrammeRefusal.faults(error, in: "feet/")
                == "feet/programme.toml:3: `nam` is unknown.\nfeet/week.json: It is no[2J JSON.")
        #expect(
            ProgrammeRefusal.faults(.init(file: "a.md", line: 1, reason: "It is empty."), in: nil)
                == "a.md:1: It is empty.")
    }
}

@Suite struct ProgrammeFolderTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/programme-folder-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        try FileManager.default.createDirectory(atPath: folder + "/lessons", withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: folder + "/.git", withIntermediateDirectories: false)
        for (name, text) in [
            ("programme.toml", "id = \"feet\"\n"), ("lessons/one.md", "\u{FEFF}# One\n"), (".git/config", "x"),
            (".swp", "x"), ("notes.txt", "y"),
        ] { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
        try FileManager.default.createSymbolicLink(atPath: folder + "/out.md", withDestinationPath: "/etc/passwd")
    }

    private func end() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func `every file is sent but hidden ones, and no link is followed`() throws {
        defer { end() }
        let files = try ProgrammeFolder(folder).files
        #expect(files.map(\.path) == ["lessons/one.md", "notes.txt", "programme.toml"])
        #expect(files.map(\.text) == ["# One\n", "y", "id = \"feet\"\n"])
    }

    @Test func `a folder that is no programme, and a file that is no text, are refused`() throws {
        defer { end() }
        #expect(throws: Failure.self) { try ProgrammeFolder(folder + "/lessons") }
        #expect(throws: Failure.self) { try ProgrammeFolder(folder + "/gone") }
        try Data([0xFF, 0xFE]).write(to: URL(filePath: folder + "/picture.png"))
        #expect(throws: Failure.self) { try ProgrammeFolder(folder) }
    }
}
