import Testing
import Time

@testable import SurveyFormat

@Suite struct `The reader of surveys` {
    private func survey(_ items: String, head: String = "") -> [UInt8] {
        Array(
            #"{"resourceType": "Questionnaire", "title": "Week", "status": "active", \#(head)"item": [\#(items)]}"#.utf8
        )
    }

    private func faults(_ bytes: [UInt8]) -> [String] {
        do {
            _ = try Questionnaire.read(bytes)
            return []
        } catch { return error.list.map { "\($0.line): \($0.reason)" } }
    }

    @Test func `each kind of question is read`() throws {
        let read = try Questionnaire.read(
            survey(
                #"""
                {"linkId": "g", "type": "group", "text": "About you", "item": [
                  {"linkId": "c", "prefix": "1", "type": "choice", "text": "Which?", "required": true, "answerOption": [
                    {"valueCoding": {"system": "urn:s", "code": "a", "display": "A"},
                     "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/itemWeight", "valueDecimal": 1.5}]},
                    {"valueString": "words"}, {"valueInteger": 7}]},
                  {"linkId": "b", "type": "boolean", "text": "So?"}]},
                {"linkId": "i", "type": "integer", "text": "How many?", "enableBehavior": "any", "enableWhen": [
                  {"question": "c", "operator": "=", "answerCoding": {"system": "urn:s", "code": "a"}},
                  {"question": "b", "operator": "!=", "answerBoolean": false}],
                 "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 1},
                               {"url": "http://hl7.org/fhir/StructureDefinition/maxValue", "valueInteger": 9}]},
                {"linkId": "d", "type": "decimal", "text": "How much?"},
                {"linkId": "t", "type": "date", "text": "When?",
                 "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueDate": "2027-01-01"}]},
                {"linkId": "s", "type": "string", "text": "Who?", "maxLength": 40},
                {"linkId": "x", "type": "text", "text": "What else?"},
                {"linkId": "y", "type": "display", "text": "Thank you."}
                """#, head: #""copyright": "Free.", "url": "https://example.org/q","#))
        #expect(read.title == "Week" && read.copyright == "Free." && read.url == "https://example.org/q")
        #expect(read.questionCount == 7)
        #expect(read.items.map(\.linkID) == ["g", "c", "b", "i", "d", "t", "s", "x", "y"])
        #expect(read.items.map(\.group) == [nil, 0, 0, nil, nil, nil, nil, nil, nil])
        #expect(
            read.items[1].kind
                == .choice([
                    .init(value: .coding(system: "urn:s", code: "a", display: "A"), weight: 1.5),
                    .init(value: .text("words"), weight: nil), .init(value: .number(7), weight: nil),
                ]))
        #expect(read.items[1].isRequired && read.items[1].prefix == "1")
        #expect(
            read.items[3].conditions == [
                .init(question: 1, isEqual: true, answer: .choice(0)),
                .init(question: 2, isEqual: false, answer: .boolean(false)),
            ])
        #expect(!read.items[3].needsAllConditions)
        #expect(
            read.items.dropFirst(3).map(\.kind) == [
                .integer(1...9), .decimal(least: nil, greatest: nil),
                .date(earliest: CalendarDay("2027-01-01"), latest: nil),
                .string(limit: 40), .text(limit: 10_000), .display,
            ])
    }

    @Test(arguments: [
        ("[", "1: It is not JSON: expected a value, found the end."),
        ("[]", "1: A survey is a JSON object, a FHIR R4 Questionnaire."),
        (
            #"{"resourceType": "Patient", "title": "A", "status": "active", "item": [{"linkId": "a", "type": "boolean", "text": "A?"}]}"#,
            #"1: The resourceType must be "Questionnaire"."#
        ),
    ]) func `a document that is no survey is refused`(text: String, fault: String) {
        #expect(faults(Array(text.utf8)) == [fault])
    }

    @Test(arguments: [
        (
            #""modifierExtension": [], "#,
            #""modifierExtension" may change the meaning of all that it stands with. Daybreak knows none."#
        ),
        (
            #""implicitRules": "urn:x", "#,
            #""implicitRules" may change the meaning of all that it stands with. Daybreak knows none."#
        ),
        (
            #""subjectType": ["Practitioner"], "#,
            #"The subjectType must be ["Patient"]: surveys are about the client."#
        ),
        (#""contained": [], "#, #""contained" is not known: Daybreak takes no such element in a survey."#),
        (#""_title": {}, "#, #""_title" is not known: Daybreak takes no such element in a survey."#),
        (#""extension": [], "#, #""extension" is not known: Daybreak takes no such element in a survey."#),
        (#""extension": {}, "#, #""extension" is not known: Daybreak takes no such element in a survey."#),
        (
            #""_title": {"extension": [{"url": "urn:x", "valueString": "A"}]}, "#,
            #"The extension "urn:x" is not known here."#
        ),
    ]) func `an element of the survey that is not known is refused by its name`(head: String, reason: String) {
        let question = #"{"linkId": "a", "type": "boolean", "text": "A?"}"#
        #expect(faults(survey(question, head: head)) == ["1: \(reason)"])
    }

    private static let mark =
        #"{"url": "http://hl7.org/fhir/StructureDefinition/rendering-criticalExtension", "valueBoolean": true}"#
    private static let least = #""url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 1"#
    private static let critical = " It is marked as critical: without it, another survey would be asked."

    @Test(arguments: [
        (#"{"url": "urn:x", "valueInteger": 1}"#, [#"The extension "urn:x" is not known here."#]),
        (
            #"{"url": "urn:x", "valueInteger": 1, "extension": [\#(mark)]}"#,
            [#"The extension "urn:x" is not known here.\#(critical)"#]
        ),
        (#"{"url": "urn:x", "extension": [\#(mark)]}"#, [#"The extension "urn:x" is not known here.\#(critical)"#]),
        (
            #"{"url": "urn:x", "valueInteger": 1}, \#(mark)"#,
            [
                #"The extension "urn:x" is not known here.\#(critical)"#,
                #"The extension "rendering-criticalExtension" is not known here."#,
            ]
        ),
        (
            #"{"url": "urn:x", "extension": [{"url": "in", "valueInteger": 1}, {"url": "of", "extension": [\#(mark)]}]}"#,
            [
                #"The extension "urn:x" is not known here."#, #"The extension "in" is not known here."#,
                #"The extension "of" is not known here.\#(critical)"#,
            ]
        ),
        (#"{"url": "urn:x", "valueInteger": 1, "valueString": "A"}"#, [#"The extension "urn:x" is not known here."#]),
        (#"{"valueInteger": 1}"#, [#"An extension has a "url" and one value."#]),
        // One that is known may be critical, and has none in it that is not known.
        (#"{\#(least), "extension": [\#(mark)]}"#, []),
        (
            #"{\#(least), "extension": [{"url": "urn:x", "valueInteger": 1}]}"#,
            [#"The extension "urn:x" is not known here."#]
        ),
    ])
    func `an extension is refused by its URL, and by the mark that it is critical, at every depth`(
        extensions: String, reasons: [String]
    ) {
        let question = #"{"linkId": "a", "type": "integer", "text": "A?", "extension": [\#(extensions)]}"#
        #expect(faults(survey(question)) == reasons.map { "1: \($0)" })
        guard !extensions.contains("minValue") else { return }
        let (plain, option) = (
            #"{"linkId": "a", "type": "boolean", "text": "A?"}"#,
            #"{"linkId": "a", "type": "choice", "text": "A?", "answerOption": [{"valueInteger": 1, "extension": [\#(extensions)]}]}"#
        )
        #expect(faults(survey(plain, head: #""extension": [\#(extensions)], "#)) == reasons.map { "1: \($0)" })
        #expect(faults(survey(option)) == reasons.map { "1: \($0)" })
    }

    @Test(arguments: [
        (
            #""type": "open-choice""#,
            #"The type "open-choice" is not known: there are group, display, choice, boolean, integer, decimal, date, string, text."#
        ),
        (
            #""type": "boolean", "modifierExtension": [1]"#,
            #""modifierExtension" may change the meaning of all that it stands with. Daybreak knows none."#
        ),
        (#""type": "boolean", "initial": []"#, #""initial" is not known: Daybreak takes no such element in an item."#),
        (#""type": "boolean", "repeats": true"#, #""repeats" is not known: it can only be false."#),
        (#""type": "boolean", "maxLength": 3"#, #"Only a string or a text has a "maxLength"."#),
        (#""type": "boolean", "answerOption": []"#, #"Only a choice has an "answerOption"."#),
        (#""type": "boolean", "item": []"#, "Only a group has items in it."),
        (#""type": "boolean", "required": "yes""#, #""required" must be true or false."#),
        (#""type": "display", "required": true"#, "Only a question can be required."),
        (#""type": "choice""#, #"The choice has no "answerOption"."#),
        (
            #""type": "choice", "answerOption": [{"valueDate": "2027-01-01"}]"#,
            #""valueDate" is not known: Daybreak takes no such element in an option."#
        ),
        (
            #""type": "choice", "answerOption": [{"valueInteger": 1}, {"valueInteger": 1}]"#,
            #"The option "1" comes twice."#
        ),
        (#""type": "string", "maxLength": 0"#, #""maxLength" must be a whole number from 1 to 10000."#),
        (
            #""type": "integer", "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueDecimal": 1}]"#,
            "The bound must be a valueInteger that fits."
        ),
        (
            #""type": "integer", "extension": [{"url": "urn:x", "valueInteger": 1}]"#,
            #"The extension "urn:x" is not known here."#
        ),
        (
            #""type": "boolean", "enableWhen": [{"question": "b", "operator": "exists", "answerBoolean": true}]"#,
            #"The operator "exists" is not known: there are = and !=."#
        ),
        (
            #""type": "boolean", "enableWhen": [{"question": "b", "operator": ">", "answerBoolean": true}]"#,
            #"The operator ">" is not known: there are = and !=."#
        ),
        (
            #""type": "boolean", "enableWhen": [{"question": "a", "operator": "=", "answerBoolean": true}]"#,
            "The condition names no question that stands before it."
        ),
        (
            #""type": "boolean", "enableWhen": [{"question": "b", "operator": "=", "answerInteger": 1}]"#,
            #"The condition's "answerInteger" is no answer to "b"."#
        ),
        (
            #""type": "integer", "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 5}, {"url": "http://hl7.org/fhir/StructureDefinition/maxValue", "valueInteger": 4}]"#,
            "The maxValue is less than the minValue."
        ),
        (
            #""type": "integer", "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 5}, {"url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 4}]"#,
            "The minValue comes twice."
        ),
        (
            #""type": "choice", "answerOption": [{"valueInteger": 1, "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/itemWeight", "valueDecimal": 1}, {"url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": 2}]}]"#,
            "The option has two weights."
        ),
        (
            #""type": "choice", "answerOption": [{"valueInteger": 1, "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/itemWeight", "valueDecimal": 1000001}]}]"#,
            "The weight of an option must be a valueDecimal from -1,000,000 to 1,000,000."
        ),
        (#""type": "choice", "answerOption": []"#, #""answerOption" must be a list of 1 to 50 options."#),
        (
            #""type": "choice", "answerOption": [{"valueInteger": 1, "valueString": "one"}]"#,
            "An option has one valueCoding, valueString or valueInteger."
        ),
        (
            #""type": "choice", "answerOption": [{"valueCoding": {"display": "A"}}]"#, #"The coding has no "code"."#
        ),
        (
            #""type": "choice", "answerOption": [{"valueInteger": 1, "initialSelected": true}]"#,
            #""initialSelected" is not known: it can only be false."#
        ),
        (#""type": "boolean", "enableWhen": []"#, #""enableWhen" must be a list of 1 to 10 conditions."#),
        (
            #""type": "boolean", "enableWhen": [{"question": "b", "operator": "=", "answerBoolean": true}, {"question": "b", "operator": "!=", "answerBoolean": false}]"#,
            #"An item with several conditions needs an "enableBehavior": all or any."#
        ),
        (
            #""type": "boolean", "enableBehavior": "some", "enableWhen": [{"question": "b", "operator": "=", "answerBoolean": true}]"#,
            #""enableBehavior" must be "all" or "any"."#
        ),
    ]) func `an item with a fault is refused with its reason`(item: String, reason: String) {
        let before = #"{"linkId": "b", "type": "boolean", "text": "B?"}"#
        let found = faults(survey("\(before),\n{\"linkId\": \"a\", \"text\": \"A?\", \(item)}"))
        #expect(found.first == "2: \(reason)")
    }

    @Test(arguments: [
        (#"{"linkId": "d", "type": "display", "text": "D."}"#, "The survey asks nothing."),
        (
            #"{"linkId": "d", "type": "display", "text": "D."}, {"linkId": "a", "type": "boolean", "text": "A?", "enableWhen": [{"question": "d", "operator": "=", "answerBoolean": true}]}"#,
            #"The condition names "d", which is no question."#
        ),
        (
            #"{"linkId": "a b", "type": "boolean", "text": "A?"}"#,
            "A linkId has 1 to 64 visible characters of ASCII, and no blank."
        ),
    ]) func `items with a fault are refused with its reason`(items: String, reason: String) {
        #expect(faults(survey(items)) == ["1: \(reason)"])
    }

    @Test func `all faults are named, each with its line`() {
        let text = """
            {
              "resourceType": "Questionnaire",
              "title": "",
              "status": "retired",
              "item": [
                {"linkId": "a", "type": "boolean"},
                {"linkId": "a", "type": "string", "text": "A\u{202E}?"},
                {"type": "reference", "text": "B?"}
              ]
            }
            """
        #expect(
            faults(Array(text.utf8)) == [
                "3: \"title\" must be one line of text.",
                "4: The status must be \"active\" or \"draft\".",
                "6: The item has no \"text\".",
                "7: The linkId \"a\" comes twice.",
                "7: \"text\" has U+202E (RIGHT-TO-LEFT OVERRIDE) in it, which is not seen.",
                "8: The item has no \"linkId\".",
                "8: The type \"reference\" is not known: there are group, display, choice, boolean, integer, decimal, date, string, text.",
            ])
    }

    @Test func `limits`() {
        let many = (0...200).map { #"{"linkId": "q\#($0)", "type": "boolean", "text": "?"}"# }.joined(separator: ",\n")
        #expect(faults(survey(many)) == ["201: There are more than 200 items."])
        let long = Array(String(repeating: " ", count: Questionnaire.byteLimit + 1).utf8)
        #expect(faults(long) == ["1: The survey has more than 131072 bytes, which is the limit."])
        let deep =
            #"{"linkId": "g", "type": "group", "item": [{"linkId": "h", "type": "group", "item": [{"linkId": "a", "type": "boolean", "text": "A?"}]}]}"#
        #expect(faults(survey(deep)) == ["1: A group stands in no group."])
        let name = String(repeating: "x", count: 31)
        let prefix = #"{"linkId": "a", "type": "boolean", "text": "A?", "prefix": "\#(name)"}"#
        #expect(faults(survey(prefix)) == [#"1: "prefix" has more than 30 characters."#])
        let options = (0...50).map { "{\"valueInteger\": \($0)}" }.joined(separator: ", ")
        let choice = #"{"linkId": "a", "type": "choice", "text": "A?", "answerOption": [\#(options)]}"#
        #expect(faults(survey(choice)) == [#"1: "answerOption" must be a list of 1 to 50 options."#])
    }

    // MARK: Answers

    /// A choice in a group, and a line of 40 characters.
    private static let asked =
        #"{"linkId": "g", "type": "group", "item": [{"linkId": "b", "type": "boolean", "text": "B?"}]}, {"linkId": "s", "type": "string", "text": "S?", "maxLength": 40}"#

    @Test(arguments: [
        (
            #""item": [{"linkId": "b", "answer": [{"valueBoolean": true}]}]"#, "b",
            "must be a question of the survey, within its group."
        ),
        (
            #""item": [{"linkId": "s", "answer": [{"valueString": "e\#(String(repeating: "\u{301}", count: 100))"}]}]"#,
            "s", "must have no more than 40 characters."
        ), (#""id": "q1""#, nil, #"must not have "id", which is not known."#),
        (#""item": [\#(String(repeating: " ", count: 262_144))]"#, nil, "must have no more than 262144 bytes."),
    ]) func `answers with a fault are refused with its reason`(rest: String, question: String?, reason: String) throws {
        let asked = try Questionnaire.read(survey(Self.asked))
        let text = #"{"resourceType": "QuestionnaireResponse", \#(rest)}"#
        #expect(throws: AnswerFault(question: question, reason: reason)) {
            _ = try SurveyAnswers(reading: Array(text.utf8), of: asked)
        }
    }
}
