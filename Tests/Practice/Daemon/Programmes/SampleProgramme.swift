import JSON
import PracticeInterfaces
import Time

@testable import PracticeDaemon

/// A programme of two lessons, a survey that is asked each week, and three tasks.
enum SampleProgramme {
    static let document = """
        id = "first"
        name = "First weeks"
        summary = "To begin with."

        [[lesson]]
        file = "one.md"
        minutes = 5

        [[lesson]]
        file = "two.md"
        after_days = 2
        after_lesson = "one"

        [[survey]]
        file = "week.json"
        every_days = 7
        times = 3
        open_days = 2

        [[homework]]
        day = 1
        every_days = 2
        times = 3
        breaths = 5
        moods = ["calm", "tired"]
        """

    /// A choice that counts, a required one that is asked after yes, and a text.
    static let survey = """
        {
          "resourceType": "Questionnaire", "title": "Your week", "status": "active", "copyright": "Free to use.",
          "item": [
            {"linkId": "sleep", "type": "choice", "text": "How did you sleep?", "required": true, "answerOption": [
              {"valueCoding": {"code": "bad", "display": "Badly"},
               "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": -1}]},
              {"valueCoding": {"code": "good", "display": "Well"},
               "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": 2.5}]}
            ]},
            {"linkId": "walk", "type": "boolean", "text": "Did you walk?"},
            {"linkId": "far", "type": "integer", "text": "How far?", "required": true,
             "enableWhen": [{"question": "walk", "operator": "=", "answerBoolean": true}]},
            {"linkId": "more", "type": "text", "text": "Anything else?"}
          ]
        }
        """

    static func files(
        _ document: String = document, lesson: String = "# One\n\nText.\n"
    ) -> [Programmes.ImportProgramme.Files] {
        [
            .init(path: "programme.toml", text: document), .init(path: "one.md", text: lesson),
            .init(path: "two.md", text: "# Two\n\nMore.\n"), .init(path: "week.json", text: survey),
        ]
    }

    /// A programme with one lesson.
    static let second: [Programmes.ImportProgramme.Files] = [
        .init(path: "programme.toml", text: "id = \"second\"\nname = \"Later\"\n[[lesson]]\nfile = \"a.md\"\n"),
        .init(path: "a.md", text: "# A\n"),
    ]

    static func answers(_ items: String) -> RawJSON {
        let text = #"{"resourceType":"QuestionnaireResponse","status":"in-progress","item":[\#(items)]}"#
        // The text is written in this file.
        return try! RawJSON(parsing: Array(text.utf8))
    }

    static let good = #"{"linkId":"sleep","answer":[{"valueCoding":{"code":"good"}}]}"#
    static let walked = #"{"linkId":"walk","answer":[{"valueBoolean":true}]}"#
    static let far = #"{"linkId":"far","answer":[{"valueInteger":3}]}"#
}

/// A clinic with Ana, her client Cleo, and the sample programme. Cleo begins on 2027-03-05, a Friday, at nine in Madrid.
struct CourseClinic {
    let clinic = try! Clinic()
    let (ana, cleo): (Clinic.TestCaller, Clinic.TestCaller)
    let (anaID, cleoID): (String, String)
    let enrolment: String

    init(from: String? = nil) throws {
        anaID = try clinic.staff("Ana", .thanatologist)
        cleoID = try clinic.client("Cleo", of: anaID)
        (ana, cleo) = (clinic.as(anaID), clinic.as(cleoID))
        try clinic.root.call(Programmes.ImportProgramme(files: SampleProgramme.files()))
        enrolment = try ana.call(Programmes.Enrol(client: cleoID, programme: "first", from: from)).enrolment.id
    }

    func advance(days: Int) { clinic.clock.advance(by: .seconds(days * 86_400)) }

    /// The surveys as their caller sees them: number, opening day, state and score.
    func surveys(_ caller: Clinic.TestCaller, all: Bool = true) throws -> [String] {
        try caller.call(Programmes.ListSurveys(client: cleoID, all: all)).surveys.map { survey in
            let score = survey.score.map { " \($0)" } ?? ""
            return "\(survey.id) \(survey.opens) \(survey.closes ?? "") \(survey.state.rawValue)\(score)"
        }
    }

    /// The lessons: whether they can be read, or the reason and the instant.
    func lessons(_ caller: Clinic.TestCaller) throws -> [String] {
        try caller.call(Programmes.ListLessons(enrolment: enrolment)).lessons.map { lesson in
            let state =
                lesson.read ? "read" : lesson.unlocked ? "unlocked" : "\(lesson.reason ?? "") \(lesson.unlocksAt ?? "")"
            return "\(lesson.id) \(lesson.title): \(state)"
        }
    }
}
