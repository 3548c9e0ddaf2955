// The methods of org.varlink.service (varlink.org/Service), which every service has.

/// What this service is and which interfaces it offers.
/// Specification: varlink.org/Service.
public struct GetInfo: Method, Equatable, Sendable {
    /// `org.varlink.service.GetInfo`.
    public static let name = "org.varlink.service.GetInfo"

    /// The service's own words about itself.
    public struct Reply: Codable, Equatable, Sendable {
        /// Who made it.
        public var vendor: String
        /// What it is called.
        public var product: String
        /// Its version, for people.
        public var version: String
        /// Where to read more.
        public var url: String
        /// The names of the interfaces it offers, org.varlink.service among them.
        public var interfaces: [String]

        /// A description of a service.
        public init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
            self.interfaces = interfaces
        }
    }

    /// The question.
    public init() {}
}

/// The text of an interface.
/// Specification: varlink.org/Service.
public struct GetInterfaceDescription: Method, Equatable, Sendable {
    /// `org.varlink.service.GetInterfaceDescription`.
    public static let name = "org.varlink.service.GetInterfaceDescription"

    /// An interface, described.
    public struct Reply: Codable, Equatable, Sendable {
        /// The interface's definition, byte for byte.
        public var description: String

        /// The description.
        public init(description: String) { self.description = description }
    }

    /// The name of the interface.
    public var interface: String

    /// The question for one interface.
    public init(interface: String) { self.interface = interface }
}
