import PracticeRules
import Testing

@testable import PracticeCompanion

@Suite struct `A question of a form` {
    private let services: [Question.Choice] = [
        .init(value: "s1", word: "Couples, two of them"), .init(value: "s2", word: "Individual session"),
        .init(value: "s3", word: "Individual letter"),
    ]

    private func one(_ typed: String) throws -> [String] {
        try Question(field: "service", label: "Service", kind: .one(services), isRequired: true).values(of: typed)
    }

    @Test func `a choice is its number, its value, its word, or a part of the word that fits no other`() throws {
        #expect(try one("2") == ["s2"])
        #expect(try one("s3") == ["s3"])
        #expect(try one("individual letter") == ["s3"])
        #expect(try one(" coup ") == ["s1"])
        #expect(try one("letter") == ["s3"])
    }

    @Test func `an ambiguous text is reported with the choices`() {
        #expect(throws: FieldError("may be Individual session or Individual letter: say which.")) { try one("indiv") }
        #expect(
            throws: FieldError(
                "must be Couples, two of them, Individual session or Individual letter: there is no “dance”.")
        ) { try one("dance") }
        #expect(throws: FieldError("must be given.")) { try one("  ") }
    }

    @Test func `of two choices with one word, each is named by its value`() throws {
        let question = Question(
            field: "service", label: "Service",
            kind: .one([
                .init(value: "v2", word: "Talk"), .init(value: "v7", word: "Talk"), .init(value: "v8", word: "Walk"),
            ]))
        #expect(throws: FieldError("may be Talk (v2) or Talk (v7): say which.")) { try question.values(of: "talk") }
        #expect(try question.values(of: "v7") == ["v7"])
        #expect(try question.values(of: "2") == ["v7"])
    }

    @Test func `a fault below a list of the choices does not repeat them`() {
        let question = Question(field: "service", label: "Service", kind: .one(services))
        #expect(throws: FieldError("must be one of these: there is no “9”.")) {
            try question.values(of: "9", areListed: true)
        }
        #expect(throws: FieldError("may be Individual session or Individual letter: say which.")) {
            try question.values(of: "indiv", areListed: true)
        }
    }

    @Test func `a choice by number is shown with its word`() {
        let question = Question(field: "tools", label: "Tools", kind: .some(services))
        #expect(question.spelled("3, sess") == "Individual letter, Individual session")
        #expect(question.spelled("1") == "Couples, two of them")
        #expect(question.spelled("1, 2") == "Couples, two of them, Individual session")
        #expect(question.spelled("dance") == "dance")
        #expect(Question(field: "name", label: "Name").spelled("2") == "2")
    }

    @Test func `an emptied number is sent as the interface's value for none`() {
        let answers = Answers(values: ["minutes": [], "fee": ["60"]])
        #expect(answers.number("minutes", whereEmptied: 0) == 0)
        #expect(answers.number("fee", whereEmptied: -1) == 60)
        #expect(answers.number("length", whereEmptied: 0) == nil)
    }

    @Test func `several choices are separated by commas, without repetitions`() throws {
        let question = Question(field: "tools", label: "Tools", kind: .some(services))
        #expect(try question.values(of: "3, 2,letter") == ["s3", "s2"])
        #expect(try question.values(of: "Couples, two of them") == ["s1"])
        #expect(try question.values(of: "Couples, two of them\n2") == ["s1", "s2"])
        #expect(try question.values(of: " ") == [])
    }

    @Test func `an option's name is the field's, with hyphens`() {
        #expect("emergencyContact".dashed == "emergency-contact")
    }
}
