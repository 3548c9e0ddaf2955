import Companion
public import SurveyFormat
import Text
import Time

extension Questionnaire.Item {
    /// The reason why a typed text is no answer to the question; what to type stands in it.
    public struct Fault: Error, Equatable, Sendable {
        public let sentence: String

        public init(_ sentence: String) { self.sentence = sentence }
    }

    /// The text with its number, as the questionnaire gives it: "1a. How …".
    public var heading: String { [prefix, text].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ") }

    /// Those of a choice; else empty.
    public var options: [Questionnaire.Option] { if case .choice(let options) = kind { options } else { [] } }

    /// False if a choice begins with a number itself, as on a scale from 0 to 10: its place would be taken for it.
    public var countsOptions: Bool { options.allSatisfy { $0.text.numberAtStart == nil } }

    /// The place of the choice that a person means by a number: its own, or else its place, from 1. Nil if there is none, or more
    /// than one.
    public func option(numbered number: Int?) -> Int? {
        guard !countsOptions else { return options.index(numbered: number) }
        let same = options.indices.filter { number != nil && options[$0].text.numberAtStart == number }
        return same.count == 1 ? same[0] : nil
    }

    /// The answer that a person typed. Choices are typed by their numbers or by their words.
    public func answer(typed text: String) throws(Fault) -> SurveyAnswer {
        let word = text.drop { $0.isWhitespace }
        let typed = word.lastIndex { !$0.isWhitespace }.map { String(word[...$0]) } ?? ""
        let answer = try read(typed)
        if let fault = fault(in: answer) { throw fault }
        return answer
    }

    private func read(_ typed: String) throws(Fault) -> SurveyAnswer {
        switch kind {
        case .choice(let options):
            let same = options.indices.filter { options[$0].text.lowercased() == typed.lowercased() }
            if same.count == 1 { return .choice(same[0]) }
            if let place = option(numbered: Int(typed)) { return .choice(place) }
            throw Fault(
                countsOptions
                    ? "Type a number from 1 to \(options.count)."
                    : "Type one of the choices, or the number that it begins with.")
        case .boolean:
            switch typed.lowercased() {
            case "y", "yes", "1": return .boolean(true)
            case "n", "no", "2": return .boolean(false)
            default: throw Fault("Type y for yes, or n for no.")
            }
        case .integer:
            guard let number = Int(typed) else { throw Fault("Type a whole number, such as 3.") }
            return .integer(number)
        case .decimal:
            let pointed = typed.substituting(".", for: ",")
            let isNumber = !pointed.isEmpty && pointed.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }
            guard isNumber, let number = Double(pointed), number.isFinite else {
                throw Fault("Type a number, such as 3.5.")
            }
            return .decimal(number)
        case .date:
            guard let day = CalendarDay(typed) else { throw Fault("Type a day as 2027-03-05.") }
            return .date(day)
        case .string, .text:
            guard !typed.isBlank else { throw Fault("Type some words.") }
            return .text(typed.typed)
        case .group, .display: throw Fault("This is no question.")
        }
    }

    /// The reason why a value is no answer to the question, in words for the person who typed it; nil if it is one.
    public func fault(in answer: SurveyAnswer) -> Fault? {
        guard kind.fault(of: answer) != nil else { return nil }
        switch (kind, answer) {
        case (.choice, _): return Fault("This is none of the choices.")
        case (.integer, .integer(let number)) where !Questionnaire.integers.contains(number):
            return Fault("The number is too great.")
        case (.decimal, .decimal(let number)) where !Questionnaire.decimals.contains(number):
            return Fault("The number is too great.")
        case (.integer, .integer), (.decimal, .decimal), (.date, .date): return rangeFault
        case (.string(let limit), .text(let text)), (.text(let limit), .text(let text)):
            if case .string = kind, text.contains(where: \.isNewline) { return Fault("This answer is one line.") }
            let hidden = text.split(whereSeparator: \.isNewline).lazy.compactMap { String($0).firstHidden }.first
            return Fault(
                hidden.map { "The text must not have \($0.named): it cannot be seen." }
                    ?? "At most \(limit) characters are taken.")
        default: return Fault("This is no answer to the question.")
        }
    }

    /// The least and the greatest answer, as the author named them.
    private var bounds: (least: String?, greatest: String?) {
        switch kind {
        case .integer(let range):
            let possible = Questionnaire.integers
            return (
                range.lowerBound == possible.lowerBound ? nil : "\(range.lowerBound)",
                range.upperBound == possible.upperBound ? nil : "\(range.upperBound)"
            )
        case .decimal(let least, let greatest):
            return (least.map(SurveyAnswer.spelled), greatest.map(SurveyAnswer.spelled))
        case .date(let earliest, let latest): return (earliest?.description, latest?.description)
        default: return (nil, nil)
        }
    }

    private var rangeFault: Fault {
        switch bounds {
        case (let low?, let high?): Fault("The answer lies from \(low) to \(high).")
        case (let low?, nil): Fault("The answer is at least \(low).")
        case (nil, let high): Fault("The answer is at most \(high ?? "").")
        }
    }

    /// The expected input, in a few words.
    public var hint: String {
        let range = [bounds.least.map { "from \($0)" }, bounds.greatest.map { "to \($0)" }].compactMap { $0 }
        let limits = range.isEmpty ? "" : ", " + range.joined(separator: " ")
        return switch kind {
        case .choice(let options): countsOptions ? "1 to \(options.count)" : "one of them"
        case .boolean: "y or n"
        case .integer: "a whole number\(limits)"
        case .decimal: "a number\(limits)"
        case .date: "a day as 2027-03-05\(limits)"
        case .string(Questionnaire.stringAnswerLimit): "some words"
        case .string(let limit): "at most \(limit) characters"
        case .text: "as many words as you like"
        case .group, .display: ""
        }
    }

    /// The answer as a person reads it.
    public func spelled(_ answer: SurveyAnswer) -> String {
        switch answer {
        case .choice(let place): options.indices.contains(place) ? options[place].text : ""
        case .boolean(let yes): yes ? "Yes" : "No"
        case .integer(let number): "\(number)"
        case .decimal(let number): SurveyAnswer.spelled(number)
        case .date(let day): day.description
        case .text(let text): text
        }
    }
}

extension String {
    /// The whole number that the text begins with, if it is a word of its own: 3 of "3 – often", none of "3.5" or "3rd".
    fileprivate var numberAtStart: Int? {
        let sign = hasPrefix("-") ? 1 : 0
        let digits = dropFirst(sign).prefix { $0.isASCII && $0.isWholeNumber }
        let rest = dropFirst(sign + digits.count)
        guard let next = rest.first else { return Int(self) }
        guard !next.isLetter, !next.isNumber else { return nil }
        let isFraction = (next == "." || next == ",") && rest.dropFirst().first?.isNumber == true
        return isFraction ? nil : Int(prefix(sign + digits.count))
    }
}
