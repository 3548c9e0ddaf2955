// The errors of org.varlink.service (varlink.org/Service). Any service may answer with them.

/// The service does not offer the interface.
/// Specification: varlink.org/Service.
public struct InterfaceNotFound: ErrorReply {
    /// `org.varlink.service.InterfaceNotFound`.
    public static let name = "org.varlink.service.InterfaceNotFound"
    /// The name of the interface.
    public let interface: String

    /// Names the missing interface.
    public init(interface: String) { self.interface = interface }
}

/// The interface has no such method.
/// Specification: varlink.org/Service.
public struct MethodNotFound: ErrorReply {
    /// `org.varlink.service.MethodNotFound`.
    public static let name = "org.varlink.service.MethodNotFound"
    /// The full name of the method in the call.
    public let method: String

    /// Names the missing method.
    public init(method: String) { self.method = method }
}

/// The interface has the method, but this service does not implement it.
/// Specification: varlink.org/Service.
public struct MethodNotImplemented: ErrorReply {
    /// `org.varlink.service.MethodNotImplemented`.
    public static let name = "org.varlink.service.MethodNotImplemented"
    /// The full name of the method.
    public let method: String

    /// Names the method.
    public init(method: String) { self.method = method }
}

/// A parameter is unknown, missing, of the wrong type or out of range.
/// Specification: varlink.org/Service.
public struct InvalidParameter: ErrorReply {
    /// `org.varlink.service.InvalidParameter`.
    public static let name = "org.varlink.service.InvalidParameter"
    /// The bare name of the call's parameter, even if the fault lies deeper inside it.
    public let parameter: String

    /// Names the parameter.
    public init(parameter: String) { self.parameter = parameter }
}

/// The caller may not do this.
/// Specification: varlink.org/Service.
public struct PermissionDenied: ErrorReply {
    /// `org.varlink.service.PermissionDenied`.
    public static let name = "org.varlink.service.PermissionDenied"

    /// The caller lacks the right.
    public init() {}
}

/// The method only answers calls with `more`.
/// Specification: varlink.org/Service.
public struct ExpectedMore: ErrorReply {
    /// `org.varlink.service.ExpectedMore`.
    public static let name = "org.varlink.service.ExpectedMore"

    /// The call was made without `more`.
    public init() {}
}
