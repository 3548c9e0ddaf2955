/// A field with a wrong value, and a sentence for the person who wrote it.
public struct Fault: Error, Equatable, Sendable {
    public let field: String
    public let reason: String

    public init(_ field: String, _ reason: String) {
        self.field = field
        self.reason = reason
    }
}

/// Collects the faults of a form, so that a person sees all of them at once.
public struct Faults: Error, Equatable, Sendable {
    public private(set) var list: [Fault] = []

    public init(_ list: [Fault] = []) { self.list = list }

    public mutating func add(_ field: String, _ reason: String) { list.append(Fault(field, reason)) }

    /// Checks a value. Nil, with one more fault, if it is wrong.
    public mutating func check<Value, Checked>(
        _ field: String, _ value: Value, _ check: (Value) throws(FieldError) -> Checked
    ) -> Checked? {
        do { return try check(value) } catch {
            add(field, error.reason)
            return nil
        }
    }

    /// Checks an optional field. Nil if the text is blank; the earlier value if there is no text, or if it is wrong.
    public mutating func optional<Checked>(
        _ field: String, _ text: String?, else earlier: Checked?, _ check: (String) throws(FieldError) -> Checked
    ) -> Checked? {
        guard let text else { return earlier }
        return text.trimmed.isEmpty ? nil : self.check(field, text, check) ?? earlier
    }

    public func has(_ field: String) -> Bool { list.contains { $0.field == field } }

    /// Throws the faults, if there are any.
    public func end() throws(Faults) { if !list.isEmpty { throw self } }
}

/// The reason why a value is wrong for a field, as a sentence that follows the field's name.
public struct FieldError: Error, Equatable, Sendable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}
