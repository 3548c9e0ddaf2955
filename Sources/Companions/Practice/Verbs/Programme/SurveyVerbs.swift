internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import SurveyFormat
import Surveys
import Time
import Varlink

struct ClientSurveys: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "surveys", abstract: "List a client's surveys, with the scores over time.",
        discussion: "`practice survey q12` shows the answers of one, item by item.")

    @Argument(help: ArgumentHelp(ClientName.clientsHelp)) var client: String
    @Option(
        help: ArgumentHelp(
            "Write the scores of one survey to FILE, a drawing; - is standard output.", valueName: "file"),
        completion: .file())
    var svg: String?
    @Option(
        help: ArgumentHelp(
            "Write the scores over time to FILE, a page that needs nothing else; - is standard output.",
            valueName: "file"),
        completion: .file())
    var html: String?
    @Option(
        help: ArgumentHelp("Which survey is drawn, if there are several: its title, or part of it.", valueName: "title")
    )
    var of: String?
    @Flag(help: "Write over a file that is there already.") var force = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        try OutputForms.check(json: daemon.json, ("--svg", svg), ("--html", html))
        if svg != nil, html != nil { throw ValidationError("--svg and --html contradict each other.") }
        if of != nil, svg == nil, html == nil { throw ValidationError("--of needs --svg or --html.") }
    }

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        let client = try ClientName(client).identifier(over: connection)
        let surveys = try connection.all {
            Programmes.ListSurveys(client: client, all: true, after: $0, limit: 200)
        } _: {
            ($0.surveys, next: $0.next)
        }
        guard !daemon.json else { return Streams.output(object: Programmes.ListSurveys.Reply(surveys: surveys)) }
        let page = SurveysPage(surveys: surveys, today: caller.today, columns: output.columns, ink: output.ink)
        if let svg { return try write(drawing(of: try scored(on: page)), to: svg) }
        if let html {
            let number = try connection.call(Records.GetClient(client: client)).client.number
            return try write(page.scores(try scored(on: page), of: number), to: html)
        }
        output.print(page.text(isPlain: output.plain, isASCII: Streams.isASCII))
    }

    /// The surveys that have scores; at least one.
    private func scored(on page: SurveysPage) throws(Failure) -> [ScoreSeries] {
        let scored = of.map { ScoreSeries.meant(by: $0, among: page.series) } ?? page.series
        guard !scored.isEmpty else {
            throw .refused("NoScores", saying: "There is no survey with scores\(of == nil ? "" : " of that title").")
        }
        return scored
    }

    private func drawing(of scored: [ScoreSeries]) throws(Failure) -> String {
        guard scored.count == 1 else {
            let headings = scored.map { "  \($0.heading.shown.singleLine)" }
            throw .refused(
                "SeveralSurveys",
                saying: (["Several surveys have scores; say which, with --of:"] + headings).joined(separator: "\n"))
        }
        return DotDrawing(scored[0].plot, title: "\(scored[0].heading): scores").file
    }

    private func write(_ text: String, to file: String) throws(Failure) {
        guard file != "-" else { return Streams.output(verbatim: text) }
        let isThere = PrivateFile.existsUnlessForced(file)
        try PrivateFile.write(to: file, replacing: force, orSaying: isThere) { draft throws(Failure) in
            try draft.append(Array(text.utf8)[...])
        }
        Streams.output("Written to \(file.shown); only you can read it.\n")
    }
}

/// The surveys of a client as their thanatologist sees them: a list, and the scores of each survey over time.
struct SurveysPage {
    let surveys: [Programmes.Survey]
    let today: String
    let columns: Int?
    let ink: Ink

    func text(isPlain: Bool, isASCII: Bool) -> String {
        guard !surveys.isEmpty else { return "  There are no surveys.\n" }
        let charts = isPlain ? [] : series.map { chart($0, isASCII) }
        return table.text(columns: columns, ink: ink) + charts.joined()
            + "\n  " + ink.faint("`practice survey ID` shows the answers of one.") + "\n"
    }

    /// The scores over time as a page. It names the client by number alone.
    func scores(_ series: [ScoreSeries], of client: Int) -> String {
        DotPage(
            title: "Surveys of client No. \(client): scores over time",
            introduction: "Each dot is the sum of what the chosen answers count. Surveys without a total have no dot.",
            column: "Score", sections: series.map { .init($0.heading, note: Wording.sentence(Self.noted($0)), $0.plot) }
        ).text
    }

    private static func noted(_ series: ScoreSeries) -> String { "\(series.range), as the answers allow" }

    private func chart(_ series: ScoreSeries, _ isASCII: Bool) -> String {
        "\n  " + ink.strong(series.heading.shown.singleLine) + "\n  " + ink.faint(Self.noted(series)) + "\n\n"
            + DotChart(series.plot, columns: columns, ink: ink, isASCII: isASCII).text
    }

    /// One for each survey that has scores, in the order of the first of them. A survey is known by its programme, the author's
    /// word for it, and its title: scores of two versions with different titles, or of two programmes, are no single line.
    var series: [ScoreSeries] {
        let answered = surveys.filter { $0.score != nil && $0.least != nil && $0.greatest != nil }
            .sorted { ($0.answered ?? "") < ($1.answered ?? "") }
        var groups: [[Programmes.Survey]] = []
        for survey in answered {
            if let place = groups.firstIndex(where: { Self.isSame($0[0], survey) }) {
                groups[place].append(survey)
            } else {
                groups.append([survey])
            }
        }
        return groups.compactMap { ScoreSeries(Self.heading(of: $0[0], among: groups.map { $0[0] }), $0) }
    }

    private static func isSame(_ one: Programmes.Survey, _ other: Programmes.Survey) -> Bool {
        (one.title, one.survey, one.programme) == (other.title, other.survey, other.programme)
    }

    /// The title; of several that are equal, with the programme behind it, and the author's word where that is equal, too.
    private static func heading(of survey: Programmes.Survey, among all: [Programmes.Survey]) -> String {
        let alike = all.filter { $0.title == survey.title }
        let isToldByProgramme = alike.count(where: { $0.programme == survey.programme }) == 1
        let marks = [survey.programme, isToldByProgramme ? nil : survey.survey].compactMap { $0 }
        return alike.count == 1 || marks.isEmpty ? survey.title : "\(survey.title) (\(marks.joined(separator: ", ")))"
    }

    private var table: Table {
        var table = Table([
            .init(""), .init("Survey", leads: true), .init(""), .init("State"), .init("When"),
            .init("Score", isNumber: true),
        ])
        for survey in surveys {
            table.rows.append([
                .init(survey.id, .faint), .init(survey.title.singleLine), .init(survey.whichTime, .faint),
                state(survey), .init(when(survey), .faint), .init(Self.score(survey, isWhole: false), .strong),
            ])
        }
        return table
    }

    /// "4, of 0 to 12"; no total where an answer is missing that counts.
    /// - Parameter isWhole: with the bounds.
    static func score(_ survey: Programmes.Survey, isWhole: Bool) -> String {
        guard survey.state == .answered, let least = survey.least, let greatest = survey.greatest else { return "" }
        let range = isWhole ? ", of \(SurveyAnswer.spelled(least)) to \(SurveyAnswer.spelled(greatest))" : ""
        return (survey.score.map(SurveyAnswer.spelled) ?? "no total") + range
    }

    private func state(_ survey: Programmes.Survey) -> Table.Cell {
        switch survey.state {
        case .upcoming: .init("to come", .faint)
        case .due: .init("open", .warm)
        case .answered: .init("answered", .good)
        case .missed: .init("not answered", .faint)
        }
    }

    private func when(_ survey: Programmes.Survey) -> String {
        switch survey.state {
        case .upcoming: "opens \(Wording.time(survey.opens, today: today))"
        case .due, .missed: survey.closes.map { "until \(Wording.time($0, today: today))" } ?? ""
        case .answered: survey.answered.map { Wording.time($0, today: today) } ?? ""
        }
    }
}

/// The scores of one survey over time, between the least and the greatest that its answers can have: weights may be negative.
struct ScoreSeries {
    let title: String
    /// The title, and more where another survey has the same.
    let heading: String
    let least: Double
    let greatest: Double
    private let scores: [(day: CalendarDay, score: Double)]

    /// Versions of a survey may differ in their bounds: the chart has room for all.
    init?(_ heading: String, _ surveys: [Programmes.Survey]) {
        let found = surveys.compactMap { survey in
            survey.score.flatMap { score in
                survey.answered.flatMap { CalendarDay(of: $0) }.map { (day: $0, score: score) }
            }
        }
        guard let least = surveys.compactMap(\.least).min(), let greatest = surveys.compactMap(\.greatest).max(),
            !found.isEmpty, least.isFinite, greatest.isFinite, least <= greatest
        else { return nil }
        (self.least, self.greatest, scores) = (least, greatest, found)
        (self.title, self.heading) = (surveys.first?.title ?? heading, heading)
    }

    /// Those whose whole heading or title is the text; if there is none, those whose heading has it as a part.
    static func meant(by text: String, among series: [ScoreSeries]) -> [ScoreSeries] {
        let named = series.filter { NameMatch.isWhole(text, $0.heading) || NameMatch.isWhole(text, $0.title) }
        guard !named.isEmpty else { return series.filter { $0.heading.holds(text) } }
        return NameMatch.meant(by: text, among: named) { $0.title }
    }

    /// "-2 to 6".
    private var bounds: String { "\(SurveyAnswer.spelled(least)) to \(SurveyAnswer.spelled(greatest))" }

    /// "from -2 to 6".
    var range: String { "from \(bounds)" }

    /// The rows of the chart: few enough for a terminal, and at whole numbers where there are such.
    private static let mostRows = 9

    var plot: DotPlot {
        let span = greatest - least
        let steps = (1..<Self.mostRows).last { span > 0 && (span / Double($0)).truncatingRemainder(dividingBy: 1) == 0 }
        let rows = span > 0 ? (steps.flatMap { $0 > 1 ? $0 : nil } ?? 4) : 0
        let labels = (0...rows).map { row in
            Wording.number(rows == 0 ? least : greatest - span * Double(row) / Double(rows))
        }
        let dots = scores.map { day, score in
            DotPlot.Dot(
                day: day, row: rows == 0 ? 0 : (greatest - score) / span * Double(rows),
                name: "\(SurveyAnswer.spelled(score)), of \(bounds)")
        }
        let said = scores.map { "\(Wording.shortDay($0.day)): \(SurveyAnswer.spelled($0.score))." }
        return DotPlot(
            rows: labels, dots: dots, isJoined: true,
            description: (["From \(bounds)."] + said).joined(separator: " "))
    }
}

struct ClientSurvey: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "survey", abstract: "Show a client's answers to one survey, item by item.")

    @Argument(help: ArgumentHelp("A survey, as `practice surveys CLIENT` names it.", valueName: "survey"))
    var survey: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        let reply = try connection.reply(to: Programmes.GetSurvey(survey: survey))
        let found = try connection.decode(Programmes.GetSurvey.self, from: reply)
        guard !daemon.json else { return Streams.output(json: reply.parameters) }
        let questionnaire = try connection.questionnaire(found.questionnaire)
        let page = AnswersPage(
            survey: found.survey, questionnaire: questionnaire,
            answers: try connection.answers(found.answers, to: questionnaire), hasWeights: !caller.may(.takePart),
            today: caller.today, columns: output.columns, ink: output.ink)
        output.print(page.text)
    }
}

/// A survey with its answers, item by item.
struct AnswersPage {
    let survey: Programmes.Survey
    let questionnaire: Questionnaire
    let answers: SurveyAnswers
    /// False for the client, who gets no score.
    let hasWeights: Bool
    let today: String
    let columns: Int?
    let ink: Ink

    var text: String {
        var facts = FactList()
        facts.add("Programme", survey.programme?.singleLine)
        facts.add("Occurrence", survey.whichTime)
        facts.add("State", state)
        facts.add("Score", SurveysPage.score(survey, isWhole: true))
        let items = survey.state == .answered ? answered : ""
        let owner = (questionnaire.copyright ?? "").paragraphs(columns: room).filter { !$0.isEmpty }
        return "  " + ink.strong(survey.title.shown.singleLine) + "\n\n" + facts.text(columns: columns, ink: ink)
            + (items.isEmpty ? "" : "\n" + items)
            + (owner.isEmpty ? "" : "\n" + owner.map { "  \(ink.faint($0))\n" }.joined())
    }

    private var room: Int? { columns.map { max(1, $0 - 3) } }

    private var state: String {
        switch survey.state {
        case .upcoming: "to come: it opens \(Wording.time(survey.opens, today: today))"
        case .due: "open" + (survey.closes.map { " until \(Wording.time($0, today: today))" } ?? "")
        case .answered: "answered" + (survey.answered.map { " \(Wording.time($0, today: today))" } ?? "")
        case .missed: "not answered"
        }
    }

    private var answered: String {
        zip(questionnaire.items, questionnaire.asked(answers)).map { lines($0, isAsked: $1) }.joined()
    }

    private func lines(_ item: Questionnaire.Item, isAsked: Bool) -> String {
        let indent = item.group == nil ? "" : "  "
        let head = item.heading.paragraphs(columns: columns.map { max(1, $0 - 3 - indent.count) })
            .map { "  \(indent)\($0)\n" }.joined()
        switch item.kind {
        case .display: return ""
        case .group: return "  " + ink.strong(item.heading.shown) + "\n"
        default: return head + answer(to: item, isAsked).map { "  \(indent)    \($0)\n" }.joined()
        }
    }

    private func answer(to item: Questionnaire.Item, _ isAsked: Bool) -> [String] {
        guard isAsked else { return [ink.faint("not asked")] }
        guard let answer = answers[item.linkID] else { return [ink.faint("no answer")] }
        var weight = ""
        if hasWeights, case .choice(let place) = answer {
            weight = item.options[place].weight.map { " (\(SurveyAnswer.spelled($0)))" } ?? ""
        }
        let lines = (item.spelled(answer) + weight).paragraphs(columns: columns.map { max(1, $0 - 9) })
        return lines.map { ink.warm($0) }
    }
}
