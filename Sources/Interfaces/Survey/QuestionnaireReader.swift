import JSON
import Text
import Time

/// A fault of a text that is no survey.
public struct QuestionnaireFault: Equatable, Sendable {
    /// From 1.
    public let line: Int
    /// A sentence for people.
    public let reason: String
}

/// All faults of a text that is no survey, in the order of the text; at most ``limit``.
public struct QuestionnaireFaults: Error, Equatable, Sendable {
    public let list: [QuestionnaireFault]

    /// More are not read by anybody.
    public static let limit = 100
}

extension Questionnaire {
    /// Reads a FHIR R4 Questionnaire of the closed subset. Everything else is refused by its name, so that nothing that its
    /// author meant is passed over.
    public static func read(_ bytes: [UInt8]) throws(QuestionnaireFaults) -> Questionnaire {
        guard bytes.count <= byteLimit else {
            throw QuestionnaireFaults(
                list: [.init(line: 1, reason: "The survey has more than \(byteLimit) bytes, which is the limit.")])
        }
        let root: JSONNode
        do { root = try JSONNode.read(bytes) } catch {
            throw QuestionnaireFaults(
                list: [.init(line: error.position.line, reason: "It is not JSON: \(error.reason).")])
        }
        var reader = QuestionnaireReader(lines: LineStarts(bytes))
        let read = reader.questionnaire(root)
        guard reader.faults.isEmpty, let read else { throw QuestionnaireFaults(list: reader.sortedFaults) }
        return read
    }
}

/// Collects the faults of one survey. Its parts are in `ItemReading` and `OptionReading`.
struct QuestionnaireReader {
    let lines: LineStarts
    var faults: [(offset: Int, reason: String)] = []
    var items: [Questionnaire.Item] = []
    /// The places of the items by their linkIds; nil for one with a fault.
    var places: [String: Int?] = [:]

    init(lines: LineStarts) { self.lines = lines }

    var sortedFaults: [QuestionnaireFault] {
        faults.sorted { $0.offset < $1.offset }.prefix(QuestionnaireFaults.limit)
            .map { QuestionnaireFault(line: lines.line(of: $0.offset), reason: $0.reason) }
    }

    mutating func refuse(_ offset: Int, _ reason: String) { faults.append((offset, reason)) }

    /// Elements that describe the questionnaire, and change nothing about how it is asked.
    private static let descriptions: Set<String> = [
        "id", "version", "name", "language", "date", "publisher", "description", "purpose",
    ]

    mutating func questionnaire(_ root: JSONNode) -> Questionnaire? {
        guard let members = root.members else {
            refuse(root.offset, "A survey is a JSON object, a FHIR R4 Questionnaire.")
            return nil
        }
        var (title, copyright, url): (String?, String?, String?) = (nil, nil, nil)
        var questions: JSONNode?
        for member in members {
            switch member.key {
            case "resourceType":
                if member.node.string != "Questionnaire" {
                    refuse(member.node.offset, "The resourceType must be \"Questionnaire\".")
                }
            case "title": title = line(member)
            case "copyright": copyright = text(member)
            case "url": url = line(member)
            case "status": checkStatus(member)
            case "subjectType": checkSubject(member)
            case "item": questions = member.node
            case let key where Self.descriptions.contains(key): _ = text(member)
            default: refuseUnknown(member, in: "a survey")
            }
        }
        for needed in ["resourceType", "title", "status", "item"] where root[needed] == nil {
            refuse(root.offset, "The survey has no \"\(needed)\".")
        }
        if let questions { readItems(questions, in: nil) }
        if faults.isEmpty, !items.contains(where: \.kind.isQuestion) {
            refuse(questions?.offset ?? root.offset, "The survey asks nothing.")
        }
        return title.map { Questionnaire(title: $0, copyright: copyright, url: url, items: items) }
    }

    private mutating func checkStatus(_ member: JSONNode.Member) {
        if !["active", "draft"].contains(member.node.string) {
            refuse(member.node.offset, "The status must be \"active\" or \"draft\".")
        }
    }

    private mutating func checkSubject(_ member: JSONNode.Member) {
        if member.node.elements?.map(\.string) != ["Patient"] {
            refuse(member.node.offset, "The subjectType must be [\"Patient\"]: surveys are about the client.")
        }
    }

    // MARK: Values

    /// Elements that FHIR calls modifiers: they may change the meaning of everything beside them.
    private static let modifiers: Set<String> = ["modifierExtension", "implicitRules"]

    mutating func refuseUnknown(_ member: JSONNode.Member, in whole: String) {
        // "_title" and the like have the extensions of a text.
        let extensions =
            member.key == "extension" ? member.node : member.key.hasPrefix("_") ? member.node["extension"] : nil
        if let extensions, refuseExtensions(extensions) { return }
        let name = "\"\(member.key.cut)\""
        if Self.modifiers.contains(member.key) {
            refuse(member.keyOffset, "\(name) may change the meaning of all that it stands with. Daybreak knows none.")
        } else {
            refuse(member.keyOffset, "\(name) is not known: Daybreak takes no such element in \(whole).")
        }
    }

    /// One visible line; nil, with a fault, for anything else.
    mutating func line(_ member: JSONNode.Member, limit: Int = Questionnaire.lineLimit) -> String? {
        words(member, limit: limit, what: "one line of text") { $0.firstHidden }
    }

    /// Visible text of several lines.
    mutating func text(_ member: JSONNode.Member) -> String? {
        words(member, limit: Questionnaire.textLimit, what: "a text") { $0.firstHiddenInLines }
    }

    private mutating func words(
        _ member: JSONNode.Member, limit: Int, what: String, _ hidden: (String) -> Unicode.Scalar?
    ) -> String? {
        let (key, offset) = (member.key, member.node.offset)
        guard let words = member.node.string, words.contains(where: { !$0.isWhitespace }) else {
            refuse(offset, "\"\(key)\" must be \(what).")
            return nil
        }
        guard words.count <= limit else {
            refuse(offset, "\"\(key)\" has more than \(limit) characters.")
            return nil
        }
        if let hidden = hidden(words) {
            refuse(offset, "\"\(key)\" has \(hidden.named) in it, which is not seen.")
            return nil
        }
        return words
    }

    mutating func truth(_ member: JSONNode.Member) -> Bool? {
        if let truth = member.node.bool { return truth }
        refuse(member.node.offset, "\"\(member.key)\" must be true or false.")
        return nil
    }
}

extension String {
    /// The first hidden character, other than line feeds and tabs.
    var firstHiddenInLines: Unicode.Scalar? {
        let allowed = unicodeScalars.map { $0 == "\n" || $0 == "\t" ? " " : $0 }
        return String(String.UnicodeScalarView(allowed)).firstHidden
    }

    /// A name out of somebody's file, for a message: its beginning, without hidden characters.
    var cut: String {
        let seen = unicodeScalars.prefix(60).map { $0.isHidden ? "?" : $0 }
        return String(String.UnicodeScalarView(seen)) + (unicodeScalars.count > 60 ? "…" : "")
    }
}
