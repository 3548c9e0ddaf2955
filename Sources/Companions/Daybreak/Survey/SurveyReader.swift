import Companion
import Glibc
import PracticeInterfaces
import Surveys

/// Runs the screen on which a survey is answered.
final class SurveyReader {
    private let keeper: SurveyKeeper
    private var screen: SurveyScreen
    private let terminal = FullScreen()
    /// The sentence after the screen; nil while it is shown.
    private var end: String?

    /// False where a survey can only be answered in lines.
    static var hasTerminal: Bool {
        let term = Environment.variables["TERM"]
        return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && term != nil && term != "dumb"
    }

    init(_ keeper: SurveyKeeper, today: String) {
        self.keeper = keeper
        screen = SurveyScreen(
            RunningSurvey(keeper.questionnaire, kept: keeper.kept), title: keeper.survey.title,
            closes: SurveyWords.closes(keeper.survey, today: today))
    }

    /// - Returns: the sentence that tells how it ended.
    func run() throws(Failure) -> String {
        if keeper.hasUnsent { try keep() }
        guard terminal.take(pastes: true) else { return "" }
        terminal.beforeEnd = { [unowned self] in
            guard screen.keepTyped() else { return }
            do throws(Failure) { try keeper.keepInFile(screen.running) } catch { Streams.error("\(error.sentence)\n") }
        }
        defer { terminal.giveBack() }
        keeper.screen = terminal
        while end == nil, !terminal.isGone {
            terminal.show(screen.draw(columns: terminal.size.columns, rows: terminal.size.rows))
            for key in terminal.wait().keys where end == nil {
                for action in screen.press(key) { try perform(action) }
            }
        }
        if end == nil { terminal.endIfGone() }
        return end ?? ""
    }

    private func perform(_ action: SurveyScreen.Action) throws(Failure) {
        switch action {
        case .keep: try keep()
        case .finish: try finish()
        case .end:
            // Answers that did not get there are tried once more.
            if !screen.trouble.isEmpty { try keep() }
            let why = ["", SurveyLines.unsent].contains(screen.trouble) ? "" : screen.trouble.shown + "\n"
            let unfit = screen.unfitWords.map { words in
                "This is no answer, and is not kept:\n\(words.paragraphs(columns: nil).joined(separator: "\n"))\n"
            }
            end =
                end ?? why + (unfit ?? "")
                + SurveyLines.farewell(
                    screen.running, screen.closes, isUnsent: !screen.trouble.isEmpty,
                    isFinishInDoubt: keeper.isFinishInDoubt)
        }
    }

    private func keep() throws(Failure) {
        switch try keeper.keep(screen.running) {
        case .done, .incomplete: screen.trouble = ""
        case .finished: end = SurveyWords.finished
        case .unsent: screen.trouble = SurveyLines.unsent
        case .unfit(let question, let sentence): screen.take(unfit: question, sentence)
        case .over(let sentence): end = sentence
        }
    }

    private func finish() throws(Failure) {
        switch try keeper.finish(screen.running) {
        case .done, .finished: end = SurveyWords.finished
        case .incomplete: screen.takeIncomplete()
        case .unsent:
            try keep()
            screen.notice = SurveyLines.notFinished(isInDoubt: keeper.isFinishInDoubt)
        case .unfit(let question, let sentence): screen.take(unfit: question, sentence)
        case .over(let sentence): end = sentence
        }
    }
}
