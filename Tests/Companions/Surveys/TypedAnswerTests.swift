import SurveyFormat
import Testing

@testable import Surveys

@Suite struct TypedAnswerTests {
    /// - Parameter bounds: the members of FHIR's item that limit its answer.
    private func item(_ type: String, _ bounds: String = "") -> Questionnaire.Item {
        let options =
            #","answerOption": [{"valueCoding": {"code": "a", "display": "Apple"}}, "#
            + #"{"valueCoding": {"code": "b", "display": "Bread"}}]"#
        let item = #"{"linkId": "1", "type": "\#(type)", "text": "?"\#(type == "choice" ? options : "")\#(bounds)}"#
        return SurveySamples.read(items: item).items[0]
    }

    private func limits(_ type: String, _ least: String?, _ greatest: String?) -> String {
        let bounds = [("minValue", least), ("maxValue", greatest)].compactMap { name, bound in
            bound.map { #"{"url": "http://hl7.org/fhir/StructureDefinition/\#(name)", "value\#(type)": \#($0)}"# }
        }
        return #", "extension": [\#(bounds.joined(separator: ","))]"#
    }

    private func fault(_ item: Questionnaire.Item, _ typed: String) -> String? {
        do {
            _ = try item.answer(typed: typed)
            return nil
        } catch { return error.sentence }
    }

    @Test func `each kind of question has its form of answer`() throws {
        #expect(try item("choice").answer(typed: "2") == .choice(1))
        // Any number may be typed.
        for number in [0, 3, Int.min, Int.max] { #expect(fault(item("choice"), "\(number)") != nil) }
        #expect(try item("choice").answer(typed: " apple ") == .choice(0))
        #expect(try item("boolean").answer(typed: "Y") == .boolean(true))
        #expect(try item("boolean").answer(typed: "no") == .boolean(false))
        #expect(try item("integer").answer(typed: "-3") == .integer(-3))
        #expect(try item("decimal").answer(typed: "3,25") == .decimal(3.25))
        #expect(try item("date").answer(typed: "2027-03-05") == .date(try #require(.init("2027-03-05"))))
        #expect(try item("string").answer(typed: " a  b ") == .text("a  b"))
        #expect(try item("text").answer(typed: "a\nb") == .text("a\nb"))
    }

    private func scale(_ texts: String...) -> Questionnaire.Item {
        let options = texts.enumerated().map { place, text in
            #"{"valueCoding": {"code": "c\#(place)", "display": "\#(text)"}}"#
        }
        let list = options.joined(separator: ",")
        return SurveySamples.read(
            items: #"{"linkId": "1", "type": "choice", "text": "?", "answerOption": [\#(list)]}"#
        ).items[0]
    }

    @Test func `a choice that is a number is chosen by it, and not by its place`() throws {
        let scale = scale("0", "1", "2", "3")
        #expect(!scale.countsOptions && scale.hint == "one of them")
        #expect(try (0...3).map { try scale.answer(typed: "\($0)") } == (0...3).map { .choice($0) })
        let sentence = "Type one of the choices, or the number that it begins with."
        #expect(fault(scale, "4") == sentence)
        let worded = self.scale("0 – never", "1–2 days", "3.5 days", "-1: less", "every day", "1st", "2", "2 days")
        #expect(try worded.answer(typed: "0") == .choice(0))
        #expect(try worded.answer(typed: "1") == .choice(1))
        #expect(try worded.answer(typed: "-1") == .choice(3))
        #expect(try worded.answer(typed: "EVERY day") == .choice(4))
        #expect(try worded.answer(typed: "2") == .choice(6))
        for number in ["3", "4", "5"] { #expect(fault(worded, number) == sentence) }
        #expect(self.scale("1st", "every day").countsOptions)
    }

    @Test func `a text that is no answer is refused with what to type`() {
        #expect(fault(item("choice"), "3") == "Type a number from 1 to 2.")
        #expect(fault(item("boolean"), "maybe") == "Type y for yes, or n for no.")
        #expect(fault(item("integer"), "3.5") == "Type a whole number, such as 3.")
        #expect(fault(item("decimal"), "nan") == "Type a number, such as 3.5.")
        #expect(fault(item("decimal"), "0x10") == "Type a number, such as 3.5.")
        #expect(fault(item("date"), "5 March") == "Type a day as 2027-03-05.")
        #expect(fault(item("string"), "  ") == "Type some words.")
        #expect(fault(item("string"), "a\nb") == "This answer is one line.")
        #expect(fault(item("string", #", "maxLength": 3"#), "abcd") == "At most 3 characters are taken.")
        #expect(
            fault(item("text"), "a\u{1B}[31m")
                == "The text must not have U+001B (control character): it cannot be seen."
        )
        #expect(
            fault(item("text"), String(repeating: "a", count: 10_001)) == "At most 10000 characters are taken.")
    }

    @Test func `an answer lies within its limits`() throws {
        let both = item("integer", limits("Integer", "0", "7"))
        #expect(fault(both, "8") == "The answer lies from 0 to 7.")
        #expect(fault(both, "-1") == "The answer lies from 0 to 7.")
        #expect(fault(both, "7") == nil)
        #expect(fault(item("decimal", limits("Decimal", "0.5", nil)), "0.4") == "The answer is at least 0.5.")
        #expect(fault(item("decimal", limits("Decimal", nil, "2")), "2.1") == "The answer is at most 2.")
        let day = item("date", limits("Date", nil, "\"2027-03-05\""))
        #expect(fault(day, "2027-03-06") == "The answer is at most 2027-03-05.")
        #expect(fault(item("integer"), "2147483648") == "The number is too great.")
        #expect(fault(item("decimal"), "-1000000000001") == "The number is too great.")
        #expect(fault(item("string"), String(repeating: "a", count: 1_001)) == "At most 1000 characters are taken.")
        #expect(both.hint == "a whole number, from 0 to 7")
    }
}
