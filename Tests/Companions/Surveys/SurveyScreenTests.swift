import Testing

@testable import Companion
@testable import DaybreakCompanion
@testable import SurveyFormat
@testable import Surveys

@Suite struct `The screen on which a survey is answered` {
    private func screen(_ kept: [String: SurveyAnswer] = [:]) -> SurveyScreen {
        SurveyScreen(
            RunningSurvey(SurveySamples.week, kept: SurveySamples.answers(kept)), title: "The week",
            closes: "the end of Friday 12 March")
    }

    private func picture(_ screen: SurveyScreen, _ columns: Int = 40, _ rows: Int = 12) -> String {
        var screen = screen
        return screen.draw(columns: columns, rows: rows).plainText
    }

    private func type(_ text: String, into screen: inout SurveyScreen) {
        for letter in text { _ = screen.press(letter == " " ? .space : .character(letter)) }
    }

    private let good = SurveySamples.good
    private let bad = SurveySamples.bad

    @Test func `a question with choices at 40 columns and 12 rows`() {
        #expect(
            picture(screen()) == """
                 1 of 3, needs an answer · The week
                 The days and the nights

                 Think of the last seven days.

                 1. How was your week?

                  1  Good
                  2  Good and bad
                  3  Bad
                Written for these tests.
                Enter on · ← back · ? keys · Esc leaves
                """)
    }

    @Test func `a question whose answer is typed at 80 columns and 24 rows`() {
        var screen = screen(["mood": bad])
        type("8", into: &screen)
        #expect(screen.press(.enter).isEmpty)
        #expect(
            picture(screen, 80, 14) == """
                 2 of 3, needs an answer · The week
                 The days and the nights

                 2. How many nights did you lie awake?

                > 8

                 a whole number, from 0 to 7




                Written for these tests.
                The answer lies from 0 to 7.
                """)
    }

    @Test func `the chosen answer is reversed, and stays in sight on a low screen`() {
        var screen = screen()
        for _ in 1...3 { _ = screen.press(.down) }
        let canvas = screen.draw(columns: 40, rows: 8)
        #expect(
            canvas.plainText == """
                 1 of 3, needs an answer · The week
                 1. How was your week?

                  1  Good
                  2  Good and bad
                  3  Bad
                Written for these tests.
                Enter on · ← back · ? keys · Esc leaves
                """)
        #expect((0..<8).filter { canvas[2, $0].isReversed } == [0, 5])
    }

    @Test func `an answer is kept at once, and the next question comes`() {
        var screen = screen()
        #expect(screen.press(.character("3")).isEmpty)
        #expect(screen.press(.enter) == [.keep])
        #expect(screen.running.answers.values == ["mood": bad] && screen.running.current == "nights")
        type("3", into: &screen)
        #expect(screen.press(.enter) == [.keep])
        #expect(screen.running.current == "words")
        // The same answer again is no change.
        #expect(screen.press(.pageUp).isEmpty && screen.running.current == "nights")
        #expect(screen.press(.enter).isEmpty && screen.running.current == "words")
    }

    @Test func `typed words count without an Enter, too`() {
        var screen = screen(["mood": good])
        type("A walk", into: &screen)
        #expect(screen.press(.escape) == [.keep, .end])
        #expect(screen.running.answers["words"] == .text("A walk"))
        screen = self.screen(["mood": bad])
        type("99", into: &screen)
        #expect(screen.press(.pageUp).isEmpty)
        #expect(screen.running.current == "nights" && screen.notice == "The answer lies from 0 to 7.")
    }

    @Test func `words that are no answer are not left behind unseen`() {
        var screen = screen(["mood": bad])
        type("99", into: &screen)
        #expect(screen.press(.escape).isEmpty && screen.notice == "The answer lies from 0 to 7.")
        #expect(screen.unfitWords == "99")
        // Ctrl-C leaves all the same.
        #expect(screen.press(.interrupt) == [.end])
        #expect(screen.unfitWords == "99")
    }

    @Test func `the end of the program takes typed words that are an answer`() {
        var screen = screen(["mood": good])
        let nothing = screen.keepTyped()
        type("A walk", into: &screen)
        _ = screen.press(.help)
        let words = screen.keepTyped()
        #expect(!nothing && words && screen.unfitWords == nil)
        #expect(screen.running.answers["words"] == .text("A walk"))
    }

    @Test func `an answer is taken back`() {
        var screen = screen(["mood": bad, "nights": .integer(3)])
        #expect(screen.press(.pageUp).isEmpty)
        #expect(screen.press(.eraseLine).isEmpty)
        #expect(screen.press(.enter) == [.keep])
        #expect(screen.running.answers.values == ["mood": bad])
        _ = screen.press(.pageUp)
        _ = screen.press(.pageUp)
        #expect(screen.press(.character("-")) == [.keep])
        #expect(screen.running.answers.values.isEmpty)
        #expect(screen.press(.enter).isEmpty)
        #expect(screen.notice == "It is left open, and needs an answer before the end.")
    }

    @Test func `the last page names what needs an answer, and goes to it`() {
        var screen = screen()
        _ = screen.press(.right)
        _ = screen.press(.pageDown)
        _ = screen.press(.pageDown)
        #expect(
            picture(screen)
                == """
                 The end · The week
                 These questions need answers before
                 the end:
                 • 1. How was your week?
                 • 2. How many nights did you lie
                 awake?




                Written for these tests.
                It is left open.
                """)
        #expect(screen.press(.enter).isEmpty)
        #expect(screen.press(.character("f")).isEmpty)
        #expect(screen.running.current == "mood" && screen.notice == "This question needs an answer.")
    }

    @Test func `it is finished with a key of its own, and what is left open is named`() {
        var screen = screen(["mood": good])
        #expect(screen.press(.enter).isEmpty)
        #expect(
            picture(screen, 80, 12) == """
                 The end · The week
                 That was the last question.

                 Left open, as you may:
                 • 3. What else is there to say?

                 Once it is finished, the answers go to your therapist and stay as they are.



                Written for these tests.
                It is left open.
                """)
        #expect(screen.press(.enter).isEmpty && screen.notice == "f finishes.")
        #expect(screen.press(.character("f")) == [.finish])
    }

    @Test func `the keys, the end of the days and the owner of the words stand on a page`() {
        var screen = screen()
        _ = screen.press(.help)
        #expect(
            picture(screen, 60, 14) == """
                 1 of 3, needs an answer · The week
                  ↓ ↑        choose an answer; so do the numbers
                  Enter      takes it, and goes on
                  ← →        a question back, a question on
                  PgUp PgDn  the same, while you type
                  -          takes an answer back
                  Ctrl-G     shows these keys
                  Esc        leaves; the answers are kept

                 It can be answered until the end of Friday 12 March.

                 Written for these tests.

                Any key goes back.
                """)
        #expect(screen.press(.enter).isEmpty && screen.running.current == "mood")
    }

    @Test func `an answer that is not kept yet is told until it is`() {
        var screen = screen()
        screen.trouble = SurveyLines.unsent
        #expect(picture(screen, 100, 12).hasSuffix("\n\(SurveyLines.unsent)"))
        _ = screen.press(.character("x"))
        #expect(picture(screen, 100, 12).hasSuffix("\n? shows the keys."))
    }

    @Test func `an answer that the practice does not take is shown again, and its fault stays until another is kept`() {
        var screen = screen(["mood": bad, "nights": .integer(3)])
        screen.take(unfit: "nights", "The practice does not take this answer: it must be a whole number from 0 to 2.")
        #expect(screen.running.current == "nights" && screen.line.text == "3")
        #expect(
            picture(screen, 100, 12).hasSuffix(
                "\nThe practice does not take this answer: it must be a whole number from 0 to 2."))
    }

    @Test func `words that would steer the terminal are shown harmless`() throws {
        // The reader takes no such survey; the screen does not rely on it.
        let option = Questionnaire.Option(value: .text("A\u{1B}[2J"), weight: nil)
        let item = Questionnaire.Item(
            linkID: "1", prefix: nil, text: "Red \u{1B}[31malert\u{202E}", kind: .choice([option]), isRequired: false,
            group: nil, conditions: [], needsAllConditions: true)
        let survey = Questionnaire(title: "T\u{1B}]0;x", copyright: "C\u{9B}31m", url: nil, items: [item])
        #expect(
            picture(SurveyScreen(RunningSurvey(survey), title: survey.title, closes: nil), 40, 8) == """
                 1 of 1 · T]0;x
                 Red [31malert

                  1  A[2J


                C31m
                Enter on · ← back · ? keys · Esc leaves
                """)
    }
}
