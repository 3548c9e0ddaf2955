import SurveyFormat

/// A survey as tests answer it: a text, a group of two questions of which one depends on the other, and one that may be left open.
enum SurveySamples {
    static let week = read(
        items: #"""
            {"linkId": "intro", "type": "display", "text": "Think of the last seven days."},
            {"linkId": "sleep", "type": "group", "text": "The days and the nights", "item": [
              {"linkId": "mood", "type": "choice", "prefix": "1.", "text": "How was your week?", "required": true,
               "answerOption": [
                 {"valueCoding": {"system": "s", "code": "good", "display": "Good"}},
                 {"valueCoding": {"system": "s", "code": "mixed", "display": "Good and bad"}},
                 {"valueCoding": {"system": "s", "code": "bad", "display": "Bad"}}]},
              {"linkId": "nights", "type": "integer", "prefix": "2.", "text": "How many nights did you lie awake?",
               "required": true,
               "enableWhen": [{"question": "mood", "operator": "!=", "answerCoding": {"system": "s", "code": "good"}}],
               "extension": [
                 {"url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 0},
                 {"url": "http://hl7.org/fhir/StructureDefinition/maxValue", "valueInteger": 7}]}]},
            {"linkId": "words", "type": "text", "prefix": "3.", "text": "What else is there to say?"}
            """#)

    static let good = SurveyAnswer.choice(0)
    static let bad = SurveyAnswer.choice(2)

    /// A survey with these items, as FHIR has them.
    static func read(items: String) -> Questionnaire {
        try! Questionnaire.read(
            Array(
                """
                {"resourceType": "Questionnaire", "status": "active", "title": "The week",
                 "copyright": "Written for these tests.", "item": [\(items)]}
                """.utf8))
    }

    static func answers(_ answers: [String: SurveyAnswer], to survey: Questionnaire = week) -> SurveyAnswers {
        var all = SurveyAnswers()
        for (question, answer) in answers { try! all.set(answer, to: question, of: survey) }
        return all
    }
}
