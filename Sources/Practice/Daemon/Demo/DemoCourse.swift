import JSON
import PracticeInterfaces

/// The programme of the made-up practice: three lessons, a survey each week, and some breathing.
enum DemoCourse {
    static let id = "first-weeks"
    /// The days for which the programme's surveys are asked.
    static let days = 24

    static let files: [Programmes.ImportProgramme.Files] = [
        .init(path: "programme.toml", text: document), .init(path: "arriving.md", text: arriving),
        .init(path: "breathing.md", text: breathing), .init(path: "days.md", text: goodDays),
        .init(path: "week.json", text: week),
    ]

    private static let document = """
        id = "\(id)"
        name = "The first weeks"
        summary = "Three short lessons, two questions a week, and some minutes of breathing."

        [[lesson]]
        file = "arriving.md"
        minutes = 5

        [[lesson]]
        file = "breathing.md"
        minutes = 5
        after_lesson = "arriving"

        [[lesson]]
        file = "days.md"
        minutes = 8
        after_days = 7
        after_survey = "week"

        [[survey]]
        file = "week.json"
        first_day = 7
        every_days = 7
        times = 3
        open_days = 3

        [[homework]]
        day = 2
        every_days = 2
        times = 3
        breaths = 10
        moods = ["calm", "tired", "sad"]
        """

    private static let arriving = """
        # Arriving

        You are here, and that is enough for today. Grief has **no timetable**: some days are quiet, some are loud.

        - three short lessons, one after the other
        - two questions each week, which your therapist reads
        - some minutes of breathing
        """

    private static let breathing = """
        # Breathing, slowly

        1. Sit so that your back is held.
        2. Breathe in, and count to four.
        3. Breathe out as if through a straw, and count to six.

        > It need not feel good at once. It only has to be slow.
        """

    private static let goodDays = """
        # Good days, bad days

        A bad day after a good one is not a step back. Write down what was heavy, and what was light, even if it was small.
        """

    private static let week = """
        {
          "resourceType": "Questionnaire", "title": "How was your week?", "status": "active",
          "copyright": "Written for Daybreak. Free to use, to change and to share.",
          "item": [
            {"linkId": "sleep", "prefix": "1", "type": "choice", "required": true, "text": "How did you sleep?",
             "answerOption": [\(option("badly", "Badly", 0)), \(option("so-so", "So-so", 1)), \(option("well", "Well", 2))]},
            {"linkId": "company", "prefix": "2", "type": "choice", "required": true,
             "text": "Were there people with whom you could speak?",
             "answerOption": [\(option("no", "No", 0)), \(option("one", "One person", 1)), \(option("more", "Several", 2))]},
            {"linkId": "note", "type": "text", "text": "Is there something that your therapist should know?"}
          ]
        }
        """

    private static func option(_ code: String, _ words: String, _ weight: Int) -> String {
        """
        {"valueCoding": {"code": "\(code)", "display": "\(words)"}, "extension": [
        {"url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": \(weight)}]}
        """
    }

    /// Answers that choose one of the options of each question.
    static func answers(sleep: Int, company: Int) throws -> RawJSON {
        let chosen = [("sleep", ["badly", "so-so", "well"][sleep]), ("company", ["no", "one", "more"][company])]
        let items = chosen.map { "{\"linkId\":\"\($0)\",\"answer\":[{\"valueCoding\":{\"code\":\"\($1)\"}}]}" }
        let text = "{\"resourceType\":\"QuestionnaireResponse\",\"item\":[\(items.joined(separator: ","))]}"
        return try RawJSON(parsing: Array(text.utf8))
    }
}
