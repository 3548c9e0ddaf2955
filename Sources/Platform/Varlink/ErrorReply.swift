/// An error answer of a service. The struct's fields are the error's parameters.
///
/// Specification: varlink.org/Interface-Definition, "Error".
public protocol ErrorReply: Error, Codable, Equatable {
    /// The full name, `org.example.Thing.Broken`.
    static var name: String { get }
}
