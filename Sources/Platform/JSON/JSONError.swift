/// A text that is no JSON, or no JSON of the expected kind: the place and the reason, for a person to read.
/// Specification: RFC 8259.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place of the offending value or byte.
    public let position: JSONReader.Position
    /// The reason, as part of a sentence: `expected a string, found a number`.
    public let reason: String

    /// An error at a place. Callers make one too when a value is well-formed and not allowed.
    public init(position: JSONReader.Position, reason: String) {
        self.position = position
        self.reason = reason
    }

    /// `line 3, column 14: expected a string, found a number`.
    public var description: String { "line \(position.line), column \(position.column): \(reason)" }
}
