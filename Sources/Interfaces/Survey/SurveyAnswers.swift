import JSON
import Text
import Time

/// The answers to a survey, by the linkIds of its questions. Each fits its question.
public struct SurveyAnswers: Equatable, Sendable {
    public private(set) var values: [String: SurveyAnswer] = [:]

    public init() {}

    public subscript(linkID: String) -> SurveyAnswer? { values[linkID] }

    /// Answers a question, or takes its answer back. Throws if the answer does not fit, or if there is no such question.
    public mutating func set(_ answer: SurveyAnswer?, to linkID: String, of survey: Questionnaire) throws(AnswerFault) {
        guard let place = survey.places[linkID], survey.items[place].kind.isQuestion else {
            throw AnswerFault(question: linkID, reason: "must be a question of the survey.")
        }
        if let answer, let reason = survey.items[place].kind.fault(of: answer) {
            throw AnswerFault(question: linkID, reason: reason)
        }
        values[linkID] = answer
    }

    /// The linkIds whose answers are not the same here as before.
    public func changes(since before: SurveyAnswers) -> [String] {
        Set(values.keys).union(before.values.keys).filter { values[$0] != before.values[$0] }.sorted()
    }

    /// These answers, but to some questions those of `others`, or none where they have none.
    public func taking(_ linkIDs: [String], from others: SurveyAnswers) -> SurveyAnswers {
        var taken = self
        for linkID in linkIDs { taken.values[linkID] = others.values[linkID] }
        return taken
    }

    mutating func keep(only linkIDs: (String) -> Bool) { values = values.filter { linkIDs($0.key) } }
}

/// The reason why answers are not taken.
public struct AnswerFault: Error, Equatable, Sendable {
    /// The linkId; nil if the fault is in none.
    public let question: String?
    /// A sentence that follows the question's name.
    public let reason: String

    public init(question: String?, reason: String) { (self.question, self.reason) = (question, reason) }
}

extension SurveyAnswer {
    /// The number as a person writes it: "4", "4.25".
    public static func spelled(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

extension Questionnaire.Kind {
    /// The reason why that is no answer, as a sentence that follows the question's name; nil for an answer.
    public func fault(of answer: SurveyAnswer) -> String? {
        switch (self, answer) {
        case (.choice(let options), .choice(let place)) where options.indices.contains(place): return nil
        case (.choice, _): return "must be one of the choices."
        case (.boolean, .boolean): return nil
        case (.boolean, _): return "must be yes or no."
        case (.integer(let range), .integer(let number)):
            return range.contains(number) ? nil : Self.mustBe("a whole number", range.lowerBound, range.upperBound)
        case (.integer, _): return "must be a whole number."
        case (.decimal(let least, let greatest), .decimal(let number)):
            let isInside = number >= least ?? -.infinity && number <= greatest ?? .infinity
            guard isInside, Questionnaire.decimals.contains(number) else {
                return Self.mustBe("a number", least.map(SurveyAnswer.spelled), greatest.map(SurveyAnswer.spelled))
            }
            return nil
        case (.decimal, _): return "must be a number."
        case (.date(let earliest, let latest), .date(let day)):
            let isInside = earliest.map { $0 <= day } ?? true && latest.map { day <= $0 } ?? true
            return isInside ? nil : Self.mustBe("a day", earliest, latest)
        case (.date, _): return "must be a day such as 2027-03-05."
        case (.string(let limit), .text(let text)): return Self.fault(of: text, limit, text.firstHidden)
        case (.text(let limit), .text(let text)): return Self.fault(of: text, limit, text.firstHiddenInLines)
        case (.string, _), (.text, _): return "must be a text."
        case (.group, _), (.display, _): return "is no question."
        }
    }

    private static func mustBe<Bound>(_ what: String, _ least: Bound?, _ greatest: Bound?) -> String {
        switch (least, greatest) {
        case (let least?, let greatest?): "must be \(what) from \(least) to \(greatest)."
        case (let least?, nil): "must be \(what) from \(least) on."
        case (nil, let greatest?): "must be \(what) up to \(greatest)."
        case (nil, nil): "must be \(what) that is not so great."
        }
    }

    private static func fault(of text: String, _ limit: Int, _ hidden: Unicode.Scalar?) -> String? {
        if !text.contains(where: { !$0.isWhitespace }) { return "must not be empty: leave it out." }
        if text.count > limit || text.utf8.count > 4 * limit { return "must have no more than \(limit) characters." }
        return hidden.map { "must not have \($0.named): it cannot be seen." }
    }
}

// Which questions are asked, what is missing, and the score.
extension Questionnaire {
    /// For each item, whether it is asked. A question that is not asked counts as one without an answer.
    public func asked(_ answers: SurveyAnswers) -> [Bool] {
        var asked: [Bool] = []
        for item in items {
            let isGroupAsked = item.group.map { asked[$0] } ?? true
            let holds = { (condition: Condition) in
                let answer = asked[condition.question] ? answers[items[condition.question].linkID] : nil
                return (answer == condition.answer) == condition.isEqual
            }
            let isWanted =
                item.conditions.isEmpty
                || (item.needsAllConditions
                    ? item.conditions.allSatisfy(holds) : item.conditions.contains(where: holds))
            asked.append(isGroupAsked && isWanted)
        }
        return asked
    }

    /// The linkIds of the required questions that are asked and have no answer, in order.
    public func missing(_ answers: SurveyAnswers) -> [String] {
        zip(items, asked(answers)).filter { $1 && $0.isRequired && answers[$0.linkID] == nil }.map(\.0.linkID)
    }

    /// The answers without those to questions that are not asked.
    public func finished(_ answers: SurveyAnswers) -> SurveyAnswers {
        let asked = asked(answers)
        var finished = answers
        finished.keep { linkID in places[linkID].map { asked[$0] } ?? false }
        return finished
    }

    /// The sum of the weights of the chosen options. Nil if no question that is asked counts, or if one of those has no answer,
    /// or an answer without a weight.
    public func score(_ answers: SurveyAnswers) -> Double? {
        var sum: Double?
        for (item, isAsked) in zip(items, asked(answers)) where isAsked {
            guard case .choice(let options) = item.kind, options.contains(where: { $0.weight != nil }) else { continue }
            guard case .choice(let place)? = answers[item.linkID], let weight = options[place].weight else {
                return nil
            }
            sum = (sum ?? 0) + weight
        }
        return sum
    }

    /// The least and the greatest score that answers can have. Nil if no question counts.
    public var scoreBounds: ClosedRange<Double>? {
        var bounds: ClosedRange<Double>?
        for item in items {
            guard case .choice(let options) = item.kind, let least = options.compactMap(\.weight).min(),
                let greatest = options.compactMap(\.weight).max()
            else { continue }
            let isAlwaysAsked = item.conditions.isEmpty && item.group.map { items[$0].conditions.isEmpty } ?? true
            let (low, high) = isAlwaysAsked ? (least, greatest) : (min(0, least), max(0, greatest))
            bounds = ((bounds?.lowerBound ?? 0) + low)...((bounds?.upperBound ?? 0) + high)
        }
        return bounds
    }
}
