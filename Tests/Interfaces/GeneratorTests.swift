import Testing
import Varlink

@testable import InterfaceGenerator

@Suite struct GeneratorTests {
    @Test func `a small interface is generated as this Swift`() throws {
        let definition = """
            # Says things back.
            interface org.example.echo
            # How loud.
            type Loudness (quiet, loud)
            # Says it.
            method Say(
              # In full.
              words: string,
              how: ?Loudness
            ) -> (said: []string)
            method Stop() -> ()
            error TooLong (limit: int)

            """
        let swift = """
            // Generated from org.example.echo.varlink. Edit that file, not this one.
            import JSON
            public import Varlink

            /// Says things back.
            public enum Echo {
                /// The interface's full name.
                public static let name = "org.example.echo"
                /// The methods, in the definition's order.
                public static let methods: [any Method.Type] = [Say.self, Stop.self]
                /// The errors, in the definition's order.
                public static let errors: [any ErrorReply.Type] = [TooLong.self]
                /// The definition, parsed.
                public static let interface = Interface(embedded: ##\"\"\"
            \(definition)
            \"\"\"##)
                /// How loud.
                public enum Loudness: String, Codable, Sendable, CaseIterable {
                    case quiet, loud
                }
                /// Says it.
                public struct Say: Method, Equatable {
                    public static let name = "org.example.echo.Say"
                    public struct Reply: Codable, Equatable, Sendable {
                        public var said: [String]
                        public init(said: [String]) {
                            self.said = said
                        }
                        public init(from decoder: any Decoder) throws {
                            let members = try decoder.container(keyedBy: JSONKey.self)
                            self.said = try members.decode([String].self, forKey: "said")
                        }
                        public func encode(to encoder: any Encoder) throws {
                            var members = encoder.container(keyedBy: JSONKey.self)
                            try members.encode(self.said, forKey: "said")
                        }
                    }
                    /// In full.
                    public var words: String
                    public var how: Loudness?
                    public init(words: String, how: Loudness? = nil) {
                        self.words = words
                        self.how = how
                    }
                    public init(from decoder: any Decoder) throws {
                        let members = try decoder.container(keyedBy: JSONKey.self)
                        self.words = try members.decode(String.self, forKey: "words")
                        self.how = try members.decodeIfPresent(Loudness.self, forKey: "how")
                    }
                    public func encode(to encoder: any Encoder) throws {
                        var members = encoder.container(keyedBy: JSONKey.self)
                        try members.encode(self.words, forKey: "words")
                        try members.encodeIfPresent(self.how, forKey: "how")
                    }
                }
                public struct Stop: Method, Equatable {
                    public static let name = "org.example.echo.Stop"
                    public typealias Reply = Nothing
                    public init() {
                    }
                    public init(from decoder: any Decoder) throws {
                    }
                    public func encode(to encoder: any Encoder) throws {
                        _ = encoder.container(keyedBy: JSONKey.self)
                    }
                }
                public struct TooLong: ErrorReply {
                    public static let name = "org.example.echo.TooLong"
                    public var limit: Int
                    public init(limit: Int) {
                        self.limit = limit
                    }
                    public init(from decoder: any Decoder) throws {
                        let members = try decoder.container(keyedBy: JSONKey.self)
                        self.limit = try members.decode(Int.self, forKey: "limit")
                    }
                    public func encode(to encoder: any Encoder) throws {
                        var members = encoder.container(keyedBy: JSONKey.self)
                        try members.encode(self.limit, forKey: "limit")
                    }
                }
            }

            """
        #expect(try Interface(parsing: definition).swiftSource() == swift)
    }

    @Test(arguments: [
        ("type String (a: int)", "String means something else in Swift: choose another name"),
        ("type Echo (a: int)", "Echo means something else in Swift: choose another name"),
        ("type A (self: int)", "self is no field's name in Swift"),
        ("type A (type: (one, two))", "Type means something else in Swift: choose another name"),
        (
            "type A (b: [](c: ?(d: (one, two)), e: D)) type D ()",
            "the type of 'd' would hide the type D: give it a name"
        ),
        ("method A()\r\n -> ()", "lines end with a line feed alone: Swift embeds no carriage return"),
    ])
    func `a definition that Swift cannot spell is refused`(members: String, reason: String) throws {
        let interface = try Interface(parsing: "interface org.example.echo \(members)")
        #expect(throws: NoSwiftName(reason: reason)) { try interface.swiftSource() }
    }
}
