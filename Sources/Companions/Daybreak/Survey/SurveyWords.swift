import Companion
import PracticeInterfaces
import SurveyFormat
import Surveys
import Time

/// Phrases about a survey. None of them judges an answer.
enum SurveyWords {
    /// The paragraphs of the last page: what is left open, by its words, and what finishing means.
    static func end(_ running: RunningSurvey) -> [String] {
        let missing = running.missing
        guard missing.isEmpty else {
            let one = missing.count == 1
            return [
                one ? "This question needs an answer before the end:" : "These questions need answers before the end:"
            ]
                + missing.map { "• \(named($0))" }
        }
        let open = running.unanswered
        let left = open.isEmpty ? [] : ["Left open, as you may:"] + open.map { "• \(named($0))" } + [""]
        return ["That was the last question.", ""] + left
            + ["Once it is finished, the answers go to your therapist and stay as they are."]
    }

    private static func named(_ question: Questionnaire.Item) -> String {
        question.heading.split(whereSeparator: \.isNewline).joined(separator: " ").shown.cut(to: 160)
    }

    /// The sentence after the screen was left.
    static func left(_ running: RunningSurvey, closes: String?) -> String {
        let asked = running.questions.count
        let answered = asked - running.unanswered.count
        let until = closes.map { ", until \($0)" } ?? ""
        return "Kept: \(answered) of \(Wording.counted(asked, "question")) answered. "
            + "`daybreak survey` goes on\(until)."
    }

    static let finished = "The survey is answered. Thank you."

    /// The end of the survey's days, of which midnight is the end of the day before; nil if it has none.
    static func closes(_ survey: Programmes.Survey, today: String) -> String? {
        survey.closes.map { end($0, today: today) }
    }

    static func end(_ instant: String, today: String?) -> String {
        guard let read = DateTime(instant), read.time.hour == 0, read.time.minute == 0 else {
            return Wording.time(instant, today: today)
        }
        return "the end of \(Wording.day(read.day - 1, today: today.flatMap { CalendarDay($0) }))"
    }
}
