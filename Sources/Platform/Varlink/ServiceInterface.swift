extension Interface {
    /// org.varlink.service, which every service offers (varlink.org/Service).
    public static let service = Interface(
        embedded: """
            # The facts that every Varlink service tells about itself.
            interface org.varlink.service

            # The maker of the service, the product and its version, and the names of the interfaces it offers.
            method GetInfo() -> (
              vendor: string,
              product: string,
              version: string,
              url: string,
              interfaces: []string
            )

            # The definition of an interface.
            method GetInterfaceDescription(interface: string) -> (description: string)

            # The interface is not offered here.
            error InterfaceNotFound (interface: string)

            # The interface has no such method.
            error MethodNotFound (method: string)

            # The interface has the method, this service does not.
            error MethodNotImplemented (method: string)

            # A parameter is unknown, missing, of the wrong type or out of range.
            error InvalidParameter (parameter: string)

            # The caller may not do this.
            error PermissionDenied ()

            # The method answers only calls that ask for more.
            error ExpectedMore ()

            """)
}
