/// No parameters: `{}`. The reply of a method that returns nothing.
/// Specification: varlink.org/Method-Call, "Call" and "Reply".
public struct Nothing: Codable, Equatable, Sendable {
    /// The only value.
    public init() {}
}
