import JSON

/// An extension of FHIR's, with its one value.
struct FoundExtension {
    /// The URL; of FHIR's own without the address that all of them have.
    let name: String
    let value: JSONNode.Member
    let offset: Int
    /// Marked as one without which the survey must not be asked.
    let isCritical: Bool
}

// Extensions: few are known, and each other one is refused by its URL, at whatever depth it stands.
extension QuestionnaireReader {
    private static let address = "http://hl7.org/fhir/StructureDefinition/"
    /// Stands in the extension that it marks (SDC, "rendering-criticalExtension"); some writers put it beside.
    private static let mark = "rendering-criticalExtension"

    private static func name(_ url: String) -> String {
        url.hasPrefix(address) ? String(url.dropFirst(address.count)) : url
    }

    private static func isMark(_ node: JSONNode) -> Bool {
        node["url"]?.string.map(name) == mark && node["valueBoolean"]?.bool != false
    }

    private static func hasMark(_ node: JSONNode?) -> Bool { node?.elements?.contains(where: isMark) ?? false }

    /// The extensions of an element that have one value, known or not. All others are refused.
    mutating func readExtensions(_ node: JSONNode) -> [FoundExtension] {
        guard let elements = node.elements else {
            refuse(node.offset, "\"extension\" must be a list.")
            return []
        }
        let isMarkBeside = Self.hasMark(node)
        return elements.compactMap { element in
            guard let url = element["url"]?.string else {
                refuse(element.offset, "An extension has a \"url\" and one value.")
                return nil
            }
            let nested = element["extension"]
            let isCritical = !Self.isMark(element) && (isMarkBeside || Self.hasMark(nested))
            let values = (element.members ?? []).filter { !["url", "extension"].contains($0.key) }
            for inside in nested?.elements ?? [] where !Self.isMark(inside) { refuse(nested: inside) }
            guard values.count == 1, values[0].key.hasPrefix("value") else {
                refuse(Self.name(url), isCritical, at: element.offset)
                return nil
            }
            return FoundExtension(
                name: Self.name(url), value: values[0], offset: element.offset, isCritical: isCritical)
        }
    }

    /// Refuses each of the extensions by its URL. Returns false if there is none.
    mutating func refuseExtensions(_ node: JSONNode) -> Bool {
        guard let elements = node.elements, !elements.isEmpty else { return false }
        for found in readExtensions(node) { refuse(found) }
        return true
    }

    mutating func refuse(_ found: FoundExtension) { refuse(found.name, found.isCritical, at: found.offset) }

    private mutating func refuse(nested: JSONNode) {
        let inside = nested["extension"]
        for deeper in inside?.elements ?? [] where !Self.isMark(deeper) { refuse(nested: deeper) }
        guard let url = nested["url"]?.string else {
            return refuse(nested.offset, "An extension has a \"url\" and one value.")
        }
        refuse(Self.name(url), Self.hasMark(inside), at: nested.offset)
    }

    private mutating func refuse(_ name: String, _ isCritical: Bool, at offset: Int) {
        let marked = isCritical ? " It is marked as critical: without it, another survey would be asked." : ""
        refuse(offset, "The extension \"\(name.cut)\" is not known here.\(marked)")
    }
}
