import Companion
import JSON
import PracticeInterfaces
import StaffInterfaces
import SurveyFormat
import Surveys

/// The part of a case file's page about programmes, and surveys with their answers.
struct CaseFileCourses {
    private let file: Records.ClientFile
    private let courses: Records.FiledProgrammes
    /// The answers to surveys, by the surveys' identifiers.
    private let answered: [String: Answered]

    private struct Answered {
        let questionnaire: Questionnaire
        let answers: SurveyAnswers
        let head: Head
    }

    private struct Head: Decodable {
        let id: String
        let status: String
        let authored: String?
    }

    /// Throws if a survey or an answer cannot be read.
    init(_ file: Records.ClientFile) throws(Failure) {
        self.file = file
        courses = file.programmes ?? .init(enrolments: [], surveys: [], responses: [], questionnaires: [])
        answered = try Self.answered(courses)
    }

    private static func answered(_ courses: Records.FiledProgrammes) throws(Failure) -> [String: Answered] {
        var answered: [String: Answered] = [:]
        for response in courses.responses {
            let head: Head
            do { head = try decodeObject(Head.self, from: response.text) } catch {
                throw .notUnderstood("an answer's \(error.member ?? "form")", from: .practiced)
            }
            guard let survey = courses.surveys.first(where: { $0.id == head.id }),
                let enrolment = courses.enrolments.first(where: { $0.id == survey.enrolment }),
                let document = courses.questionnaires.first(where: {
                    ($0.programme, $0.revision, $0.survey) == (enrolment.programme, enrolment.revision, survey.survey)
                })
            else { throw .notUnderstood("the survey of the answers \(head.id)", from: .practiced) }
            let questionnaire: Questionnaire
            do { questionnaire = try Questionnaire.read(document.questionnaire.text) } catch {
                throw .notUnderstood("a survey: \(error.list.first?.reason ?? "")", from: .practiced)
            }
            do {
                let answers = try SurveyAnswers(reading: response.text, of: questionnaire, isStored: true)
                answered[head.id] = Answered(questionnaire: questionnaire, answers: answers, head: head)
            } catch { throw .notUnderstood("an answer: \(error.question ?? "it") \(error.reason)", from: .practiced) }
        }
        return answered
    }

    var section: CaseFileSection {
        CaseFileSection(
            title: "Programmes and surveys",
            parts: courses.enrolments.map(enrolment) + courses.surveys.map(survey) + charts)
    }

    private func enrolment(_ enrolment: Records.FiledEnrolment) -> String {
        let began =
            "\(enrolment.programme), version \(enrolment.revision) · from \(Wording.date(enrolment.since)) on · "
            + "enrolled \(Wording.time(enrolment.at, today: nil)) by \(file.name(enrolment.by))"
        var parts = [enrolment.name.headingOnPage, began.paragraphOnPage]
        if let ended = enrolment.ended {
            let day = enrolment.until.map { " on \(Wording.date($0))" } ?? ""
            parts.append(
                (Wording.capitalised(ended) + day + (enrolment.reason.map { ": \($0)" } ?? ".")).paragraphOnPage)
        }
        if !enrolment.lessonsRead.isEmpty {
            let rows = enrolment.lessonsRead.map { [$0.lesson, Wording.time($0.at, today: nil)] }
            parts.append(rows.tableOnPage("Lesson", "Read"))
        }
        return "<article>\n\(parts.joined(separator: "\n"))\n</article>"
    }

    // MARK: Surveys

    private func survey(_ survey: Records.FiledSurvey) -> String {
        let state =
            switch survey.state {
            case "upcoming": "to come"
            case "due": "open"
            case "missed": "not answered"
            default: survey.state
            }
        let when = survey.answered.map { " \(Wording.time($0, today: nil))" } ?? ""
        let days = "from \(Wording.time(survey.opens, today: nil)) to \(Wording.time(survey.closes, today: nil))"
        let score = survey.score.map { " · score \(SurveyAnswer.spelled($0))" } ?? ""
        var parts = [
            "\(survey.title), No. \(survey.occurrence)".headingOnPage,
            "\(state)\(when) · \(days)\(score)".paragraphOnPage,
        ]
        if let answered = answered[survey.id] { parts += lines(answered) }
        return "<article>\n\(parts.joined(separator: "\n"))\n</article>"
    }

    private func lines(_ answered: Answered) -> [String] {
        let survey = answered.questionnaire
        let items = zip(survey.items, survey.asked(answered.answers)).flatMap { item, isAsked -> [String] in
            switch item.kind {
            case .display: return []
            case .group: return ["<dt dir=\"auto\"><b>\(item.heading.onPage)</b></dt>"]
            default:
                let answer = answered.answers[item.linkID].map(item.spelled)
                // A saved answer may be to a question that is not asked any more.
                let said = answer ?? (isAsked ? "– no answer –" : "– not asked –")
                return ["<dt dir=\"auto\">\(item.heading.onPage)</dt><dd dir=\"auto\">\(said.onPage)</dd>"]
            }
        }
        let authored = answered.head.authored.map { " \(Wording.time($0, today: nil))" } ?? ""
        let saved = answered.head.status == "completed" ? [] : ["Saved\(authored), and not finished.".paragraphOnPage]
        let owner = survey.copyright.map { [$0.paragraphOnPage] } ?? []
        return saved + ["<dl class=\"answers\">\n\(items.joined(separator: "\n"))\n</dl>"] + owner
    }

    /// The scores of each survey over time; none in a file without scores.
    private var charts: [String] {
        let scored = courses.surveys.compactMap { survey -> Programmes.Survey? in
            guard let score = survey.score, let survey = spelled(survey, score) else { return nil }
            return survey
        }
        let page = SurveysPage(surveys: scored, today: "", columns: nil, ink: .plain)
        return page.series.enumerated().map { place, series in
            DotDrawing(series.plot, title: "\(series.heading): scores").figure("scores-\(place + 1)")
        }
    }

    private func spelled(_ survey: Records.FiledSurvey, _ score: Double) -> Programmes.Survey? {
        guard let bounds = answered[survey.id]?.questionnaire.scoreBounds else { return nil }
        return Programmes.Survey(
            id: survey.id, enrolment: survey.enrolment, title: survey.title, questions: 0, opens: survey.opens,
            state: .answered, answered: survey.answered, score: score, least: bounds.lowerBound,
            greatest: bounds.upperBound, programme: courses.enrolments.first { $0.id == survey.enrolment }?.name,
            survey: survey.survey)
    }
}
