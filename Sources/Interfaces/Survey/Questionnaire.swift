public import Time

/// A survey: a FHIR R4 Questionnaire of the closed subset that Daybreak knows. A value of this type is valid.
///
/// Specification: https://hl7.org/fhir/R4/questionnaire.html
public struct Questionnaire: Equatable, Sendable {
    public let title: String
    /// To be shown with the survey.
    public let copyright: String?
    /// The canonical address of the questionnaire, if its author gave it one.
    public let url: String?
    /// In the order in which they are asked. The items of a group follow it.
    public let items: [Item]
    /// The places of the items, by their linkIds.
    public let places: [String: Int]

    init(title: String, copyright: String?, url: String?, items: [Item]) {
        (self.title, self.copyright, self.url, self.items) = (title, copyright, url, items)
        places = Dictionary(items.enumerated().map { ($0.element.linkID, $0.offset) }) { first, _ in first }
    }

    /// The number of questions; groups and displays are none.
    public var questionCount: Int { items.count(where: \.kind.isQuestion) }

    /// A question, a group of questions, or a text between them.
    public struct Item: Equatable, Sendable {
        public let linkID: String
        /// Its number as the author spells it: "1a".
        public let prefix: String?
        /// Empty for a group without a heading.
        public let text: String
        public let kind: Kind
        public let isRequired: Bool
        /// The place of the group that it is in.
        public let group: Int?
        /// Without conditions it is always asked.
        public let conditions: [Condition]
        /// All conditions must hold; else one of them.
        public let needsAllConditions: Bool
    }

    public enum Kind: Equatable, Sendable {
        case group
        /// A text that asks nothing.
        case display
        case choice([Option])
        case boolean
        case integer(ClosedRange<Int>)
        case decimal(least: Double?, greatest: Double?)
        case date(earliest: CalendarDay?, latest: CalendarDay?)
        /// One line. limit: in characters.
        case string(limit: Int)
        /// Several lines. limit: in characters.
        case text(limit: Int)

        public var isQuestion: Bool { self != .group && self != .display }
    }

    /// One of the answers to choose from.
    public struct Option: Equatable, Sendable {
        public let value: Value
        /// Its part of the score; nil if it counts for nothing.
        public let weight: Double?

        public enum Value: Equatable, Sendable {
            case coding(system: String?, code: String, display: String?)
            case text(String)
            case number(Int)
        }

        /// The words that are shown.
        public var text: String {
            switch value {
            case .coding(_, let code, let display): display ?? code
            case .text(let text): text
            case .number(let number): "\(number)"
            }
        }
    }

    /// A condition on the answer to an earlier question.
    public struct Condition: Equatable, Sendable {
        /// The place of the question.
        public let question: Int
        /// False: the answer must be another one, or none.
        public let isEqual: Bool
        public let answer: SurveyAnswer
    }
}

/// An answer to one question.
public enum SurveyAnswer: Equatable, Sendable {
    /// The place of the chosen option.
    case choice(Int)
    case boolean(Bool)
    case integer(Int)
    case decimal(Double)
    case date(CalendarDay)
    /// Of a string or a text.
    case text(String)
}

// The limits of a survey.
extension Questionnaire {
    /// Bytes of its JSON.
    public static let byteLimit = 128 * 1_024
    /// Questions, groups and displays. Nobody answers more at one time.
    public static let itemLimit = 200
    public static let optionLimit = 50
    public static let conditionLimit = 10
    /// Bytes. A linkId stands in tables and messages.
    public static let linkIDLimit = 64
    /// Characters of a question, a heading or a copyright.
    public static let textLimit = 4_000
    /// Characters of a title, a prefix or an option.
    public static let lineLimit = 300
    /// Characters of an answer of one line, unless the survey says another number.
    public static let stringAnswerLimit = 1_000
    /// Characters of an answer of several lines, and the most that a survey can allow.
    public static let textAnswerLimit = 10_000
    /// FHIR's integers have 32 bits.
    public static let integers = -2_147_483_648...2_147_483_647
    /// Beyond this a double has no fraction.
    public static let decimals = -1e12...1e12
    /// The bounds of a weight.
    public static let weights = -1e6...1e6
}
