import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import SurveyFormat
import Time

extension CallContext {
    /// The part of a case file about programmes and surveys; nil if the client was in no programme. The client's own file has no
    /// scores, as their surveys have none.
    func programmeFile(of record: Record) throws -> Records.FiledProgrammes? {
        let enrolments = try store.enrolments(of: record.person.id, past: true)
        guard !enrolments.isEmpty else { return nil }
        let zone = zone(of: record)
        let filed = try store.filedSurveys(of: record.person.id, withKept: role != .thanatologist)
        var responses: [RawJSON] = []
        var questionnaires: [String: Records.FiledProgrammes.Questionnaires] = [:]
        for survey in filed {
            guard let answers = survey.answers else { continue }
            responses.append(try response(answers, survey, record))
            let found = survey.survey
            questionnaires["\(found.programme) \(found.revision) \(found.survey)"] = .init(
                programme: found.programme, revision: found.revision, survey: found.survey,
                questionnaire: try RawJSON(parsing: Array(try questionnaire(of: found).utf8)))
        }
        return Records.FiledProgrammes(
            enrolments: try enrolments.reversed().map { try self.filed($0) },
            surveys: filed.map { self.filed(told($0.survey, zone)) }, responses: responses,
            questionnaires: questionnaires.sorted { $0.key < $1.key }.map(\.value))
    }

    private func response(_ answers: String, _ filed: FiledSurvey, _ record: Record) throws -> RawJSON {
        let questionnaire = try parsedQuestionnaire(of: filed.survey)
        do {
            let given = try SurveyAnswers(reading: Array(answers.utf8), of: questionnaire, isStored: true)
            return try RawJSON(
                parsing: response(
                    given, to: questionnaire, filed.survey, record, isCompleted: filed.isFinished, at: filed.at))
        } catch is AnswerFault {
            throw Practice.StorageUnavailable(reason: "The answers to the survey \(filed.survey.id) cannot be read.")
        }
    }

    private func filed(_ enrolment: ClientEnrolment) throws -> Records.FiledEnrolment {
        Records.FiledEnrolment(
            id: enrolment.id.description, programme: enrolment.programme, revision: enrolment.revision,
            name: enrolment.name, at: spelled(enrolment.at), by: enrolment.by?.description ?? "root",
            since: enrolment.since.description, until: enrolment.end?.on.description,
            ended: enrolment.end?.kind.rawValue,
            reason: role == .client ? nil : enrolment.end.flatMap { $0.reason.isEmpty ? nil : $0.reason },
            lessonsRead: try store.readMarks(of: enrolment.id).map { .init(lesson: $0.lesson, at: spelled($0.at)) })
    }

    private func filed(_ survey: Programmes.Survey) -> Records.FiledSurvey {
        Records.FiledSurvey(
            id: survey.id, enrolment: survey.enrolment, survey: survey.survey ?? "", title: survey.title,
            occurrence: survey.occurrence ?? 1, opens: survey.opens, closes: survey.closes ?? "",
            state: survey.state.rawValue, answered: survey.answered, score: survey.score)
    }
}
