import Testing
import Varlink

struct Greet: Varlink.Method, Equatable {
    static let name = "org.example.Thing.Greet"
    struct Reply: Codable, Equatable {
        var greeting: String
        var url: String?
        var volume: Double
    }
    struct Person: Codable, Equatable {
        var name: String
        var age: Int?
    }
    var person: Person
    var times: Int?
}

struct Poke: Varlink.Method, Equatable {
    static let name = "org.example.Thing.Poke"
    typealias Reply = Nothing
}

@Suite struct CallTests {
    @Test func `a call is read with its method, interface, flags and the bytes of its parameters`() throws {
        let frame = #" {"more": true, "parameters": { "b": [1, 2], "a":"\u00e9" } , "method": "org.example.Thing.Do"} "#
        let call = try Call(frame: Array(frame.utf8))
        #expect(call.method == "org.example.Thing.Do")
        #expect(call.interface == "org.example.Thing")
        #expect(call.wantsMore)
        #expect(!call.isOneway)
        #expect(call.parameters == Array(#"{ "b": [1, 2], "a":"\u00e9" }"#.utf8))
    }

    @Test(arguments: [
        #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":null}"#, #"{"parameters":{},"method":"a.b.C"}"#,
        #"{"method":"a.b.C","more":false,"oneway":false,"parameters":{}}"#, #"{"\u006dethod":"a\u002eb.C"}"#,
    ])
    func `parameters that are absent or null become an empty object, and absent flags are false`(frame: String) throws {
        let call = try Call(frame: Array(frame.utf8))
        #expect(call == (try Call(frame: Array(#"{"method":"a.b.C"}"#.utf8))))
        #expect(call.method == "a.b.C")
        #expect(call.parameters == Array("{}".utf8))
        #expect(!call.wantsMore && !call.isOneway)
    }

    @Test(arguments: [
        ("a.b.C", "a.b"), ("C", ""), ("", ""), (".C", ""), ("a.b.", "a.b"), ("...", ".."), ("é.é", "é"),
    ])
    func `the interface is the part before the last dot`(method: String, interface: String) throws {
        let call = try Call(frame: Array("{\"method\":\"\(method)\"}".utf8))
        #expect(call.method == method)
        #expect(call.interface == interface)
    }

    @Test func `oneway and more are each read`() throws {
        let oneway = try Call(frame: Array(#"{"method":"a.b.C","oneway":true,"more":false}"#.utf8))
        #expect(oneway.isOneway && !oneway.wantsMore)
        let more = try Call(frame: Array(#"{"method":"a.b.C","oneway":false,"more":true}"#.utf8))
        #expect(!more.isOneway && more.wantsMore)
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end"),
        ("   ", "line 1, column 4: expected a value, found the end"),
        ("hello", "line 1, column 1: expected a value, found 'h'"),
        ("[]", "line 1, column 1: expected an object, found an array"),
        ("null", "line 1, column 1: expected an object, found null"),
        (#""method""#, "line 1, column 1: expected an object, found a string"),
        ("{}", "line 1, column 1: a call without a method"),
        (#"{"parameters":{}}"#, "line 1, column 1: a call without a method"),
        (#"{"method":"a.b.C"} {}"#, "line 1, column 20: expected the end, found '{'"),
        (#"{"method":"a.b.C""#, "line 1, column 18: expected ',' or '}', found the end"),
        (#"{"method":null}"#, "line 1, column 11: expected a string, found null"),
        (#"{"method":["a.b.C"]}"#, "line 1, column 11: expected a string, found an array"),
        (#"{"method":"a.b.C","parameters":[]}"#, "line 1, column 32: expected an object, found an array"),
        (#"{"method":"a.b.C","parameters":"{}"}"#, "line 1, column 32: expected an object, found a string"),
        (#"{"method":"a.b.C","more":null}"#, "line 1, column 26: expected true or false, found null"),
        (#"{"method":"a.b.C","more":1}"#, "line 1, column 26: expected true or false, found a number"),
        (#"{"method":"a.b.C","oneway":"true"}"#, "line 1, column 28: expected true or false, found a string"),
        (#"{"method":"a.b.C","oneway":null}"#, "line 1, column 28: expected true or false, found null"),
        (#"{"method":"a.b.C","upgrade":true}"#, "line 1, column 19: upgrade is not offered"),
        (#"{"method":"a.b.C","upgrade":false}"#, "line 1, column 19: upgrade is not offered"),
        (#"{"method":"a.b.C","id":1}"#, "line 1, column 19: a call has no key 'id'"),
        (#"{"Method":"a.b.C"}"#, "line 1, column 2: a call has no key 'Method'"),
        (#"{"\u001b[2J\n\u0085":1}"#, "line 1, column 2: a call has no key '\u{FFFD}[2J\u{FFFD}\u{FFFD}'"),
        (#"{"\u0000":1,"\u0000":1}"#, "line 1, column 2: a call has no key '\u{FFFD}'"),
        (
            #"{"method":"a.b.C","parameters":{"\u001b":1,"\u001b":1}}"#,
            "line 1, column 44: the key '\u{FFFD}' comes twice"
        ),
        (
            "{\"\(String(repeating: "é", count: 41))\":1}",
            "line 1, column 2: a call has no key '\(String(repeating: "é", count: 40))…'"
        ),
        (#"{"method":"a.b.C","method":"a.b.C"}"#, "line 1, column 19: the key 'method' comes twice"),
        (#"{"method":"a.b.C","parameters":{},"parameters":{}}"#, "line 1, column 35: the key 'parameters' comes twice"),
        (#"{"method":"a.b.C","parameters":{"a":1,"a":1}}"#, "line 1, column 39: the key 'a' comes twice"),
        (#"{"method":"a.b.C","parameters":{"a":01}}"#, "line 1, column 37: a leading zero"),
        (#"{"method":"a.b.C","parameters":{"a":"\ud800"}}"#, "line 1, column 38: half a surrogate pair"),
        (#"{"method":"a.b.C","more":true,"oneway":true}"#, "more and oneway exclude each other"),
    ])
    func `a frame that is no call is refused with the reason`(frame: String, reason: String) {
        #expect(throws: NotACall(reason: reason)) { try Call(frame: Array(frame.utf8)) }
    }

    @Test func `bytes that are not UTF-8 are no call`() {
        #expect(throws: NotACall(reason: "line 1, column 12: not UTF-8")) {
            try Call(frame: Array(#"{"method":""#.utf8) + [0xFF] + Array(#""}"#.utf8))
        }
    }

    @Test func `a call nested too deep is no call`() {
        let parameters = String(repeating: #"{"a":"#, count: 64)
        #expect(throws: NotACall(reason: "line 1, column 347: nested deeper than 64 levels")) {
            try Call(frame: Array("{\"method\":\"a.b.C\",\"parameters\":\(parameters)".utf8))
        }
    }

    // MARK: Parameters

    @Test func `parameters are decoded as the method's type, and null as absent`() throws {
        let frame = #"{"method":"org.example.Thing.Greet","parameters":{"person":{"name":"Ada","age":null},"times":3}}"#
        #expect(
            try Call(frame: Array(frame.utf8)).decode(Greet.self)
                == Greet(person: .init(name: "Ada", age: nil), times: 3))
        #expect(try Call(frame: Array(#"{"method":"org.example.Thing.Poke"}"#.utf8)).decode(Poke.self) == Poke())
    }

    @Test(arguments: [
        ("{}", "person"), (#"{"person":{}}"#, "person"), (#"{"person":null}"#, "person"), (#"{"person":1}"#, "person"),
        (#"{"person":{"name":1}}"#, "person"), (#"{"person":{"name":"a"},"times":"1"}"#, "times"),
        (#"{"person":{"name":"a","age":true}}"#, "person"),
    ])
    func `parameters that do not fit the type are refused by the bare name of the parameter`(
        parameters: String, name: String
    ) throws {
        let frame = "{\"method\":\"org.example.Thing.Greet\",\"parameters\":\(parameters)}"
        let call = try Call(frame: Array(frame.utf8))
        #expect(throws: InvalidParameter(parameter: name)) { try call.decode(Greet.self) }
    }

    @Test(arguments: ["1.5", "1e400", "9223372036854775808"])
    func `a number that the type cannot hold is refused by the name of its parameter`(
        number: String
    ) throws {
        let parameters = "{\"person\":{\"name\":\"a\"},\"times\":\(number)}"
        let call = try Call(
            frame: Array("{\"method\":\"org.example.Thing.Greet\",\"parameters\":\(parameters)}".utf8))
        #expect(throws: InvalidParameter(parameter: "times")) { try call.decode(Greet.self) }
    }

    // MARK: The client's side

    @Test func `an encoded call leaves out nil fields, has its keys in order and ends with a NUL`() {
        let greet = Greet(person: .init(name: "a/b \"é\"\n\u{0}", age: nil), times: 2)
        #expect(
            String(decoding: Call.frame(greet), as: UTF8.self)
                == #"{"method":"org.example.Thing.Greet","parameters":"#
                + #"{"person":{"name":"a/b \"é\"\n\u0000"},"times":2}}"# + "\0")
        #expect(
            String(decoding: Call.frame(Poke()), as: UTF8.self)
                == #"{"method":"org.example.Thing.Poke","parameters":{}}"# + "\0")
        #expect(
            String(decoding: Call.frame(Poke(), more: true), as: UTF8.self)
                == #"{"method":"org.example.Thing.Poke","more":true,"parameters":{}}"# + "\0")
        #expect(
            String(decoding: Call.frame(Poke(), oneway: true), as: UTF8.self)
                == #"{"method":"org.example.Thing.Poke","oneway":true,"parameters":{}}"# + "\0")
    }

    @Test func `a service reads the calls that a client encodes`() throws {
        let greet = Greet(person: .init(name: "\u{0}\u{1F}\u{7F}é😀\\\"/", age: .min), times: .max)
        let call = try Call(frame: Call.frame(greet, more: true).dropLast())
        #expect(call.method == Greet.name)
        #expect(call.wantsMore)
        #expect(try call.decode(Greet.self) == greet)
    }

    @Test func `more together with oneway is a precondition failure`() async {
        await #expect(processExitsWith: .failure) { _ = Call.frame(Poke(), more: true, oneway: true) }
    }
}
