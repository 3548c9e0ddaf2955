/// No parameters: `{}`. The reply of a method that only says that it is done.
public struct Nothing: Codable, Equatable, Sendable {
    /// The one value there is.
    public init() {}
}
