import JSON
import Testing
import Varlink

/// The Swift that the build generated from `org.example.one-of-each.varlink`, beside this file.
@Suite struct GeneratedTypesTests {
    private static let full = OneOfEach.Thing(
        bool: true, int: -3, float: 0.5, string: "ä", object: json(#"{"b": [1.50, null],"a":{}}"#), any: json("[1e3]"),
        colour: .default, side: .right, place: .init(x: 1, y: 2), parts: [.init(name: "n", in: "i"), .init(name: "m")],
        words: ["w"], numbers: ["one": 1], lists: ["reds": [.red]], nothing: Nothing(), maybeObject: json("{}"),
        maybeParts: [])
    private static let fullText =
        #"{"any":[1e3],"bool":true,"colour":"default","float":0.5,"int":-3,"lists":{"reds":["red"]},"maybeObject":{},"#
        + #""maybeParts":[],"nothing":{},"numbers":{"one":1},"object":{"b": [1.50, null],"a":{}},"#
        + #""parts":[{"in":"i","name":"n"},{"name":"m"}],"place":{"x":1,"y":2},"side":"right","string":"ä","words":["w"]}"#

    private static func json(_ text: String) -> RawJSON {
        guard let value = try? RawJSON(parsing: Array(text.utf8)) else { preconditionFailure("no JSON: \(text)") }
        return value
    }

    @Test func `a call has its parameters by name, and leaves out nil`() throws {
        var frame = Call.frame(OneOfEach.Put(thing: Self.full))
        let text = #"{"method":"org.example.one-of-each.Put","parameters":{"thing":"# + Self.fullText + "}}\0"
        #expect(String(decoding: frame, as: UTF8.self) == text)
        frame.removeLast()
        let call = try Call(frame: frame)
        try OneOfEach.interface.check(parameters: call.parameters, of: call.method)
        #expect(try call.decode(OneOfEach.Put.self) == OneOfEach.Put(thing: Self.full, repeat: nil))
    }

    @Test func `methods with the same reply share its type`() throws {
        let reply: OneOfEach.Put.Reply = OneOfEach.Get.Reply(thing: Self.full)
        let frame = Array(Reply.frame(reply).dropLast())
        let read = try Reply(frame: frame)
        try OneOfEach.interface.check(reply: read.parameters, of: OneOfEach.Get.name)
        #expect(try read.decode(OneOfEach.Get.Reply.self) == reply)
        #expect(OneOfEach.Forget.Reply() == Nothing())
    }

    @Test func `an error has its parameters`() throws {
        let frame = Reply.frame(error: OneOfEach.Unknown(where: "here", colour: .green)).dropLast()
        let text =
            #"{"error":"org.example.one-of-each.Unknown","parameters":{"colour":"green","where":"here"}}"#
        #expect(String(decoding: frame, as: UTF8.self) == text)
        let reply = try Reply(frame: Array(frame))
        #expect(reply.decodeError(OneOfEach.Unknown.self) == OneOfEach.Unknown(where: "here", colour: .green))
        #expect(reply.decodeError(OneOfEach.Full.self) == nil)
    }

    @Test func `methods, errors and values are in the order of the definition`() {
        #expect(OneOfEach.methods.map { $0.name } == OneOfEach.interface.methods.map { "\(OneOfEach.name).\($0.name)" })
        #expect(OneOfEach.errors.map { $0.name } == OneOfEach.interface.errors.map { "\(OneOfEach.name).\($0.name)" })
        #expect(OneOfEach.Colour.allCases.map(\.rawValue) == ["red", "green", "default"])
        #expect(OneOfEach.Get.Class.allCases.map(\.rawValue) == ["first", "second"])
    }
}
