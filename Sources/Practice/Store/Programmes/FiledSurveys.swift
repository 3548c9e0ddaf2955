import Storage
public import Time

/// A survey as a case file has it.
public struct FiledSurvey: Equatable, Sendable {
    public let survey: ClientSurvey
    /// A FHIR R4 QuestionnaireResponse; nil for a survey that was missed.
    public let answers: String?
    public let isFinished: Bool
    /// The time of the answers.
    public let at: Instant
}

extension Store {
    /// A client's surveys that were answered or missed, the oldest first.
    ///
    /// - Parameter withKept: also those whose answers are saved and not finished.
    public func filedSurveys(of client: ID<Person>, withKept: Bool) throws -> [FiledSurvey] {
        try database.rows(
            """
            SELECT \(Self.surveyColumns), a.answers, k.answers, k.at FROM survey s
            LEFT JOIN survey_pending p ON p.survey = s.id \(Self.surveyTables)
            WHERE s.client = $1 AND (a.survey IS NOT NULL OR m.survey IS NOT NULL OR ($2 = 1 AND k.survey IS NOT NULL))
            ORDER BY s.opens_on, s.id
            """, client, withKept
        ) {
            let survey = Self.survey($0)
            guard case .answered(let at, _) = survey.standing else {
                return FiledSurvey(
                    survey: survey, answers: withKept ? $0.text(22) : nil, isFinished: false,
                    at: $0.instant(23) ?? Instant(microseconds: 0))
            }
            return FiledSurvey(survey: survey, answers: $0.text(21), isFinished: true, at: at)
        }
    }
}
