public import Companion
public import JSON
public import SurveyFormat

// The documents of a survey in a reply of the practice.
extension DaemonConnection {
    public func questionnaire(_ document: RawJSON) throws(Failure) -> Questionnaire {
        do { return try Questionnaire.read(document.text) } catch {
            throw .notUnderstood("a survey: \(error.list.first?.reason ?? "")", from: daemon)
        }
    }

    /// - Parameter document: nil if there is no answer yet.
    public func answers(_ document: RawJSON?, to survey: Questionnaire) throws(Failure) -> SurveyAnswers {
        guard let document else { return SurveyAnswers() }
        do { return try SurveyAnswers(reading: document.text, of: survey, isStored: true) } catch {
            throw .notUnderstood("an answer: \(error.question ?? "it") \(error.reason)", from: daemon)
        }
    }
}
