// The errors of org.varlink.service (varlink.org/Service), which any service may answer with.

/// The interface is not offered here.
/// Specification: varlink.org/Service.
public struct InterfaceNotFound: ErrorReply {
    /// `org.varlink.service.InterfaceNotFound`.
    public static let name = "org.varlink.service.InterfaceNotFound"
    /// The name of the interface.
    public let interface: String

    /// No interface of this name.
    public init(interface: String) { self.interface = interface }
}

/// The interface has no such method.
/// Specification: varlink.org/Service.
public struct MethodNotFound: ErrorReply {
    /// `org.varlink.service.MethodNotFound`.
    public static let name = "org.varlink.service.MethodNotFound"
    /// The full name of the method, as it was called.
    public let method: String

    /// No method of this name.
    public init(method: String) { self.method = method }
}

/// The interface has the method, this service does not.
/// Specification: varlink.org/Service.
public struct MethodNotImplemented: ErrorReply {
    /// `org.varlink.service.MethodNotImplemented`.
    public static let name = "org.varlink.service.MethodNotImplemented"
    /// The full name of the method.
    public let method: String

    /// The method of this name is not implemented.
    public init(method: String) { self.method = method }
}

/// A parameter is unknown, missing, of the wrong type or out of range.
/// Specification: varlink.org/Service.
public struct InvalidParameter: ErrorReply {
    /// `org.varlink.service.InvalidParameter`.
    public static let name = "org.varlink.service.InvalidParameter"
    /// The bare name of the call's parameter, also where the fault lies deeper inside it.
    public let parameter: String

    /// The parameter of this name is at fault.
    public init(parameter: String) { self.parameter = parameter }
}

/// The caller may not do this.
/// Specification: varlink.org/Service.
public struct PermissionDenied: ErrorReply {
    /// `org.varlink.service.PermissionDenied`.
    public static let name = "org.varlink.service.PermissionDenied"

    /// Refused.
    public init() {}
}

/// The method answers only calls that asked for `more`.
/// Specification: varlink.org/Service.
public struct ExpectedMore: ErrorReply {
    /// `org.varlink.service.ExpectedMore`.
    public static let name = "org.varlink.service.ExpectedMore"

    /// Ask with `more`.
    public init() {}
}
