import Testing
import Varlink

@Suite struct ParameterCheckTests {
    private func thing() throws -> Interface {
        try Interface(
            parsing: """
                interface org.example.thing
                type Size (small, large)
                type Box (label: string, size: Size, inner: ?Box)
                method Do(
                  flag: ?bool, count: ?int, ratio: ?float, word: ?string, any: ?object, size: ?Size, box: ?Box,
                  plain: ?(a: int, b: ?(c: bool)), tone: ?(low, high), list: ?[]int, gaps: ?[]?int, grid: ?[][]string,
                  map: ?[string]int, holes: ?[string]?Box, set: ?[string](), Kelvin: ?int,
                  thing: ?any, things: ?[]any, thingsByName: ?[string]?any
                ) -> (done: bool, boxes: []Box)
                method Need(name: string, size: Size, more: ?int) -> ()
                method Rest() -> ()
                error Broken (part: string, sizes: []Size)
                """)
    }

    // MARK: Taken

    @Test(arguments: [
        "{}", " { } ", #"{"flag":true}"#, #"{"flag":null,"count":null,"box":null,"list":null,"map":null}"#,
        #"{"count":-9223372036854775808}"#, #"{"count":9223372036854775807}"#, #"{"count":-0}"#,
        #"{"ratio":1}"#, #"{"ratio":-0.0}"#, #"{"ratio":1e300}"#, #"{"ratio":9223372036854775808}"#,
        #"{"word":""}"#, #"{"word":"\u0000"}"#, #"{"any":{}}"#, #"{"any":{"a":[1,{"b":null}],"c":1e400}}"#,
        #"{"size":"small"}"#, #"{"size":"l\u0061rge"}"#, #"{"tone":"high"}"#,
        #"{"box":{"label":"a","size":"small"}}"#,
        #"{"box":{"inner":{"size":"large","label":"b","inner":null},"label":"a","size":"small"}}"#,
        #"{"plain":{"a":1}}"#, #"{"plain":{"b":{"c":false},"a":1}}"#, #"{"plain":{"a":1,"b":null}}"#,
        #"{"list":[]}"#, #"{"list":[1,2,3]}"#, #"{"gaps":[1,null,3]}"#, #"{"grid":[[],["a"]]}"#,
        #"{"map":{}}"#, #"{"map":{"":1,"é":2}}"#, #"{"holes":{"a":null,"b":{"label":"","size":"small"}}}"#,
        #"{"set":{"a":{},"b":{}}}"#, #"{"f\u006cag":false,"Kelvin":0}"#,
        #"{"thing":1}"#, #"{"thing":"a"}"#, #"{"thing":[null]}"#, #"{"thing":{"a":null}}"#, #"{"thing":null}"#,
        #"{"things":[1,"a",[],{},true]}"#, #"{"thingsByName":{"a":null,"b":1e400}}"#,
    ])
    func `parameters that fit are accepted`(parameters: String) throws {
        try thing().check(parameters: Array(parameters.utf8), of: "Do")
        try thing().check(parameters: Array(parameters.utf8), of: "org.example.thing.Do")
    }

    // MARK: Refused

    @Test(arguments: [
        // Unknown
        (#"{"nonsense":1}"#, "nonsense"), (#"{"Flag":true}"#, "Flag"), (#"{"":1}"#, ""), (#"{"flag ":true}"#, "flag "),
        ("{\"\u{212A}elvin\":0}", "\u{212A}elvin"), (#"{"flag":true,"count":1,"nonsense":null}"#, "nonsense"),
        // Of another type
        (#"{"flag":1}"#, "flag"), (#"{"flag":"true"}"#, "flag"), (#"{"count":"1"}"#, "count"),
        (#"{"count":true}"#, "count"),
        (#"{"ratio":"1"}"#, "ratio"), (#"{"word":1}"#, "word"), (#"{"word":{}}"#, "word"), (#"{"any":[]}"#, "any"),
        (#"{"any":"{}"}"#, "any"), (#"{"list":{}}"#, "list"), (#"{"list":1}"#, "list"), (#"{"map":[]}"#, "map"),
        (#"{"box":[]}"#, "box"), (#"{"box":"a"}"#, "box"), (#"{"plain":1}"#, "plain"),
        // Numbers at the edges
        (#"{"count":1.5}"#, "count"), (#"{"count":1.0}"#, "count"), (#"{"count":1e3}"#, "count"),
        (#"{"count":1e400}"#, "count"), (#"{"count":9223372036854775808}"#, "count"),
        (#"{"count":-9223372036854775809}"#, "count"), (#"{"ratio":1e400}"#, "ratio"), (#"{"ratio":-1e400}"#, "ratio"),
        (#"{"ratio":1e-400}"#, "ratio"),
        // Values that an enumeration does not have
        (#"{"size":"medium"}"#, "size"), (#"{"size":"Small"}"#, "size"), (#"{"size":""}"#, "size"),
        (#"{"size":0}"#, "size"),
        (#"{"tone":"lower"}"#, "tone"),
        // Inside
        (#"{"box":{"label":"a"}}"#, "box"), (#"{"box":{"label":"a","size":"small","colour":1}}"#, "box"),
        (#"{"box":{"label":null,"size":"small"}}"#, "box"), (#"{"box":{"label":"a","size":"huge"}}"#, "box"),
        (#"{"box":{"label":"a","size":"small","inner":{}}}"#, "box"), (#"{"plain":{}}"#, "plain"),
        (#"{"plain":{"a":1,"b":{}}}"#, "plain"), (#"{"plain":{"a":1,"b":{"c":0}}}"#, "plain"),
        (#"{"list":[1,"2"]}"#, "list"), (#"{"list":[1,null]}"#, "list"), (#"{"gaps":[1.5]}"#, "gaps"),
        (#"{"grid":["a"]}"#, "grid"), (#"{"grid":[[1]]}"#, "grid"), (#"{"map":{"a":"1"}}"#, "map"),
        (#"{"map":{"a":null}}"#, "map"), (#"{"holes":{"a":{}}}"#, "holes"), (#"{"set":{"a":{"b":1}}}"#, "set"),
        (#"{"set":{"a":null}}"#, "set"), (#"{"any":{"a":1,"a":2}}"#, "any"),
        (#"{"flag":true,"list":["a"],"count":"no"}"#, "list"),
        (#"{"things":[null]}"#, "things"), (#"{"things":{}}"#, "things"), (#"{"thing":{"a":1,"a":2}}"#, "thing"),
    ])
    func `parameters that do not fit are refused by the bare name of the first`(parameters: String, name: String) throws
    {
        let thing = try thing()
        do {
            try thing.check(parameters: Array(parameters.utf8), of: "Do")
            Issue.record("was taken")
        } catch {
            #expect(Array(error.parameter.utf8) == Array(name.utf8))
        }
    }

    @Test(arguments: [
        ("{}", "name"), (#"{"name":"a"}"#, "size"), (#"{"size":"small"}"#, "name"),
        (#"{"more":1,"size":"small"}"#, "name"),
        (#"{"name":null,"size":"small"}"#, "name"), (#"{"name":"a","size":null}"#, "size"),
    ])
    func `a missing parameter is refused by its name`(parameters: String, name: String) throws {
        let thing = try thing()
        #expect(throws: InvalidParameter(parameter: name)) {
            try thing.check(parameters: Array(parameters.utf8), of: "Need")
        }
    }

    @Test func `a method without parameters accepts none`() throws {
        let thing = try thing()
        try thing.check(parameters: Array("{}".utf8), of: "Rest")
        #expect(throws: InvalidParameter(parameter: "a")) {
            try thing.check(parameters: Array(#"{"a":null}"#.utf8), of: "Rest")
        }
    }

    @Test(arguments: [
        ("", "parameters"), ("[]", "parameters"), ("null", "parameters"), (#"{"flag":true} x"#, "parameters"),
        (#"{"flag":true"#, "parameters"), (#"{"flag":true,"flag":true}"#, "parameters"), (#"{"flag":tru}"#, "flag"),
    ])
    func `bytes that are no object are refused`(parameters: String, name: String) throws {
        let thing = try thing()
        #expect(throws: InvalidParameter(parameter: name)) {
            try thing.check(parameters: Array(parameters.utf8), of: "Do")
        }
    }

    @Test func `a hundred thousand unknown keys inside a map are refused as fast as one`() throws {
        let thing = try thing()
        let members = (0..<100_000).map { "\"key\($0)\":0" }.joined(separator: ",")
        try thing.check(parameters: Array("{\"map\":{\(members)}}".utf8), of: "Do")
        #expect(throws: InvalidParameter(parameter: "map")) {
            try thing.check(parameters: Array("{\"map\":{\(members),\"key7\":0}}".utf8), of: "Do")
        }
    }

    @Test func `nested boxes are refused at the depth limit`() throws {
        let thing = try thing()
        let box = #"{"label":"","size":"small","inner":"#
        let fits = "{\"box\":" + String(repeating: box, count: 63) + "null" + String(repeating: "}", count: 64)
        try thing.check(parameters: Array(fits.utf8), of: "Do")
        let tooDeep = "{\"box\":" + String(repeating: box, count: 64) + "null" + String(repeating: "}", count: 65)
        #expect(throws: InvalidParameter(parameter: "box")) {
            try thing.check(parameters: Array(tooDeep.utf8), of: "Do")
        }
    }

    // MARK: Replies and errors

    @Test func `a reply is checked against the method's output`() throws {
        let thing = try thing()
        try thing.check(reply: Array(#"{"done":true,"boxes":[{"label":"a","size":"small"}]}"#.utf8), of: "Do")
        try thing.check(reply: Array("{}".utf8), of: "Rest")
        #expect(throws: InvalidParameter(parameter: "boxes")) {
            try thing.check(reply: Array(#"{"done":true}"#.utf8), of: "Do")
        }
        #expect(throws: InvalidParameter(parameter: "flag")) {
            try thing.check(reply: Array(#"{"flag":true}"#.utf8), of: "Do")
        }
    }

    @Test func `an error is checked against its parameters`() throws {
        let thing = try thing()
        try thing.check(parameters: Array(#"{"part":"","sizes":["small","large"]}"#.utf8), ofError: "Broken")
        #expect(throws: InvalidParameter(parameter: "sizes")) {
            try thing.check(
                parameters: Array(#"{"part":"","sizes":["tiny"]}"#.utf8), ofError: "org.example.thing.Broken")
        }
    }

    @Test func `an undefined method or error is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            try Interface.service.check(parameters: Array("{}".utf8), of: "Nothing")
        }
        await #expect(processExitsWith: .failure) {
            try Interface.service.check(reply: Array("{}".utf8), of: "Nothing")
        }
        await #expect(processExitsWith: .failure) {
            try Interface.service.check(parameters: Array("{}".utf8), ofError: "GetInfo")
        }
    }
}
