import JSON
import Text
import Time

// The items of a survey.
extension QuestionnaireReader {
    /// The elements of one item, as far as they are known.
    private struct Parts {
        var linkID: String?
        var linkOffset = 0
        var prefix: String?
        var text: String?
        var type: String?
        var typeOffset: Int
        var isRequired: JSONNode.Member?
        var limit: JSONNode.Member?
        var options: JSONNode.Member?
        var conditions: JSONNode.Member?
        var behaviour: JSONNode.Member?
        var extensions: JSONNode.Member?
        var items: JSONNode.Member?

        init(at offset: Int) { typeOffset = offset }
    }

    private static let types = [
        "group", "display", "choice", "boolean", "integer", "decimal", "date", "string", "text",
    ]

    mutating func readItems(_ node: JSONNode, in group: Int?) {
        guard let elements = node.elements, !elements.isEmpty else {
            return refuse(node.offset, "\"item\" must be a list of items.")
        }
        for element in elements {
            guard items.count < Questionnaire.itemLimit else {
                return refuse(element.offset, "There are more than \(Questionnaire.itemLimit) items.")
            }
            readItem(element, in: group)
        }
    }

    private mutating func readItem(_ node: JSONNode, in group: Int?) {
        guard let members = node.members else { return refuse(node.offset, "An item must be an object.") }
        let before = faults.count
        let parts = readParts(members, at: node.offset)
        let place = items.count
        let kind = readKind(parts, node, in: group)
        let conditions = parts.conditions.map { readConditions($0) } ?? []
        let needsAll = readBehaviour(parts.behaviour, of: conditions.count, at: node.offset)
        let isRequired = parts.isRequired.flatMap { truth($0) } ?? false
        if isRequired, let kind, !kind.isQuestion {
            refuse(parts.isRequired?.keyOffset ?? node.offset, "Only a question can be required.")
        }
        if let linkID = parts.linkID {
            if places.keys.contains(linkID) {
                refuse(parts.linkOffset, "The linkId \"\(linkID)\" comes twice.")
            }
            places[linkID] = .some(faults.count == before ? place : nil)
        }
        if kind != .group, parts.text == nil, faults.count == before {
            refuse(node.offset, "The item has no \"text\".")
        }
        // An item with a fault is there as well, so that the places of the others are right.
        items.append(
            Questionnaire.Item(
                linkID: parts.linkID ?? "", prefix: parts.prefix, text: parts.text ?? "", kind: kind ?? .display,
                isRequired: isRequired, group: group, conditions: conditions, needsAllConditions: needsAll))
        if let inside = parts.items, kind == .group, group == nil { readItems(inside.node, in: place) }
    }

    private mutating func readParts(_ members: [JSONNode.Member], at offset: Int) -> Parts {
        var parts = Parts(at: offset)
        for member in members {
            switch member.key {
            case "linkId":
                parts.linkOffset = member.node.offset
                parts.linkID = linkID(member)
            case "prefix": parts.prefix = line(member, limit: 30)
            case "text": parts.text = text(member)
            case "type": (parts.type, parts.typeOffset) = (member.node.string ?? "", member.node.offset)
            case "required": parts.isRequired = member
            case "repeats", "readOnly":
                if truth(member) == true {
                    refuse(member.keyOffset, "\"\(member.key)\" is not known: it can only be false.")
                }
            case "maxLength": parts.limit = member
            case "answerOption": parts.options = member
            case "enableWhen": parts.conditions = member
            case "enableBehavior": parts.behaviour = member
            case "extension": parts.extensions = member
            case "item": parts.items = member
            default: refuseUnknown(member, in: "an item")
            }
        }
        if !members.contains(where: { $0.key == "linkId" }) { refuse(offset, "The item has no \"linkId\".") }
        if !members.contains(where: { $0.key == "type" }) { refuse(offset, "The item has no \"type\".") }
        return parts
    }

    private mutating func linkID(_ member: JSONNode.Member) -> String? {
        guard let id = member.node.string, (1...Questionnaire.linkIDLimit).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            refuse(
                member.node.offset,
                "A linkId has 1 to \(Questionnaire.linkIDLimit) visible characters of ASCII, and no blank.")
            return nil
        }
        return id
    }

    private mutating func readKind(_ parts: Parts, _ node: JSONNode, in group: Int?) -> Questionnaire.Kind? {
        guard let type = parts.type else { return nil }
        guard Self.types.contains(type) else {
            let known = Self.types.joined(separator: ", ")
            refuse(parts.typeOffset, "The type \"\(type.cut)\" is not known: there are \(known).")
            return nil
        }
        let bounds = readBounds(parts.extensions, of: type)
        if let limit = parts.limit, type != "string", type != "text" {
            refuse(limit.keyOffset, "Only a string or a text has a \"maxLength\".")
        }
        if let options = parts.options, type != "choice" {
            refuse(options.keyOffset, "Only a choice has an \"answerOption\".")
        }
        if let inside = parts.items, type != "group" || group != nil {
            refuse(inside.keyOffset, type == "group" ? "A group stands in no group." : "Only a group has items in it.")
        } else if type == "group", parts.items == nil {
            refuse(node.offset, "The group has no \"item\".")
        }
        bounds.check(&self)
        switch type {
        case "group": return .group
        case "display": return .display
        case "boolean": return .boolean
        case "choice": return .choice(readOptions(parts.options, at: node.offset))
        case "integer": return .integer(bounds.integers)
        case "decimal": return .decimal(least: bounds.least?.double, greatest: bounds.greatest?.double)
        case "date": return .date(earliest: bounds.least?.day, latest: bounds.greatest?.day)
        case "string": return .string(limit: readLimit(parts.limit, else: Questionnaire.stringAnswerLimit))
        default: return .text(limit: readLimit(parts.limit, else: Questionnaire.textAnswerLimit))
        }
    }

    private mutating func readLimit(_ member: JSONNode.Member?, else usual: Int) -> Int {
        guard let member else { return usual }
        guard let limit = member.node.int, (1...Questionnaire.textAnswerLimit).contains(limit) else {
            refuse(
                member.node.offset,
                "\"maxLength\" must be a whole number from 1 to \(Questionnaire.textAnswerLimit).")
            return usual
        }
        return limit
    }

    // MARK: enableWhen

    private mutating func readConditions(_ member: JSONNode.Member) -> [Questionnaire.Condition] {
        guard let elements = member.node.elements, (1...Questionnaire.conditionLimit).contains(elements.count) else {
            refuse(
                member.node.offset,
                "\"enableWhen\" must be a list of 1 to \(Questionnaire.conditionLimit) conditions.")
            return []
        }
        return elements.compactMap { readCondition($0) }
    }

    private mutating func readCondition(_ node: JSONNode) -> Questionnaire.Condition? {
        var answer: JSONNode.Member?
        for member in node.members ?? [] where !["question", "operator"].contains(member.key) {
            if member.key.hasPrefix("answer"), answer == nil {
                answer = member
            } else {
                refuseUnknown(member, in: "a condition")
            }
        }
        guard let question = node["question"], let mark = node["operator"], let answer else {
            refuse(node.offset, "A condition has a \"question\", an \"operator\" and an answer.")
            return nil
        }
        guard let sign = mark.string, sign == "=" || sign == "!=" else {
            refuse(mark.offset, "The operator \"\((mark.string ?? "").cut)\" is not known: there are = and !=.")
            return nil
        }
        guard let id = question.string, let known = places[id] else {
            refuse(question.offset, "The condition names no question that stands before it.")
            return nil
        }
        // The question has a fault of its own.
        guard let place = known else { return nil }
        guard items[place].kind.isQuestion else {
            refuse(question.offset, "The condition names \"\(id.cut)\", which is no question.")
            return nil
        }
        guard let wanted = SurveyAnswer(answer.node, as: answer.key.dropFirst(6), to: items[place].kind) else {
            refuse(answer.keyOffset, "The condition's \"\(answer.key.cut)\" is no answer to \"\(id.cut)\".")
            return nil
        }
        return Questionnaire.Condition(question: place, isEqual: sign == "=", answer: wanted)
    }

    private mutating func readBehaviour(_ member: JSONNode.Member?, of count: Int, at offset: Int) -> Bool {
        guard let member else {
            if count > 1 { refuse(offset, "An item with several conditions needs an \"enableBehavior\": all or any.") }
            return true
        }
        guard let word = member.node.string, ["all", "any"].contains(word) else {
            refuse(member.node.offset, "\"enableBehavior\" must be \"all\" or \"any\".")
            return true
        }
        return word == "all"
    }
}
