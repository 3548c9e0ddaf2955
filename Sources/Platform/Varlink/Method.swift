/// A method of an interface, as a type: its fields are the call's parameters, `Reply`'s fields those of the reply.
///
/// Both must encode as JSON objects. An optional field that is `nil` is left out, which is how a nullable parameter
/// (`?`) is spelled. Specification: varlink.org/Method-Call and, for names, varlink.org/Interface-Definition, "Method".
///
/// ```swift
/// struct Ping: Method {
///     static let name = "org.example.Echo.Ping"
///     struct Reply: Codable, Equatable { var pong: String }
///     var ping: String
/// }
/// ```
public protocol Method: Codable, Sendable {
    /// What a reply without an error carries.
    associatedtype Reply: Codable & Equatable & Sendable

    /// The full name, `org.example.Thing.Do`.
    static var name: String { get }
}
