// The methods of org.varlink.service (varlink.org/Service). Every service has them.

/// Asks for the service's description and the names of its interfaces.
/// Specification: varlink.org/Service.
public struct GetInfo: Method, Equatable, Sendable {
    /// `org.varlink.service.GetInfo`.
    public static let name = "org.varlink.service.GetInfo"

    /// The service's description of itself.
    public struct Reply: Codable, Equatable, Sendable {
        /// Its maker.
        public var vendor: String
        /// Its name.
        public var product: String
        /// Its version, for people.
        public var version: String
        /// The address of its documentation.
        public var url: String
        /// The names of its interfaces, org.varlink.service among them.
        public var interfaces: [String]

        /// Describes a service.
        public init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
            self.interfaces = interfaces
        }
    }

    /// A call without parameters.
    public init() {}
}

/// Asks for the text of an interface.
/// Specification: varlink.org/Service.
public struct GetInterfaceDescription: Method, Equatable, Sendable {
    /// `org.varlink.service.GetInterfaceDescription`.
    public static let name = "org.varlink.service.GetInterfaceDescription"

    /// The definition.
    public struct Reply: Codable, Equatable, Sendable {
        /// The interface's definition, byte for byte.
        public var description: String

        /// A reply with this definition.
        public init(description: String) { self.description = description }
    }

    /// The name of the interface.
    public var interface: String

    /// Asks for this interface.
    public init(interface: String) { self.interface = interface }
}
