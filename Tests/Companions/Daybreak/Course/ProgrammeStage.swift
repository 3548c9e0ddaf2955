import Foundation
import Testing

/// A client's machine that is linked with a practice whose programmes the test makes up.
struct ProgrammeStage {
    let stage: PracticeStage

    /// The survey of ``SurveySamples``, as the practice has it.
    static let questionnaire = """
        {"resourceType": "Questionnaire", "status": "active", "title": "The week",
         "copyright": "Written for these tests.", "item": [
          {"linkId": "intro", "type": "display", "text": "Think of the last seven days."},
          {"linkId": "mood", "type": "choice", "prefix": "1.", "text": "How was your week?", "required": true, "answerOption": [
            {"valueCoding": {"system": "s", "code": "good", "display": "Good"}},
            {"valueCoding": {"system": "s", "code": "bad", "display": "Bad"}}]},
          {"linkId": "nights", "type": "integer", "prefix": "2.", "text": "How many nights did you lie awake?",
           "required": true, "enableWhen": [
            {"question": "mood", "operator": "=", "answerCoding": {"system": "s", "code": "bad"}}]},
          {"linkId": "words", "type": "text", "prefix": "3.", "text": "What else is there to say?"}]}
        """

    init() throws {
        stage = try PracticeStage()
        #expect(try stage.setUp("none").status == 0)
        try reply(
            "WhoAmI", #"{"practice":"Clinic","timeZone":"UTC","today":"2027-03-05","currency":"EUR","rights":[]}"#)
        try reply("ListEnrolments", "{\"enrolments\":[\(Self.enrolment)]}")
        try reply("ListLessons", "{\"lessons\":[\(Self.lessons)]}")
        try reply("GetLesson", Self.walk)
        try reply("MarkRead", #"{"lesson":{"id":"l2","title":"A short walk","unlocked":true,"read":true}}"#)
        try reply("ListSurveys", "{\"surveys\":[\(Self.survey("due"))]}")
        try tellSurvey()
    }

    static let enrolment =
        #"{"id":"e1","client":"p3","programme":"feet","name":"Finding your feet","state":"active","since":"2027-03-01","#
        + #""lessonsRead":1,"lessons":3}"#
    static let lessons =
        #"{"id":"l1","title":"First steps","unlocked":true,"read":true},"#
        + #"{"id":"l2","title":"A short walk","minutes":10,"unlocked":true,"read":false},"#
        + #"{"id":"l3","title":"Looking back","unlocked":false,"reason":"it opens 7 days after the first day","#
        + #""unlocksAt":"2027-03-08T00:00:00+01:00","read":false}"#
    static let walk =
        #"{"lesson":{"id":"l2","title":"A short walk","minutes":10,"unlocked":true,"read":false},"#
        + ##""text":"# A short walk\n\nGo *outside*, by [the map](https://example.org/map).\n"}"##

    static func survey(
        _ state: String, id: String = "v1", closes: String = "2027-03-08T00:00:00+01:00", also: String = ""
    ) -> String {
        #"{"id":"\#(id)","enrolment":"e1","title":"The week","questions":3,"opens":"2027-03-05T00:00:00+01:00","#
            + #""closes":"\#(closes)","state":"\#(state)","occurrence":1,"occurrences":8\#(also)}"#
    }

    /// - Parameter answers: a QuestionnaireResponse.
    func tellSurvey(_ state: String = "due", answers: String? = nil) throws {
        let kept = answers.map { ",\"answers\":\($0)" } ?? ""
        try reply(
            "GetSurvey", "{\"survey\":\(Self.survey(state)),\"questionnaire\":\(Self.questionnaire)\(kept)}")
        try reply("Answer", "{\"survey\":\(Self.survey(state))}")
    }

    private func object(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }

    func reply(_ method: String, _ text: String) throws {
        let object = try object(text)
        try stage.change { state in
            var replies = state["replies"] as? [String: Any] ?? [:]
            replies[method] = object
            state["replies"] = replies
        }
    }

    func refuse(_ method: String, _ error: String?) throws {
        let object = try error.map(object)
        try stage.change { state in
            var errors = state["errors"] as? [String: Any] ?? [:]
            errors[method] = object
            state["errors"] = errors
        }
    }

    /// The line is cut at each call of these methods.
    func lose(_ methods: String...) throws { try stage.change { $0["lost"] = methods } }

    func run(_ words: String..., input: String? = nil) throws -> ProgramTests.Run {
        try ProgramTests.run(
            words, socket: stage.daemon.path, input: input,
            environment: stage.environment.merging(["TERM": "dumb", "LANG": "C.UTF-8"]) { $1 })
    }

    /// The parameters of the last call of a method, as JSON with sorted keys.
    func given(_ method: String, without key: String = "key") -> String? {
        guard let all = stage.state()["given"] as? [String: Any], var given = all[method] as? [String: Any] else {
            return nil
        }
        given[key] = nil
        let data = try? JSONSerialization.data(withJSONObject: given, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    /// How often a method was called.
    func calls(of method: String) -> Int { stage.log.count { $0 == method } }
}
