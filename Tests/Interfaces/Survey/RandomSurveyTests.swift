import SurveyFormat
import TestSupport
import Testing

/// Random surveys, answered at random, against a model that knows each survey as it was thrown and not as it was read.
@Suite struct `Random surveys` {
    /// A question of the model.
    private struct Question {
        let id: String
        let group: String?
        /// The weights of the options; nil for a question with yes or no.
        let weights: [Double?]?
        let isRequired: Bool
        var conditions: [(question: String, isEqual: Bool, answer: Int)] = []
        var needsAll = true
    }

    private struct Model {
        var questions: [Question] = []
        /// The conditions of the groups.
        var groups: [String: (question: String, isEqual: Bool, answer: Int)?] = [:]

        init(_ dice: inout SplitMix64) {
            var group: String?
            for number in 0..<Int.random(in: 1...12, using: &dice) {
                if Int.random(in: 0..<5, using: &dice) == 0 { group = Bool.random(using: &dice) ? "g\(number)" : nil }
                if let group, groups[group] == nil {
                    groups[group] = .some(Bool.random(using: &dice) ? condition(&dice) : nil)
                }
                let options = Int.random(in: 2...4, using: &dice)
                let isChoice = Bool.random(using: &dice)
                let isWeighted = Bool.random(using: &dice)
                let weights: [Double?] = (0..<options).map { _ in
                    guard isWeighted, Int.random(in: 0..<6, using: &dice) > 0 else { return nil }
                    return Double(Int.random(in: -8...8, using: &dice)) / 2
                }
                var question = Question(
                    id: "q\(number)", group: group, weights: isChoice ? weights : nil,
                    isRequired: Bool.random(using: &dice))
                for _ in 0..<Int.random(in: 0...2, using: &dice) {
                    if let condition = condition(&dice) { question.conditions.append(condition) }
                }
                question.needsAll = Bool.random(using: &dice)
                questions.append(question)
            }
        }

        /// A condition on one of the questions so far.
        private func condition(_ dice: inout SplitMix64) -> (question: String, isEqual: Bool, answer: Int)? {
            guard let before = questions.randomElement(using: &dice) else { return nil }
            let count = before.weights?.count ?? 2
            return (before.id, Bool.random(using: &dice), Int.random(in: 0..<count, using: &dice))
        }

        func isAsked(_ question: Question, _ answers: [String: Int]) -> Bool {
            func holds(_ condition: (question: String, isEqual: Bool, answer: Int)) -> Bool {
                let other = questions.first { $0.id == condition.question }!
                let given = isAsked(other, answers) ? answers[other.id] : nil
                return (given == condition.answer) == condition.isEqual
            }
            if let group = question.group, let condition = groups[group] ?? nil, !holds(condition) { return false }
            let held = question.conditions.map(holds)
            return held.isEmpty || (question.needsAll ? !held.contains(false) : held.contains(true))
        }

        func missing(_ answers: [String: Int]) -> [String] {
            questions.filter { $0.isRequired && isAsked($0, answers) && answers[$0.id] == nil }.map(\.id)
        }

        func score(_ answers: [String: Int]) -> Double? {
            let counting = questions.filter { isAsked($0, answers) && $0.weights?.contains { $0 != nil } == true }
            let weights = counting.map { question in answers[question.id].flatMap { question.weights![$0] } }
            return weights.isEmpty || weights.contains { $0 == nil } ? nil : weights.reduce(0) { $0 + $1! }
        }

        // MARK: As FHIR

        private func spelled(_ condition: (question: String, isEqual: Bool, answer: Int)) -> String {
            let other = questions.first { $0.id == condition.question }!
            let answer =
                other.weights == nil
                ? "\"answerBoolean\":\(condition.answer == 1)" : "\"answerCoding\":{\"code\":\"o\(condition.answer)\"}"
            return "{\"question\":\"\(other.id)\",\"operator\":\"\(condition.isEqual ? "=" : "!=")\",\(answer)}"
        }

        var text: String {
            var items: [String] = []
            var places: [String: Int] = [:]
            for question in questions {
                var item = "{\"linkId\":\"\(question.id)\",\"text\":\"?\",\"required\":\(question.isRequired)"
                if let weights = question.weights {
                    let url = "http://hl7.org/fhir/StructureDefinition/ordinalValue"
                    let options = weights.enumerated().map { place, weight in
                        let weight = weight.map { ",\"extension\":[{\"url\":\"\(url)\",\"valueDecimal\":\($0)}]" } ?? ""
                        return "{\"valueCoding\":{\"code\":\"o\(place)\"}\(weight)}"
                    }
                    item += ",\"type\":\"choice\",\"answerOption\":[\(options.joined(separator: ","))]"
                } else {
                    item += ",\"type\":\"boolean\""
                }
                if !question.conditions.isEmpty {
                    item += ",\"enableBehavior\":\"\(question.needsAll ? "all" : "any")\""
                    item += ",\"enableWhen\":[\(question.conditions.map(spelled).joined(separator: ","))]"
                }
                item += "}"
                guard let group = question.group else {
                    items.append(item)
                    continue
                }
                if let place = places[group] {
                    items[place] = String(items[place].dropLast(2)) + ",\(item)]}"
                } else {
                    places[group] = items.count
                    let condition = (groups[group] ?? nil).map { ",\"enableWhen\":[\(spelled($0))]" } ?? ""
                    items.append("{\"linkId\":\"\(group)\",\"type\":\"group\"\(condition),\"item\":[\(item)]}")
                }
            }
            return """
                {"resourceType":"Questionnaire","title":"T","status":"active","item":[\(items.joined(separator: ","))]}
                """
        }
    }

    @Test func `each is asked, answered, kept, taken up again and scored as a model says`() throws {
        let rounds = isThorough ? 10_000 : 500
        var dice = SplitMix64(seed: testSeed)
        var asked = 0
        var scored = 0
        for round in 0..<rounds {
            let model = Model(&dice)
            var survey = try Questionnaire.read(Array(model.text.utf8))
            var answers = SurveyAnswers()
            var given: [String: Int] = [:]
            for _ in 0..<Int.random(in: 0...30, using: &dice) {
                let question = model.questions.randomElement(using: &dice)!
                let count = question.weights?.count ?? 2
                let choice = Int.random(in: -1..<count, using: &dice)
                given[question.id] = choice < 0 ? nil : choice
                let answer: SurveyAnswer? =
                    choice < 0 ? nil : question.weights == nil ? .boolean(choice == 1) : .choice(choice)
                try answers.set(answer, to: question.id, of: survey)
                if Int.random(in: 0..<4, using: &dice) == 0 {
                    // Killed, and taken up again from what was kept.
                    let kept = answers.response(to: survey, ResponseFacts(isCompleted: false))
                    survey = try Questionnaire.read(Array(model.text.utf8))
                    answers = try SurveyAnswers(reading: kept, of: survey)
                }
                let isAsked = zip(survey.items, survey.asked(answers)).filter { $0.0.kind.isQuestion && $0.1 }.map(
                    \.0.linkID)
                #expect(isAsked == model.questions.filter { model.isAsked($0, given) }.map(\.id), "round \(round)")
                asked += isAsked.count
            }
            #expect(survey.missing(answers) == model.missing(given), "round \(round)")
            #expect(survey.score(answers) == model.score(given), "round \(round): \(model.text)")
            // The answers to questions that are not asked change nothing.
            let finished = survey.finished(answers)
            #expect(survey.score(finished) == model.score(given) && survey.missing(finished) == model.missing(given))
            if let score = survey.score(answers) {
                scored += 1
                #expect(survey.scoreBounds!.contains(score), "round \(round): \(score) \(survey.scoreBounds!)")
            }
        }
        print("\(rounds) surveys, \(asked) questions asked, \(scored) scores (seed \(testSeed))")
        #expect(asked > 0 && scored > 0)
    }
}
