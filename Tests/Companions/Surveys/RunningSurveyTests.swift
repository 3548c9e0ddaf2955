import JSON
import SurveyFormat
import Testing

@testable import Surveys

@Suite struct RunningSurveyTests {
    private let good = SurveySamples.good
    private let bad = SurveySamples.bad

    private func names(_ items: [Questionnaire.Item]) -> [String] { items.map(\.linkID) }

    @Test func `a survey goes forth and back, and ends behind its last question`() {
        var survey = RunningSurvey(SurveySamples.week)
        #expect(survey.current == "mood" && survey.number == 1)
        let isFirst = !survey.goBack()
        #expect(isFirst)
        survey.answer(bad)
        survey.goOn()
        #expect(survey.current == "nights")
        survey.goOn()
        #expect(survey.current == "words")
        survey.goOn()
        #expect(survey.current == nil && survey.number == 4)
        let isLast = !survey.goOn()
        #expect(isLast)
        survey.goBack()
        #expect(survey.current == "words")
        survey.goBack()
        survey.goBack()
        #expect(survey.current == "mood")
    }

    @Test func `a question is asked if its conditions hold, and its answer counts only then`() {
        var survey = RunningSurvey(SurveySamples.week)
        // Without an answer, the answer differs (FHIR R4).
        #expect(names(survey.questions) == ["mood", "nights", "words"])
        survey.answer(bad)
        survey.goOn()
        survey.answer(.integer(3))
        survey.goBack()
        survey.answer(good)
        #expect(names(survey.questions) == ["mood", "words"])
        #expect(survey.answers["nights"] == .integer(3))
    }

    @Test func `a required question without an answer is named`() {
        var survey = RunningSurvey(SurveySamples.week)
        #expect(
            names(survey.missing) == ["mood", "nights"] && names(survey.unanswered) == ["mood", "nights", "words"])
        survey.goOn()
        survey.goOn()
        survey.goOn()
        survey.goToMissing()
        #expect(survey.current == "mood")
        survey.answer(good)
        let isComplete = !survey.goToMissing()
        #expect(survey.missing.isEmpty && isComplete && survey.current == "mood")
    }

    @Test func `the texts stand before the question that follows them`() {
        var survey = RunningSurvey(SurveySamples.week)
        #expect(survey.texts(before: "mood") == ["The days and the nights", "Think of the last seven days."])
        #expect(survey.texts(before: "nights") == ["The days and the nights"])
        #expect(survey.texts(before: "words") == [])
        #expect(survey.texts(before: nil) == [])
        let thanks = SurveySamples.read(
            items: """
                {"linkId": "1", "type": "boolean", "text": "?"}, {"linkId": "2", "type": "display", "text": "Thank you."}
                """)
        survey = RunningSurvey(thanks)
        #expect(survey.texts(before: "1") == [] && survey.texts(before: nil) == ["Thank you."])
    }

    @Test func `it is taken up at the first question without an answer`() {
        let kept = SurveySamples.answers(["mood": bad, "words": .text("a")])
        let survey = RunningSurvey(SurveySamples.week, kept: kept)
        #expect(survey.current == "nights" && survey.answers == kept)
        let all = SurveySamples.answers(["mood": good, "words": .text("a")])
        #expect(RunningSurvey(SurveySamples.week, kept: all).current == nil)
    }

    @Test func `it goes to a question that is asked, and to no other`() {
        var survey = RunningSurvey(SurveySamples.week, kept: SurveySamples.answers(["mood": good]))
        let isMoved = survey.go(to: "mood")
        #expect(isMoved && survey.current == "mood")
        let isElsewhere = survey.go(to: "nights") || survey.go(to: "gone")
        #expect(!isElsewhere && survey.current == "mood")
    }

    @Test func `the response has the questions that are asked, in their groups`() throws {
        let week = SurveySamples.week
        var survey = RunningSurvey(week, kept: SurveySamples.answers(["mood": bad, "nights": .integer(3)]))
        #expect(
            String(decoding: survey.response(isFinished: true).text, as: UTF8.self)
                == #"{"resourceType":"QuestionnaireResponse","status":"completed","item":[{"linkId":"sleep","item":["#
                + #"{"linkId":"mood","answer":[{"valueCoding":{"system":"s","code":"bad","display":"Bad"}}]},"#
                + #"{"linkId":"nights","answer":[{"valueInteger":3}]}]}]}"#)
        survey.goBack()
        survey.goBack()
        survey.answer(good)
        let kept = try SurveyAnswers(reading: survey.response(isFinished: false).text, of: week)
        #expect(kept == SurveySamples.answers(["mood": good, "nights": .integer(3)]))
        let finished = try SurveyAnswers(reading: survey.response(isFinished: true).text, of: week)
        #expect(finished == SurveySamples.answers(["mood": good]))
        #expect(
            String(decoding: RunningSurvey(week).response(isFinished: false).text, as: UTF8.self)
                == #"{"resourceType":"QuestionnaireResponse","status":"in-progress"}"#)
    }
}
