import Testing
import Varlink

struct Broken: ErrorReply {
    static let name = "org.example.Thing.Broken"
    var part: String
    var since: Int?
}

@Suite struct ReplyTests {
    private func reply(_ text: String) throws -> Reply { try Reply(frame: Array(text.utf8)) }

    // MARK: The service's side

    @Test func `an encoded reply leaves out nil fields, has its keys in order and ends with a NUL`() {
        let greeting = Greet.Reply(greeting: "a/b", url: nil, volume: 0.5)
        #expect(
            String(decoding: Reply.frame(greeting), as: UTF8.self)
                == #"{"parameters":{"greeting":"a/b","volume":0.5}}"# + "\0")
        #expect(
            String(decoding: Reply.frame(greeting, continues: true), as: UTF8.self)
                == #"{"continues":true,"parameters":{"greeting":"a/b","volume":0.5}}"# + "\0")
        #expect(String(decoding: Reply.frame(Nothing()), as: UTF8.self) == #"{"parameters":{}}"# + "\0")
    }

    @Test func `an encoded error has its full name`() {
        let broken: any ErrorReply = Broken(part: "wheel", since: nil)
        #expect(
            String(decoding: Reply.frame(error: broken), as: UTF8.self)
                == #"{"error":"org.example.Thing.Broken","parameters":{"part":"wheel"}}"# + "\0")
    }

    @Test func `the standard's errors are encoded as the standard says`() {
        let errors: [(any ErrorReply, String)] = [
            (InterfaceNotFound(interface: "a.b"), #"InterfaceNotFound","parameters":{"interface":"a.b"}}"#),
            (MethodNotFound(method: "a.b.C"), #"MethodNotFound","parameters":{"method":"a.b.C"}}"#),
            (MethodNotImplemented(method: "a.b.C"), #"MethodNotImplemented","parameters":{"method":"a.b.C"}}"#),
            (InvalidParameter(parameter: "d"), #"InvalidParameter","parameters":{"parameter":"d"}}"#),
            (PermissionDenied(), #"PermissionDenied","parameters":{}}"#),
            (ExpectedMore(), #"ExpectedMore","parameters":{}}"#),
        ]
        for (error, rest) in errors {
            #expect(
                String(decoding: Reply.frame(error: error), as: UTF8.self)
                    == #"{"error":"org.varlink.service."# + rest + "\0")
        }
    }

    @Test func `parameters that are no object, or cannot be encoded, are a precondition failure`() async {
        await #expect(processExitsWith: .failure) { _ = Reply.frame(17) }
        await #expect(processExitsWith: .failure) { _ = Reply.frame(["a": Double.infinity]) }
    }

    // MARK: The client's side

    @Test func `a reply is read with its parameters and its continues`() throws {
        let last = try reply(#"{"parameters":{"greeting":"hi","volume":1,"url":null}}"#)
        #expect(last.error == nil)
        #expect(!last.continues)
        #expect(last.parameters == Array(#"{"greeting":"hi","volume":1,"url":null}"#.utf8))
        #expect(try last.decode(Greet.Reply.self) == Greet.Reply(greeting: "hi", url: nil, volume: 1))
        let more = try reply(#"{"continues":true,"parameters":{}}"#)
        #expect(more.continues)
        #expect(try more.decode(Nothing.self) == Nothing())
        #expect(try reply("{}") == (try reply(#"{"parameters":null,"continues":false}"#)))
        #expect(try reply("{}").parameters == Array("{}".utf8))
    }

    @Test func `an error is decoded only as itself`() throws {
        let broken = try reply(#"{"error":"org.example.Thing.Broken","parameters":{"part":"wheel","since":1}}"#)
        #expect(broken.error == "org.example.Thing.Broken")
        #expect(broken.decodeError(Broken.self) == Broken(part: "wheel", since: 1))
        #expect(broken.decodeError(PermissionDenied.self) == nil)
        #expect(throws: NotAReply(reason: "it is the error org.example.Thing.Broken")) {
            try broken.decode(Nothing.self)
        }
        #expect(try reply(#"{"error":"org.example.Thing.Broken"}"#).decodeError(Broken.self) == nil)
        #expect(try reply("{}").decodeError(ExpectedMore.self) == nil)
        let denied = try reply(#"{"error":"org.varlink.service.PermissionDenied"}"#)
        #expect(denied.decodeError(PermissionDenied.self) == PermissionDenied())
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end"),
        ("[]", "line 1, column 1: expected an object, found an array"),
        (#"{"error":null}"#, "line 1, column 10: expected a string, found null"),
        (#"{"continues":1}"#, "line 1, column 14: expected true or false, found a number"),
        (#"{"parameters":[]}"#, "line 1, column 15: expected an object, found an array"),
        (#"{"id":1}"#, "line 1, column 2: a reply has no key 'id'"),
        (#"{"\u0007":1}"#, "line 1, column 2: a reply has no key '\u{FFFD}'"),
        (#"{"parameters":{},"parameters":{}}"#, "line 1, column 18: the key 'parameters' comes twice"),
        (#"{"parameters":{}}{}"#, "line 1, column 18: expected the end, found '{'"),
        (#"{"error":"a.b.C","continues":true}"#, "an error does not continue"),
    ])
    func `a frame that is no reply is refused with the reason`(frame: String, reason: String) {
        #expect(throws: NotAReply(reason: reason)) { try reply(frame) }
    }

    @Test(arguments: [
        ("{}", "greeting"), (#"{"greeting":1,"volume":1}"#, "greeting"), (#"{"greeting":"","volume":"1"}"#, "volume"),
    ])
    func `a reply that does not fit the type is refused by the name of its parameter`(
        parameters: String, name: String
    ) throws {
        let reply = try reply("{\"parameters\":\(parameters)}")
        #expect(throws: NotAReply(reason: "its parameters do not fit: \(name)")) { try reply.decode(Greet.Reply.self) }
    }
}
