import JSON
import Time

// Answers as a FHIR R4 QuestionnaireResponse. Specification: https://hl7.org/fhir/R4/questionnaireresponse.html

/// The facts of a response beside its answers.
public struct ResponseFacts: Sendable {
    /// Nothing is missing in the answers.
    public var isCompleted: Bool
    public var id: String?
    /// The canonical address of the questionnaire.
    public var questionnaire: String?
    /// The instant as RFC 3339.
    public var authored: String?
    /// The words for the client.
    public var subject: String?
    /// Each item has the text of its question.
    public var hasTexts = false

    public init(isCompleted: Bool) { self.isCompleted = isCompleted }
}

extension SurveyAnswers {
    /// Bytes of a response.
    public static let byteLimit = 256 * 1_024

    /// Reads a QuestionnaireResponse. Throws its first fault.
    ///
    /// - Parameter isStored: ``response(to:_:)`` wrote it, perhaps with an id, a subject and the questions, and so with more bytes
    ///   than those that were read.
    public init(reading bytes: [UInt8], of survey: Questionnaire, isStored: Bool = false) throws(AnswerFault) {
        guard isStored || bytes.count <= Self.byteLimit else {
            throw AnswerFault(question: nil, reason: "must have no more than \(Self.byteLimit) bytes.")
        }
        let root: JSONNode
        do { root = try JSONNode.read(bytes) } catch {
            throw AnswerFault(question: nil, reason: "must be JSON: \(error).")
        }
        guard let members = root.members, root["resourceType"]?.string == "QuestionnaireResponse" else {
            throw AnswerFault(question: nil, reason: "must be a QuestionnaireResponse of FHIR.")
        }
        for member in members {
            switch member.key {
            case "resourceType": break
            case "status", "questionnaire", "authored":
                guard member.node.string != nil else {
                    throw AnswerFault(question: nil, reason: "must have a text as \"\(member.key)\".")
                }
            case "id", "subject":
                if !isStored { throw Self.unknown(member.key) }
            case "item": try read(member.node, of: survey, in: nil)
            default: throw Self.unknown(member.key)
            }
        }
    }

    private static func unknown(_ key: String) -> AnswerFault {
        AnswerFault(question: nil, reason: "must not have \"\(key.cut)\", which is not known.")
    }

    private mutating func read(_ node: JSONNode, of survey: Questionnaire, in group: Int?) throws(AnswerFault) {
        guard let elements = node.elements else {
            throw AnswerFault(question: nil, reason: "must have a list as \"item\".")
        }
        for element in elements {
            guard let members = element.members, let id = element["linkId"]?.string, let place = survey.places[id],
                survey.items[place].group == group
            else {
                let name = element["linkId"]?.string?.cut
                throw AnswerFault(question: name, reason: "must be a question of the survey, within its group.")
            }
            for member in members where !["linkId", "text"].contains(member.key) {
                switch (member.key, survey.items[place].kind) {
                case ("item", .group): try read(member.node, of: survey, in: place)
                case ("answer", let kind) where kind.isQuestion:
                    guard values[id] == nil else { throw AnswerFault(question: id, reason: "must have one answer.") }
                    try set(Self.answer(member.node, to: kind, id), to: id, of: survey)
                default: throw Self.unknown(member.key)
                }
            }
        }
    }

    private static func answer(
        _ node: JSONNode, to kind: Questionnaire.Kind, _ id: String
    ) throws(AnswerFault) -> SurveyAnswer {
        guard let elements = node.elements, elements.count == 1, let members = elements[0].members, members.count == 1,
            members[0].key.hasPrefix("value")
        else { throw AnswerFault(question: id, reason: "must have one answer with one value.") }
        let value = members[0]
        guard let answer = SurveyAnswer(value.node, as: value.key.dropFirst(5), to: kind) else {
            throw AnswerFault(question: id, reason: kind.faultOfAnother)
        }
        return answer
    }

    /// The answers as a response. Questions without an answer are left out.
    public func response(to survey: Questionnaire, _ facts: ResponseFacts) -> [UInt8] {
        var text = Array("{\"resourceType\":\"QuestionnaireResponse\"".utf8)
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            text += Array(",\"\(key)\":".utf8)
            text.appendJSON(value)
        }
        add("id", facts.id)
        add("questionnaire", facts.questionnaire)
        add("status", facts.isCompleted ? "completed" : "in-progress")
        if let subject = facts.subject {
            text += Array(",\"subject\":{\"display\":".utf8)
            text.appendJSON(subject)
            text += Array("}".utf8)
        }
        add("authored", facts.authored)
        let items = items(of: survey, in: nil, facts)
        if !items.isEmpty { text += Array(",\"item\":[".utf8) + items + Array("]".utf8) }
        return text + Array("}".utf8)
    }

    private func items(of survey: Questionnaire, in group: Int?, _ facts: ResponseFacts) -> [UInt8] {
        var text: [UInt8] = []
        for (place, item) in survey.items.enumerated() where item.group == group {
            var inside: [UInt8] = []
            if item.kind == .group {
                inside = items(of: survey, in: place, facts)
                if !inside.isEmpty { inside = Array(",\"item\":[".utf8) + inside + Array("]".utf8) }
            } else if let answer = self[item.linkID] {
                inside = Array(",\"answer\":[".utf8) + answer.value(for: item.kind) + Array("]".utf8)
            }
            guard !inside.isEmpty else { continue }
            text += Array((text.isEmpty ? "{\"linkId\":" : ",{\"linkId\":").utf8)
            text.appendJSON(item.linkID)
            if facts.hasTexts, !item.text.isEmpty {
                text += Array(",\"text\":".utf8)
                text.appendJSON(item.text)
            }
            text += inside + Array("}".utf8)
        }
        return text
    }
}

extension Questionnaire.Kind {
    /// The reason why a value of another type is no answer.
    fileprivate var faultOfAnother: String {
        switch self {
        case .choice: fault(of: .boolean(true)) ?? ""
        default: fault(of: .choice(-1)) ?? ""
        }
    }
}

extension SurveyAnswer {
    /// The answer in a value of that type, `Coding` or `String`; nil if it is none to such a question.
    init?(_ node: JSONNode, as type: Substring, to kind: Questionnaire.Kind) {
        switch (kind, type) {
        case (.choice(let options), _):
            guard let place = options.firstIndex(where: { $0.value.isNamed(by: node, as: type) }) else { return nil }
            self = .choice(place)
        case (.boolean, "Boolean"):
            guard let bool = node.bool else { return nil }
            self = .boolean(bool)
        case (.integer, "Integer"):
            guard let int = node.int else { return nil }
            self = .integer(int)
        case (.decimal, "Decimal"):
            guard let double = node.double else { return nil }
            self = .decimal(double)
        case (.date, "Date"):
            guard let day = node.string.flatMap({ CalendarDay($0) }) else { return nil }
            self = .date(day)
        case (.string, "String"), (.text, "String"):
            guard let text = node.string else { return nil }
            self = .text(text)
        default: return nil
        }
    }

    /// The value as an answer's object.
    fileprivate func value(for kind: Questionnaire.Kind) -> [UInt8] {
        var text: [UInt8] = []
        func put(_ type: String, _ literal: String) { text += Array("{\"value\(type)\":\(literal)}".utf8) }
        switch self {
        case .choice(let place):
            guard case .choice(let options) = kind else { preconditionFailure("an answer fits its question") }
            return options[place].value.object
        case .boolean(let bool): put("Boolean", "\(bool)")
        case .integer(let int): put("Integer", "\(int)")
        case .decimal(let double): put("Decimal", Self.spelled(double))
        case .date(let day): put("Date", "\"\(day)\"")
        case .text(let string):
            text = Array("{\"valueString\":".utf8)
            text.appendJSON(string)
            text += Array("}".utf8)
        }
        return text
    }
}

extension Questionnaire.Option.Value {
    fileprivate func isNamed(by node: JSONNode, as type: Substring) -> Bool {
        switch (self, type) {
        case (.coding(let system, let code, let display), "Coding"):
            guard let members = node.members, node["code"]?.string == code, node["system"]?.string == system else {
                return false
            }
            // The words may be left out, but must not be others.
            return members.allSatisfy { member in
                switch member.key {
                case "system", "code": true
                case "display": member.node.string == display ?? ""
                default: false
                }
            }
        case (.text(let text), "String"): return node.string == text
        case (.number(let number), "Integer"): return node.int == number
        default: return false
        }
    }

    fileprivate var object: [UInt8] {
        var text: [UInt8] = []
        switch self {
        case .coding(let system, let code, let display):
            text = Array("{\"valueCoding\":{".utf8)
            for (key, value) in [("system", system), ("code", code), ("display", display)] {
                guard let value else { continue }
                text += Array("\(text.last == UInt8(ascii: "{") ? "" : ",")\"\(key)\":".utf8)
                text.appendJSON(value)
            }
            return text + Array("}}".utf8)
        case .text(let words):
            text = Array("{\"valueString\":".utf8)
            text.appendJSON(words)
            return text + Array("}".utf8)
        case .number(let number): return Array("{\"valueInteger\":\(number)}".utf8)
        }
    }
}
