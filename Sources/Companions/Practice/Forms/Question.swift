import Companion
import PracticeRules

/// A field of a form, as it is asked for.
struct Question {
    struct Choice: Equatable {
        /// As it is sent.
        let value: String
        /// As it is shown and typed.
        let word: String
    }

    enum Kind {
        case line
        /// Some lines of text, written in an editor; the draft's name.
        case text(draft: String)
        case one([Choice])
        case some([Choice])
    }

    /// As the interface names it.
    let field: String
    let label: String
    var kind = Kind.line
    var hint = ""
    var isRequired = false
    /// False if an option alone names it.
    var isAsked = true
    /// The value that the field begins with: the old one in an edit, else the usual one.
    var current = ""
    /// The usual value of an empty field, by the values of the fields before.
    var usual: ([String: String]) -> String = { _ in "" }
    var check: (String) throws(FieldError) -> String = { text throws(FieldError) in text }

    /// There is something to choose from.
    var hasChoices: Bool {
        switch kind {
        case .one(let choices), .some(let choices): !choices.isEmpty
        case .line, .text: true
        }
    }

    /// The values that are sent for a typed text; none if it was left out.
    /// - Parameter areListed: the choices stand above, so that a fault need not name them.
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

    /// The typed text, with the words of the choices that it names.
    func spelled(_ typed: String) -> String {
        let choices: [Choice]
        switch kind {
        case .one(let some), .some(let some): choices = some
        case .line, .text: return typed
        }
        // A fault is said by whoever asks for the values.
        guard let values = try? values(of: typed) else { return typed }
        let words = values.compactMap { value in choices.first { $0.value == value }?.word }.joined(separator: ", ")
        // Words that would be read as others are not said.
        return (try? self.values(of: words)) == values ? words : typed
    }

    /// By its place in the list, its value, its word, or the beginning or a part of the word where that is clear.
    private static func chosen(_ typed: String, _ choices: [Choice], _ areListed: Bool) throws(FieldError) -> String {
        let text = String(typed.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        if let place = Int(text), choices.indices.contains(place - 1) { return choices[place - 1].value }
        if let whole = choices.first(where: { $0.value == text || $0.word.lowercased() == text.lowercased() }) {
            return whole.value
        }
        let begin = choices.filter { $0.word.lowercased().hasPrefix(text.lowercased()) }
        let part = begin.isEmpty ? choices.filter { $0.word.holds(text) } : begin
        if part.count == 1 { return part[0].value }
        guard !choices.isEmpty else { throw FieldError("has nothing to choose from yet.") }
        if part.isEmpty, areListed { throw FieldError("must be one of these: there is no “\(text.shown)”.") }
        let words = Wording.choices((part.isEmpty ? choices : part).prefix(12).map(\.word))
        throw FieldError(
            part.isEmpty ? "must be \(words): there is no “\(text.shown)”." : "may be \(words): say which.")
    }
}

/// A form's content: the values of its fields, by their names.
struct Answers: Equatable {
    var values: [String: [String]] = [:]

    /// Nil if the field was left out, and in an edit where it stays as it is.
    subscript(_ field: String) -> String? { values[field].map { $0.first ?? "" } }

    func list(_ field: String) -> [String] { values[field] ?? [] }
    func number(_ field: String) -> Int? { self[field].flatMap { Int($0) } }
    /// - Parameter emptied: the interface's number for "no longer any".
    func number(_ field: String, whereEmptied emptied: Int) -> Int? { values[field] == [] ? emptied : number(field) }
}
