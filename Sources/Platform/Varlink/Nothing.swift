/// No parameters: `{}`. The reply of a method that only says that it is done.
/// Specification: varlink.org/Method-Call, "Call" and "Reply".
public struct Nothing: Codable, Equatable, Sendable {
    /// The one value there is.
    public init() {}
}
