/// A method of an interface, as a type. Its fields are the call's parameters; `Reply`'s fields are the reply's.
///
/// Both must encode as JSON objects. A `nil` field is left out, as a nullable parameter (`?`) may be. Specification:
/// varlink.org/Method-Call and, for names, varlink.org/Interface-Definition, "Method".
///
/// ```swift
/// struct Ping: Method {
///     static let name = "org.example.Echo.Ping"
///     struct Reply: Codable, Equatable { var pong: String }
///     var ping: String
/// }
/// ```
public protocol Method: Codable, Sendable {
    /// The parameters of a reply without an error.
    associatedtype Reply: Codable & Equatable & Sendable

    /// The full name, `org.example.Thing.Do`.
    static var name: String { get }
}
