/// A field of clients that the practice's settings add.
public struct ClientField: Equatable, Sendable {
    /// The name in the store: small letters, digits and underscores.
    public var name = ""
    /// The label that people read; empty: the name.
    public var label = ""
    /// The text that people read before the value.
    public var title: String { label.isEmpty ? name : label }
    /// A regular expression that the whole text must match; empty: any text.
    public var pattern = ""
    public var isRequired = false

    public init() {}

    /// The most characters of the field's text.
    public static let limit = 500

    /// Returns the text as it is stored: one line that matches the pattern.
    public func check(_ text: String) throws(FieldError) -> String {
        let line = try Field.line(text, limit: Self.limit)
        guard !pattern.isEmpty else { return line }
        // The settings refuse a pattern that is no regular expression.
        guard let expression = try? Regex(pattern), (try? expression.wholeMatch(in: line)) != nil else {
            throw FieldError("must look like \(pattern) (a regular expression).")
        }
        return line
    }

    /// True if the text is a regular expression.
    public static func isPattern(_ text: String) -> Bool { text.utf8.count <= 500 && (try? Regex(text)) != nil }

    public static func isName(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard (1...40).contains(text.utf8.count), let first = text.utf8.first, letters.contains(first) else {
            return false
        }
        return text.utf8.allSatisfy {
            letters.contains($0) || $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }
}
