import Companion
import PracticeRules

/// The question for a field of a form.
struct Question {
    struct Choice: Equatable {
        /// The value for the interface.
        let value: String
        /// The word that is shown and typed.
        let word: String
    }

    enum Kind {
        case line
        /// A text of several lines, written in an editor, with its draft.
        case text(draft: LongText)
        case one([Choice])
        case some([Choice])
    }

    /// The field's name in the interface.
    let field: String
    let label: String
    var kind = Kind.line
    var hint = ""
    var isRequired = false
    /// The options that answer it, for a refusal, if they are not named as the field.
    var options: String?
    /// The option that answers it, if it is not named as the field.
    var named: String?
    /// False if the field is only an option.
    var isAsked = true
    /// The initial value: the stored one in an edit, else the default.
    var current = ""
    /// The default of an empty field, from the values of the fields before it.
    var usual: ([String: String]) -> String = { _ in "" }
    var check: (String) throws(FieldError) -> String = { text throws(FieldError) in text }

    /// The option that answers it, as it is typed: `--emergency-contact`.
    var option: String { options ?? named ?? "--\(field.dashed)" }

    /// True if there are choices.
    var hasChoices: Bool {
        switch kind {
        case .one(let choices), .some(let choices): !choices.isEmpty
        case .line, .text: true
        }
    }

    /// The values for a typed text; empty if nothing was typed.
    /// - Parameter areListed: the choices are on the screen, so a fault does not list them.
    func values(of typed: String, areListed: Bool = false) throws(FieldError) -> [String] {
        let isBlank = typed.allSatisfy(\.isWhitespace)
        guard !isBlank else {
            if isRequired { throw FieldError("must be given.") }
            return []
        }
        switch kind {
        case .line, .text: return [try check(typed)]
        case .one(let choices): return [try Self.chosen(typed, choices, areListed)]
        case .some(let choices):
            if let one = choices.first(where: { $0.word.lowercased() == typed.lowercased() }) { return [one.value] }
            var values: [String] = []
            for part in typed.split(separator: typed.contains("\n") ? "\n" : ",") where !part.allSatisfy(\.isWhitespace)
            {
                let value = try Self.chosen(String(part), choices, areListed)
                if !values.contains(value) { values.append(value) }
            }
            return values
        }
    }

    /// The typed text, with the full words of the choices.
    func spelled(_ typed: String) -> String {
        let choices: [Choice]
        switch kind {
        case .one(let some), .some(let some): choices = some
        case .line, .text: return typed
        }
        // A fault is reported when the values are requested.
        guard let values = try? values(of: typed) else { return typed }
        let words = values.compactMap { value in choices.first { $0.value == value }?.word }.joined(separator: ", ")
        // Keeps the typed text if the words would be read as other values.
        return (try? self.values(of: words)) == values ? words : typed
    }

    /// Finds a choice by its place in the list, its value, its word, or a part of its word that fits no other.
    private static func chosen(_ typed: String, _ choices: [Choice], _ areListed: Bool) throws(FieldError) -> String {
        let text = String(typed.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        if let place = choices.index(numbered: Int(text)) { return choices[place].value }
        if let one = choices.first(where: { $0.value == text }) { return one.value }
        let whole = choices.filter { $0.word.lowercased() == text.lowercased() }
        let begin = whole.isEmpty ? choices.filter { $0.word.lowercased().hasPrefix(text.lowercased()) } : whole
        let part = begin.isEmpty ? choices.filter { $0.word.holds(text) } : begin
        if part.count == 1 { return part[0].value }
        guard !choices.isEmpty else { throw FieldError("has nothing to choose from yet.") }
        if part.isEmpty, areListed { throw FieldError("must be one of these: there is no “\(text.shown)”.") }
        // Two may have one word.
        let words = Wording.choices(
            (part.isEmpty ? choices : part).prefix(12).map { choice in
                let isOnlyOne = choices.count { $0.word == choice.word } == 1
                return isOnlyOne ? choice.word : "\(choice.word) (\(choice.value))"
            })
        throw FieldError(
            part.isEmpty ? "must be \(words): there is no “\(text.shown)”." : "may be \(words): say which.")
    }
}

/// The answers of a form: the values of its fields, by their names.
struct Answers: Equatable {
    var values: [String: [String]] = [:]

    /// Nil if the field was left out, or is unchanged in an edit.
    subscript(_ field: String) -> String? { values[field].map { $0.first ?? "" } }

    func list(_ field: String) -> [String] { values[field] ?? [] }
    func number(_ field: String) -> Int? { self[field].flatMap { Int($0) } }
    /// - Parameter emptied: the number with which the interface removes the value.
    func number(_ field: String, whereEmptied emptied: Int) -> Int? { values[field] == [] ? emptied : number(field) }
}
