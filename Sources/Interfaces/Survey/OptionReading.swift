import JSON
import Time

// The options of a choice, and the bounds of an answer.
extension QuestionnaireReader {
    mutating func readOptions(_ member: JSONNode.Member?, at offset: Int) -> [Questionnaire.Option] {
        guard let member else {
            refuse(offset, "The choice has no \"answerOption\".")
            return []
        }
        guard let elements = member.node.elements, (1...Questionnaire.optionLimit).contains(elements.count) else {
            refuse(
                member.node.offset, "\"answerOption\" must be a list of 1 to \(Questionnaire.optionLimit) options.")
            return []
        }
        var options: [Questionnaire.Option] = []
        for element in elements {
            guard let option = readOption(element) else { continue }
            if options.contains(where: { $0.isSame(as: option) }) {
                refuse(element.offset, "The option \"\(option.text.cut)\" comes twice.")
            }
            options.append(option)
        }
        return options
    }

    private mutating func readOption(_ node: JSONNode) -> Questionnaire.Option? {
        guard let members = node.members else {
            refuse(node.offset, "An option must be an object.")
            return nil
        }
        var (value, weight): (Questionnaire.Option.Value?, Double?) = (nil, nil)
        var (values, isKnown) = (0, true)
        for member in members {
            switch member.key {
            case "valueCoding":
                values += 1
                value = readCoding(member.node, &weight)
            case "valueString":
                values += 1
                value = line(member).map { .text($0) }
            case "valueInteger":
                values += 1
                value = integer(member).map { .number($0) }
            case "initialSelected":
                if truth(member) == true {
                    refuse(member.keyOffset, "\"initialSelected\" is not known: it can only be false.")
                }
            case "extension": readWeight(member.node, &weight)
            default:
                isKnown = false
                refuseUnknown(member, in: "an option")
            }
        }
        if values != 1, isKnown { refuse(node.offset, "An option has one valueCoding, valueString or valueInteger.") }
        return value.map { Questionnaire.Option(value: $0, weight: weight) }
    }

    private mutating func readCoding(_ node: JSONNode, _ weight: inout Double?) -> Questionnaire.Option.Value? {
        guard let members = node.members else {
            refuse(node.offset, "A coding must be an object.")
            return nil
        }
        var (system, code, display): (String?, String?, String?) = (nil, nil, nil)
        for member in members {
            switch member.key {
            case "system": system = line(member)
            case "code": code = line(member)
            case "display": display = line(member)
            case "extension": readWeight(member.node, &weight)
            default: refuseUnknown(member, in: "a coding")
            }
        }
        if node["code"] == nil { refuse(node.offset, "The coding has no \"code\".") }
        return code.map { .coding(system: system, code: $0, display: display) }
    }

    private mutating func integer(_ member: JSONNode.Member) -> Int? {
        if let number = member.node.int, Questionnaire.integers.contains(number) { return number }
        refuse(member.node.offset, "\"\(member.key)\" must be a whole number of 32 bits.")
        return nil
    }

    private mutating func readWeight(_ node: JSONNode, _ weight: inout Double?) {
        for found in readExtensions(node) {
            let value = found.value
            guard ["ordinalValue", "itemWeight"].contains(found.name) else {
                refuse(found)
                continue
            }
            guard value.key == "valueDecimal", let number = value.node.double,
                Questionnaire.weights.contains(number)
            else {
                refuse(value.keyOffset, "The weight of an option must be a valueDecimal from -1,000,000 to 1,000,000.")
                continue
            }
            if weight != nil { refuse(found.offset, "The option has two weights.") }
            weight = number
        }
    }

    // MARK: minValue and maxValue

    /// One bound of a number or a day.
    struct Bound {
        let offset: Int
        var int: Int?
        var double: Double?
        var day: CalendarDay?
    }

    struct Bounds {
        var least: Bound?
        var greatest: Bound?

        var integers: ClosedRange<Int> {
            let low = least?.int ?? Questionnaire.integers.lowerBound
            let high = greatest?.int ?? Questionnaire.integers.upperBound
            return low <= high ? low...high : Questionnaire.integers
        }

        /// Refuses bounds between which there is nothing.
        func check(_ reader: inout QuestionnaireReader) {
            guard let least, let greatest else { return }
            let isEmpty =
                (least.day.flatMap { day in greatest.day.map { day > $0 } } ?? false)
                || (least.double.flatMap { number in greatest.double.map { number > $0 } } ?? false)
            if isEmpty { reader.refuse(greatest.offset, "The maxValue is less than the minValue.") }
        }
    }

    mutating func readBounds(_ member: JSONNode.Member?, of type: String) -> Bounds {
        var bounds = Bounds()
        guard let member else { return bounds }
        for found in readExtensions(member.node) {
            let url = found.name
            guard url == "minValue" || url == "maxValue", ["integer", "decimal", "date"].contains(type) else {
                refuse(found)
                continue
            }
            guard let bound = readBound(found.value, of: type) else { continue }
            if (url == "minValue" ? bounds.least : bounds.greatest) != nil {
                refuse(found.offset, "The \(url) comes twice.")
            }
            if url == "minValue" { bounds.least = bound } else { bounds.greatest = bound }
        }
        return bounds
    }

    private mutating func readBound(_ value: JSONNode.Member, of type: String) -> Bound? {
        let node = value.node
        var bound = Bound(offset: node.offset)
        switch (type, value.key) {
        case ("integer", "valueInteger"):
            (bound.int, bound.double) = (node.int, node.int.map(Double.init))
            if let int = bound.int, Questionnaire.integers.contains(int) { return bound }
        case ("decimal", "valueDecimal"), ("decimal", "valueInteger"):
            bound.double = node.double
            if let double = bound.double, Questionnaire.decimals.contains(double) { return bound }
        case ("date", "valueDate"):
            bound.day = node.string.flatMap { CalendarDay($0) }
            if bound.day != nil { return bound }
        default: break
        }
        refuse(value.keyOffset, "The bound must be a value\(type.capitalizedFirst) that fits.")
        return nil
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Questionnaire.Option {
    /// True if an answer could not tell the two apart.
    fileprivate func isSame(as other: Self) -> Bool {
        if case .coding(let system, let code, _) = value, case .coding(let otherSystem, let otherCode, _) = other.value
        {
            return (system, code) == (otherSystem, otherCode)
        }
        return value == other.value
    }
}
