import Testing
import Varlink

@Suite struct IntrospectionTests {
    private let text = """
        # Things.
        interface org.example.Thing
        method Greet(person: (name: string, age: ?int), times: ?int) -> (greeting: string, url: ?string, volume: float)
        method Poke() -> ()
        error Broken (part: string, since: ?int)

        """

    private func service() throws -> Introspection {
        try Introspection(
            vendor: "Example", product: "Things", version: "1.0", url: "https://example.org/",
            interfaces: [Interface(parsing: text)])
    }

    private func answer(_ method: String, _ parameters: String = "{}") throws -> String? {
        let call = try Call(frame: Array("{\"method\":\"\(method)\",\"parameters\":\(parameters)}".utf8))
        return try service().answer(call).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `GetInfo describes the service and lists its interfaces`() throws {
        let expected =
            #"{"parameters":{"interfaces":["org.varlink.service","org.example.Thing"],"#
            + #""product":"Things","url":"https://example.org/","vendor":"Example","version":"1.0"}}"# + "\0"
        #expect(try answer("org.varlink.service.GetInfo") == expected)
        #expect(try answer("org.varlink.service.GetInfo", "null") == expected)
    }

    @Test func `GetInterfaceDescription returns an interface byte for byte`() throws {
        for interface in try service().interfaces {
            let frame = try service().answer(
                Call(frame: Call.frame(GetInterfaceDescription(interface: interface.name)).dropLast()))
            let reply = try Reply(frame: #require(frame).dropLast())
            #expect(try reply.decode(GetInterfaceDescription.Reply.self) == .init(description: interface.text))
        }
        #expect(try service().interfaces.map(\.name) == ["org.varlink.service", "org.example.Thing"])
        #expect(try service().interfaces[1].text == text)
    }

    @Test(arguments: [
        (
            "GetInterfaceDescription", #"{"interface":"org.example.Other"}"#,
            #"InterfaceNotFound","parameters":{"interface":"org.example.Other"}}"#
        ),
        ("GetInterfaceDescription", "{}", #"InvalidParameter","parameters":{"parameter":"interface"}}"#),
        ("GetInterfaceDescription", #"{"interface":1}"#, #"InvalidParameter","parameters":{"parameter":"interface"}}"#),
        ("GetInfo", #"{"all":true}"#, #"InvalidParameter","parameters":{"parameter":"all"}}"#),
        ("GetNothing", "{}", #"MethodNotFound","parameters":{"method":"org.varlink.service.GetNothing"}}"#),
        ("", "{}", #"MethodNotFound","parameters":{"method":"org.varlink.service."}}"#),
        ("InvalidParameter", "{}", #"MethodNotFound","parameters":{"method":"org.varlink.service.InvalidParameter"}}"#),
    ])
    func `a wrong call of the service's own interface gets the standard's error`(
        method: String, parameters: String, error: String
    ) throws {
        #expect(
            try answer("org.varlink.service.\(method)", parameters) == #"{"error":"org.varlink.service."# + error + "\0"
        )
    }

    @Test func `calls of other interfaces are not answered`() throws {
        #expect(try answer("org.example.Thing.Poke") == nil)
        #expect(try answer("org.example.Thing.Nonsense") == nil)
        #expect(try answer("org.varlink.Service.GetInfo") == nil)
        #expect(try answer("org.varlink.service") == nil)
        #expect(try answer("GetInfo") == nil)
    }

    @Test(
        arguments: [
            ("org.example.Thing.Poke", "{}", nil),
            ("org.example.Thing.Greet", #"{"person":{"name":"Ada"}}"#, nil),
            ("org.varlink.service.GetInfo", "{}", nil),
            ("org.example.Thing.Greet", "{}", InvalidParameter(parameter: "person")),
            ("org.example.Thing.Poke", #"{"hard":true}"#, InvalidParameter(parameter: "hard")),
            ("org.example.Thing.poke", "{}", MethodNotFound(method: "org.example.Thing.poke")),
            ("org.example.Thing.", "{}", MethodNotFound(method: "org.example.Thing.")),
            ("org.example.Thing.Broken", "{}", MethodNotFound(method: "org.example.Thing.Broken")),
            ("org.example.Thing.Poke.Poke", "{}", InterfaceNotFound(interface: "org.example.Thing.Poke")),
            ("org.example.thing.Poke", "{}", InterfaceNotFound(interface: "org.example.thing")),
            (".Poke", "{}", InterfaceNotFound(interface: "")),
            ("Poke", "{}", MethodNotFound(method: "Poke")),
            ("", "{}", MethodNotFound(method: "")),
        ] as [(String, String, (any ErrorReply & Sendable)?)])
    func `a wrong call is refused before it runs`(
        method: String, parameters: String, expected: (any ErrorReply & Sendable)?
    ) throws {
        let call = try Call(frame: Array("{\"method\":\"\(method)\",\"parameters\":\(parameters)}".utf8))
        let error = try service().check(call)
        #expect(
            error.map { String(decoding: Reply.frame(error: $0), as: UTF8.self) }
                == expected.map { String(decoding: Reply.frame(error: $0), as: UTF8.self) })
    }

    @Test func `interfaces are found by name, only if the bytes are the same`() throws {
        #expect(try service().interface(named: "org.example.Thing")?.text == text)
        #expect(try service().interface(named: "org.varlink.service") == Interface.service)
        #expect(try service().interface(named: "org.example.thing") == nil)
        #expect(try service().interface(named: "") == nil)
    }

    @Test func `two interfaces of one name are a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            _ = Introspection(vendor: "", product: "", version: "", url: "", interfaces: [.service])
        }
    }

    /// The definition is that of varlink.org/Service, without its comments.
    @Test func `the text of the service's own interface is the standard's`() throws {
        let published = try Interface(
            parsing: """
                interface org.varlink.service
                method GetInfo() -> (
                  vendor: string,
                  product: string,
                  version: string,
                  url: string,
                  interfaces: []string
                )
                method GetInterfaceDescription(interface: string) -> (description: string)
                error InterfaceNotFound (interface: string)
                error MethodNotFound (method: string)
                error MethodNotImplemented (method: string)
                error InvalidParameter (parameter: string)
                error PermissionDenied ()
                error ExpectedMore ()
                """)
        let service = Interface.service
        #expect(service.name == published.name)
        #expect(service.types == published.types)
        #expect(
            service.methods.map { Member($0.name, $0.input, $0.output) }
                == published.methods.map { Member($0.name, $0.input, $0.output) })
        #expect(
            service.errors.map { Member($0.name, $0.parameters) }
                == published.errors.map { Member($0.name, $0.parameters) })
    }

    private struct Member: Equatable {
        let name: String
        let fields: [[Interface.Field]]

        init(_ name: String, _ fields: [Interface.Field]...) {
            self.name = name
            self.fields = fields
        }
    }

    @Test func `the Swift types of the service's own interface fit its text`() throws {
        let service = Interface.service
        try service.check(parameters: parameters(Call.frame(GetInfo())), of: GetInfo.name)
        try service.check(
            parameters: parameters(Call.frame(GetInterfaceDescription(interface: ""))), of: GetInterfaceDescription.name
        )
        let info = GetInfo.Reply(vendor: "", product: "", version: "", url: "", interfaces: [""])
        try service.check(reply: Reply(frame: Reply.frame(info).dropLast()).parameters, of: GetInfo.name)
        let description = GetInterfaceDescription.Reply(description: "")
        try service.check(
            reply: Reply(frame: Reply.frame(description).dropLast()).parameters, of: GetInterfaceDescription.name)
        let errors: [any ErrorReply] = [
            InterfaceNotFound(interface: ""), MethodNotFound(method: ""), MethodNotImplemented(method: ""),
            InvalidParameter(parameter: ""), PermissionDenied(), ExpectedMore(),
        ]
        for error in errors {
            let reply = try Reply(frame: Reply.frame(error: error).dropLast())
            try service.check(parameters: reply.parameters, ofError: #require(reply.error))
        }
        #expect(service.errors.map { "org.varlink.service.\($0.name)" } == errors.map { type(of: $0).name })
    }

    private func parameters(_ frame: [UInt8]) throws -> [UInt8] { try Call(frame: frame.dropLast()).parameters }
}
