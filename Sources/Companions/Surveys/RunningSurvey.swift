public import JSON
public import SurveyFormat

/// A survey that is being answered: its questions, the answers so far, and the question that is asked now. Pure.
public struct RunningSurvey: Equatable, Sendable {
    public let questionnaire: Questionnaire
    public private(set) var answers: SurveyAnswers
    /// The linkId of the question that is asked; nil on the last page, behind all questions.
    public private(set) var current: String?

    /// Begins at the first question that has no answer; if all have one, on the last page.
    ///
    /// - Parameter kept: the answers from before.
    public init(_ questionnaire: Questionnaire, kept: SurveyAnswers = SurveyAnswers()) {
        (self.questionnaire, answers) = (questionnaire, kept)
        current = unanswered.first?.linkID
    }

    // MARK: Questions

    /// The questions that are asked, by the answers so far.
    public var questions: [Questionnaire.Item] {
        zip(questionnaire.items, questionnaire.asked(answers)).filter { $0.kind.isQuestion && $1 }.map(\.0)
    }

    public var currentQuestion: Questionnaire.Item? { current.flatMap { questionnaire[$0] } }

    /// From 1; the number of questions and one more on the last page.
    public var number: Int {
        let asked = questions
        return (asked.firstIndex { $0.linkID == current } ?? asked.count) + 1
    }

    /// The texts to read before the question, or with nil after the last one: the group's, and those between the questions.
    public func texts(before question: String?) -> [String] {
        let asked = questionnaire.asked(answers)
        let items = questionnaire.items
        var texts: [String] = []
        for (place, item) in items.enumerated() where item.group == nil && asked[place] {
            let inner = item.kind == .group ? items.indices.filter { items[$0].group == place && asked[$0] } : [place]
            let heading = item.kind == .group && !item.heading.isEmpty ? [item.heading] : []
            var isFirst = true
            for part in inner.map({ items[$0] }) {
                guard part.kind.isQuestion else {
                    texts.append(part.heading)
                    continue
                }
                if part.linkID == question { return heading + texts }
                texts = []
                isFirst = false
            }
            // A group of texts alone has no question that would show its heading.
            if isFirst { texts = heading + texts }
        }
        return question == nil ? texts : []
    }

    // MARK: Answers

    /// Answers the question that is asked, or with nil takes its answer back. The answers of questions that are not asked any
    /// more stay, in case they are asked again; they do not count. The answer must fit the question.
    public mutating func answer(_ answer: SurveyAnswer?) {
        guard let current else { return }
        do { try answers.set(answer, to: current, of: questionnaire) } catch {
            preconditionFailure("an answer is checked before it is taken: \(error)")
        }
    }

    /// The questions that are asked and have no answer.
    public var unanswered: [Questionnaire.Item] { questions.filter { answers[$0.linkID] == nil } }

    /// Those of them that need one. Without an answer to each, the survey cannot be finished.
    public var missing: [Questionnaire.Item] { questionnaire.missing(answers).compactMap { questionnaire[$0] } }

    /// The answers as a FHIR R4 QuestionnaireResponse. Finished, it has only the questions that are asked.
    ///
    /// - Parameter isFinished: the client is done with it; else the answers are only kept.
    public func response(isFinished: Bool) -> RawJSON {
        let given = isFinished ? questionnaire.finished(answers) : answers
        do {
            return try RawJSON(parsing: given.response(to: questionnaire, ResponseFacts(isCompleted: isFinished)))
        } catch { preconditionFailure("a response is JSON: \(error)") }
    }

    // MARK: Places

    /// False on the last page.
    @discardableResult public mutating func goOn() -> Bool {
        guard let current else { return false }
        let asked = questions
        let place = asked.firstIndex { $0.linkID == current }
        self.current = place.flatMap { $0 + 1 < asked.count ? asked[$0 + 1].linkID : nil }
        return true
    }

    /// False at the first question.
    @discardableResult public mutating func goBack() -> Bool {
        let asked = questions
        let place = asked.firstIndex { $0.linkID == current } ?? asked.count
        guard place > 0 else { return false }
        current = asked[place - 1].linkID
        return true
    }

    /// Goes to a question; false if it is not asked.
    @discardableResult public mutating func go(to linkID: String) -> Bool {
        guard questions.contains(where: { $0.linkID == linkID }) else { return false }
        current = linkID
        return true
    }

    /// Goes to the first question without an answer that needs one; false if there is none.
    @discardableResult public mutating func goToMissing() -> Bool {
        guard let first = missing.first else { return false }
        current = first.linkID
        return true
    }
}

extension Questionnaire {
    /// The item with that linkId.
    public subscript(linkID: String) -> Item? { places[linkID].map { items[$0] } }
}
