internal import ArgumentParser
import Companion
import PracticeInterfaces
import Surveys
import Time

/// The surveys of the client's programmes: `survey` and its verbs.
struct SurveyVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "survey", abstract: "Answer a survey of your practice, question by question.",
        subcommands: [SurveyAsk.self, SurveyList.self], defaultSubcommand: SurveyAsk.self)
}

struct SurveyAsk: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "answer",
        abstract: "Answer the survey that is due: the one that closes first, unless one is named.",
        discussion: """
            Each answer is kept at once, and the next time it goes on there. With --plain, or without a terminal, each answer is \
            a line. Only what is finished counts as answered.
            """)

    @Argument(help: ArgumentHelp("A survey, as `daybreak survey list` names it.", valueName: "survey"))
    var survey: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let (connection, today) = try daemon.practiceToday()
        let identifier = try survey ?? due(over: connection, today: today)
        if daemon.json { return try daemon.ask(Programmes.GetSurvey(survey: identifier), over: connection) { _ in "" } }
        let keeper = try SurveyKeeper(identifier, over: connection, reconnect: { try daemon.practice() })
        guard keeper.survey.state == .due else {
            let refusal = Self.notDue(keeper.survey, today: today)
            throw try keeper.leftover().map(refusal.adding) ?? refusal
        }
        let end: String
        if !output.plain, SurveyReader.hasTerminal {
            end = try SurveyReader(keeper, today: today).run()
        } else {
            var lines = SurveyLines(keeper, today: today)
            end = try lines.run()
        }
        Streams.output("\(end)\n")
    }

    private func due(over connection: DaemonConnection, today: String) throws(Failure) -> String {
        let all = try connection.call(Programmes.ListSurveys()).surveys
        if let first = all.firstToClose { return first.id }
        let next = all.first { $0.state == .upcoming }.map {
            " The next one opens \(Wording.time($0.opens, today: today))."
        }
        throw .refused("NothingDue", saying: "There is no survey to answer now.\(next ?? "")")
    }

    private static func notDue(_ survey: Programmes.Survey, today: String) -> Failure {
        let sentence =
            switch survey.state {
            case .upcoming: "The survey opens \(Wording.time(survey.opens, today: today))."
            case .missed: "The survey is closed, and can be answered no more."
            case .answered, .due: "The survey is answered already; its answers stay as they are."
            }
        return .refused(Programmes.NotDue.name, saying: sentence)
    }
}

struct SurveyList: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "list", abstract: "List your surveys: those that are due, and those to come.")

    @Flag(help: "Those that are over, too.") var all = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let (connection, today) = try daemon.practiceToday()
        let surveys = try connection.all {
            Programmes.ListSurveys(all: all ? true : nil, after: $0, limit: 200)
        } _: {
            ($0.surveys, next: $0.next)
        }
        guard !daemon.json else { return Streams.output(object: Programmes.ListSurveys.Reply(surveys: surveys)) }
        output.print(
            SurveyTable(surveys: surveys, today: today, columns: output.columns, ink: output.ink).text(isWhole: all))
    }
}

extension [Programmes.Survey] {
    /// The one that can be answered and closes first; of several, the one that opened first.
    fileprivate var firstToClose: Programmes.Survey? {
        func end(_ survey: Programmes.Survey) -> Int64 {
            survey.closes.flatMap { DateTime($0)?.instant?.microseconds } ?? .max
        }
        return filter { $0.state == .due }.min { end($0) < end($1) }
    }
}

/// A client's own surveys, as lines. They have no score: the client is shown no judgement.
struct SurveyTable {
    let surveys: [Programmes.Survey]
    let today: String
    let columns: Int?
    let ink: Ink

    func text(isWhole: Bool) -> String {
        guard !surveys.isEmpty else {
            return isWhole
                ? "  There are no surveys.\n"
                : "  There is no survey to answer, and none to come. `daybreak survey list --all` shows those before.\n"
        }
        var table = Table([.init(""), .init("Survey", leads: true), .init(""), .init("State"), .init("When")])
        for survey in surveys {
            table.rows.append([
                .init(survey.id, .faint), .init(survey.title.singleLine, survey.state == .due ? .strong : .plain),
                .init(survey.whichTime, .faint), state(survey), .init(when(survey), .faint),
            ])
        }
        let advice = "\n  " + ink.faint("`daybreak survey` asks the one that closes first.") + "\n"
        return table.text(columns: columns, ink: ink) + (surveys.firstToClose == nil ? "" : advice)
    }

    private func state(_ survey: Programmes.Survey) -> Table.Cell {
        switch survey.state {
        case .upcoming: .init("to come", .faint)
        case .due: .init(survey.kept == true ? "begun" : "to answer", .warm)
        case .answered: .init("answered", .good)
        case .missed: .init("not answered", .faint)
        }
    }

    private func when(_ survey: Programmes.Survey) -> String {
        switch survey.state {
        case .upcoming: "opens \(Wording.time(survey.opens, today: today))"
        case .due: SurveyWords.closes(survey, today: today).map { "until \($0)" } ?? ""
        case .answered: survey.answered.map { Wording.time($0, today: today) } ?? ""
        case .missed: SurveyWords.closes(survey, today: today).map { "until \($0)" } ?? ""
        }
    }
}
