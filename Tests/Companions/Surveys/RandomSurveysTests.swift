import JSON
import TestSupport
import Testing
import Time

@testable import Companion
@testable import DaybreakCompanion
@testable import SurveyFormat
@testable import Surveys

/// Surveys that dice make, answered with keys that dice press, drawn, killed and taken up again.
@Suite struct `Random surveys` {
    @Test func `a survey is drawn, answered, killed and taken up again`() {
        let seed = testSeed
        for number in 0..<(isThorough ? 10_000 : 500) {
            var dice = SplitMix64(seed: seed &+ UInt64(number))
            var run = Run(Self.survey(&dice))
            for _ in 0..<Int.random(in: 5...30, using: &dice) {
                run.step(&dice)
                guard run.fault == nil else { break }
            }
            run.finish()
            if let fault = run.fault {
                Issue.record("seed \(seed), survey \(number): \(fault)")
                return
            }
        }
    }

    /// One survey on its way, with what the practice was told of it.
    private struct Run {
        var screen: SurveyScreen
        /// The answers as the practice has them.
        var kept: RawJSON
        var fault: String?
        let questionnaire: Questionnaire

        init(_ questionnaire: Questionnaire) {
            self.questionnaire = questionnaire
            screen = SurveyScreen(RunningSurvey(questionnaire), title: questionnaire.title, closes: nil)
            kept = screen.running.response(isFinished: false)
        }

        mutating func step(_ dice: inout SplitMix64) {
            if dice.once(in: 15) { return revive() }
            let key = Self.key(for: screen, &dice)
            let before = screen.running.answers
            let actions = screen.press(key)
            check(actions.contains(.keep) == (before != screen.running.answers), "\(key) kept \(actions)")
            if actions.contains(.finish) { check(screen.running.missing.isEmpty, "finished with questions open") }
            if actions.contains(.keep) { kept = screen.running.response(isFinished: false) }
            // Both sizes, in turn.
            if dice.flip() { draw(40, 12) } else { draw(80, 24) }
        }

        /// The program is killed and started again.
        private mutating func revive() {
            let before = screen.running
            let again = RunningSurvey(
                questionnaire, kept: (try? SurveyAnswers(reading: kept.text, of: questionnaire)) ?? SurveyAnswers())
            check(again.answers == before.answers, "\(again.answers) after \(before.answers)")
            check(again.current == before.unanswered.first?.linkID, "taken up at \(again.current ?? "the end")")
            screen = SurveyScreen(again, title: questionnaire.title, closes: nil)
        }

        private mutating func draw(_ columns: Int, _ rows: Int) {
            var drawn = screen
            let lines = drawn.draw(columns: columns, rows: rows).plainText.split(
                separator: "\n", omittingEmptySubsequences: false)
            check(lines.count == rows, "\(lines.count) rows of \(rows)")
            check(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "wider than \(columns)")
            check(lines.allSatisfy { String($0).shown == $0 }, "hidden characters")
            check(
                screen.isHelp || questionnaire.copyright == nil || lines.contains { $0.hasPrefix("(c) 1848") },
                "no owner of the words:\n\(lines.joined(separator: "\n"))")
        }

        /// Answers what is missing; then nothing stands in the way of the end.
        mutating func finish() {
            var running = screen.running
            for _ in 0..<200 where running.goToMissing() {
                guard let question = running.currentQuestion else { break }
                running.answer(Self.answer(to: question))
            }
            check(running.missing.isEmpty, "still missing: \(running.missing.map(\.linkID))")
            let told = try? SurveyAnswers(reading: running.response(isFinished: true).text, of: questionnaire)
            let asked = Set(running.questions.map(\.linkID))
            check(
                told?.values == running.answers.values.filter { asked.contains($0.key) },
                "finished with \(told?.values ?? [:])")
        }

        private mutating func check(_ isSo: Bool, _ otherwise: @autoclosure () -> String) {
            if !isSo, fault == nil { fault = otherwise() }
        }

        private static func answer(to question: Questionnaire.Item) -> SurveyAnswer {
            switch question.kind {
            case .choice: .choice(0)
            case .boolean: .boolean(true)
            case .integer(let range): .integer(max(range.lowerBound, 0))
            case .decimal: .decimal(1)
            case .date: .date("2027-03-05")
            case .string, .text, .group, .display: .text("a")
            }
        }

        private static func key(for screen: SurveyScreen, _ dice: inout SplitMix64) -> Key {
            let places: [Key] = [.left, .right, .pageUp, .pageDown, .up, .down, .help, .enter]
            guard let question = screen.running.currentQuestion else {
                return dice.pick([.left, .enter, .character("f"), .character("x"), .pageUp, .down])
            }
            if dice.once(in: 3) { return dice.pick(places) }
            guard question.isTyped else {
                return dice.pick([
                    .down, .up, .enter, .space, .erase, .character("1"), .character("2"), .character("y"),
                ])
            }
            let words = [
                "7", "3.5", "2027-03-05", "-1", "a word\nand more", "words without an end", "999999999999999999999",
            ]
            return dice.flip() ? .pasted(dice.pick(words)) : dice.pick([.eraseLine, .enter, .character("4"), .left])
        }
    }

    // MARK: Surveys

    private static func survey(_ dice: inout SplitMix64) -> Questionnaire {
        var items: [Questionnaire.Item] = []
        for _ in 0..<Int.random(in: 1...8, using: &dice) { add(&items, in: nil, &dice) }
        if !items.contains(where: \.kind.isQuestion) { items.append(item("q", "Yes?", .boolean, in: nil)) }
        return Questionnaire(
            title: "Survey", copyright: dice.flip() ? "(c) 1848 " + words(&dice) : nil, url: nil, items: items)
    }

    private static func item(
        _ name: String, _ text: String, _ kind: Questionnaire.Kind, in group: Int?, prefix: String? = nil,
        isRequired: Bool = false, conditions: [Questionnaire.Condition] = [], needsAll: Bool = true
    ) -> Questionnaire.Item {
        Questionnaire.Item(
            linkID: name, prefix: prefix, text: text, kind: kind, isRequired: isRequired, group: group,
            conditions: conditions, needsAllConditions: needsAll)
    }

    private static func add(_ items: inout [Questionnaire.Item], in group: Int?, _ dice: inout SplitMix64) {
        let place = items.count
        let kind = group == nil && dice.once(in: 5) ? .group : Self.kind(&dice)
        let asked = items.indices.filter { items[$0].kind.isQuestion }
        var conditions: [Questionnaire.Condition] = []
        if !asked.isEmpty, dice.once(in: 3) {
            conditions = (0..<Int.random(in: 1...2, using: &dice)).map { _ in condition(&dice, on: dice.pick(asked)) }
        }
        items.append(
            item(
                "n\(place)", words(&dice), kind, in: group, prefix: dice.flip() ? "\(place + 1)." : nil,
                isRequired: kind.isQuestion && dice.flip(), conditions: conditions, needsAll: dice.flip()))
        guard kind == .group else { return }
        for _ in 0..<Int.random(in: 1...4, using: &dice) { add(&items, in: place, &dice) }
    }

    private static func kind(_ dice: inout SplitMix64) -> Questionnaire.Kind {
        switch Int.random(in: 0..<8, using: &dice) {
        case 0: .boolean
        case 1:
            .choice(
                (1...Int.random(in: 1...12, using: &dice)).map {
                    .init(value: .coding(system: "s", code: "c\($0)", display: words(&dice)), weight: Double($0))
                })
        case 2: .integer(dice.flip() ? 0...10 : Questionnaire.integers)
        case 3: .decimal(least: nil, greatest: nil)
        case 4: .date(earliest: nil, latest: nil)
        case 5: .string(limit: dice.flip() ? 10 : Questionnaire.stringAnswerLimit)
        case 6: .text(limit: Questionnaire.textAnswerLimit)
        default: .display
        }
    }

    private static func condition(_ dice: inout SplitMix64, on question: Int) -> Questionnaire.Condition {
        let answers: [SurveyAnswer] = [.boolean(true), .boolean(false), .integer(7), .choice(0), .text("x")]
        return Questionnaire.Condition(question: question, isEqual: dice.flip(), answer: dice.pick(answers))
    }

    private static func words(_ dice: inout SplitMix64) -> String {
        let all = [
            "day", "night", "穏やか", "a\u{301}", "\u{1B}[31m", "Donaudampfschifffahrtsgesellschaftskapitän", "🌧️",
            "\u{202E}", "–",
            "line\nbreak",
        ]
        return (0..<Int.random(in: 1...25, using: &dice)).map { _ in dice.pick(all) }.joined(separator: " ")
    }
}
