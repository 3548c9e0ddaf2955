import JSON
import Testing

@Suite struct JSONReaderTests {
    @Test func `an object is read key by key, each value with its place`() throws {
        var reader = JSONReader(
            """
            { "id": "17",
              "é😀": [1, -2.5, true, false, null],
              "of": {"a": {}} }
            """)
        try reader.beginObject()
        #expect(try reader.nextKey() == "id")
        #expect(reader.position == .init(offset: 8, line: 1, column: 9))
        #expect(try reader.readString() == "17")
        #expect(try reader.nextKey() == "é😀")
        #expect(reader.position(at: reader.keyOffset) == .init(offset: 16, line: 2, column: 3))
        #expect(reader.position == .init(offset: 26, line: 2, column: 9))
        #expect(try reader.peekKind() == .array)
        try reader.beginArray()
        #expect(try reader.nextElement())
        #expect(try reader.readInt() == 1)
        #expect(try reader.nextElement())
        #expect(try reader.readDouble() == -2.5)
        #expect(try reader.nextElement())
        #expect(try reader.readBool())
        #expect(try reader.nextElement())
        #expect(try !reader.readBool())
        #expect(try reader.nextElement())
        #expect(reader.position == .init(offset: 49, line: 2, column: 32))
        try reader.readNull()
        #expect(try !reader.nextElement())
        #expect(try reader.nextKey() == "of")
        #expect(try reader.skipValue() == 64..<73)
        #expect(try reader.nextKey() == nil)
        try reader.end()
    }

    @Test(arguments: [
        ("{}", JSONReader.Kind.object), ("[]", .array), (#""""#, .string), ("0", .number), ("-1", .number),
        ("true", .bool), ("false", .bool), ("null", .null), (" \t\r\n null \t\r\n ", .null),
    ])
    func `a value's kind is known before it is read, and skipping skips the whole value`(
        text: String, kind: JSONReader.Kind
    ) throws {
        var reader = JSONReader(text)
        #expect(try reader.peekKind() == kind)
        try reader.skipValue()
        try reader.end()
    }

    @Test func `a value with the bytes of an earlier one is skipped, and no other value is`() throws {
        var reader = JSONReader(#"[["a", "b"],["a", "b"], ["a","b"], ["a", "b"#)
        try reader.beginArray()
        #expect(try reader.nextElement())
        var isRepeat = reader.skipRepeat(of: 0..<0)
        #expect(!isRepeat)
        let first = try reader.skipValue()
        #expect(try reader.nextElement())
        isRepeat = reader.skipRepeat(of: first)
        #expect(isRepeat)
        for _ in ["spelled otherwise", "broken off"] {
            #expect(try reader.nextElement())
            isRepeat = reader.skipRepeat(of: first)
            #expect(!isRepeat)
            if reader.offset < 30 { try reader.skipValue() }
        }
        #expect(throws: JSONError.self) { try reader.skipValue() }
    }

    @Test(arguments: [
        Refused("", 1, 1, "expected a value, found the end"),
        Refused(" \n ", 2, 2, "expected a value, found the end"),
        Refused("\u{FEFF}{}", 1, 1, "expected a value, found byte 0xEF"),
        Refused("\u{0}", 1, 1, "expected a value, found byte 0x00"),
        Refused("hello", 1, 1, "expected a value, found 'h'"),
        Refused("NaN", 1, 1, "expected a value, found 'N'"),
        Refused("'a'", 1, 1, "expected a value, found '''"),
        Refused("// a\n1", 1, 1, "expected a value, found '/'"),
        Refused("tru", 1, 1, "expected true"),
        Refused("[fals]", 1, 2, "expected false"),
        Refused("nul", 1, 1, "expected null"),
        Refused("truee", 1, 5, "expected the end, found 'e'"),
        Refused("{} {}", 1, 4, "expected the end, found '{'"),
        Refused("{}\u{0}", 1, 3, "expected the end, found byte 0x00"),
        Refused("[1\n\u{A0}]", 2, 1, "expected ',' or ']', found byte 0xC2"),
        Refused("[", 1, 2, "expected a value, found the end"),
        Refused("[1", 1, 3, "expected ',' or ']', found the end"),
        Refused("[1 2]", 1, 4, "expected ',' or ']', found '2'"),
        Refused("[1,]", 1, 3, "a comma before ']' is one too many"),
        Refused("[,1]", 1, 2, "expected a value, found ','"),
        Refused("[1}", 1, 3, "expected ',' or ']', found '}'"),
        Refused("{", 1, 2, "expected a key, found the end"),
        Refused("{1:2}", 1, 2, "expected a key, found '1'"),
        Refused("{a:2}", 1, 2, "expected a key, found 'a'"),
        Refused(#"{"a"}"#, 1, 5, "expected ':', found '}'"),
        Refused(#"{"a":}"#, 1, 6, "expected a value, found '}'"),
        Refused(#"{"a":1"#, 1, 7, "expected ',' or '}', found the end"),
        Refused(#"{"a":1,}"#, 1, 7, "a comma before '}' is one too many"),
        Refused("[“a”]", 1, 2, "expected a value, found a curly quotation mark: JSON has the straight one, \""),
        Refused(#"{"a":1 "b":2}"#, 1, 8, "expected ',' or '}', found '\"'"),
        Refused(#"{"a":1]"#, 1, 7, "expected ',' or '}', found ']'"),
    ])
    func `malformed JSON is refused at the first wrong byte`(refused: Refused) {
        refused.check()
    }

    @Test(arguments: [
        Refused(#"{"a":1,"a":2}"#, 1, 8, "the key 'a' comes twice"),
        Refused(#"{"ab":1,"\u0061b":2}"#, 1, 9, "the key 'ab' comes twice"),
        Refused(#"[{"b":{"a":1},"c":{"a":1,"":2,"a":3}}]"#, 1, 31, "the key 'a' comes twice"),
        Refused("{\n\"\": 1,\n  \"\": 2}", 3, 3, "the key '' comes twice"),
    ])
    func `a duplicate key is refused, even if it is spelled with escapes`(refused: Refused) {
        refused.check()
    }

    @Test func `different objects may have the same keys`() throws {
        var reader = JSONReader(#"[{"a": {"a": {"a": 1}}}, {"a": 1}, {"A": 1, "a": 2}]"#)
        try reader.skipValue()
        try reader.end()
    }

    @Test func `keys that Swift calls equal but that have different bytes are different keys`() throws {
        var reader = JSONReader("{\"K\": 1, \"\u{212A}\": 2}")
        try reader.skipValue()
        try reader.end()
    }

    @Test(arguments: [
        ("object", "[]", "expected an object, found an array"), ("array", "{}", "expected an array, found an object"),
        ("string", "1", "expected a string, found a number"), ("int", "\"1\"", "expected a number, found a string"),
        ("double", "true", "expected a number, found true or false"),
        ("bool", "null", "expected true or false, found null"), ("null", "0", "expected null, found a number"),
    ])
    func `a value of another kind than asked for is refused at its first byte`(asked: String, text: String, why: String)
    {
        #expect(throws: JSONError(position: .init(offset: 1, line: 1, column: 2), reason: why)) {
            var reader = JSONReader(" " + text)
            switch asked {
            case "object": try reader.beginObject()
            case "array": try reader.beginArray()
            case "string": _ = try reader.readString()
            case "int": _ = try reader.readInt()
            case "double": _ = try reader.readDouble()
            case "bool": _ = try reader.readBool()
            default: try reader.readNull()
            }
        }
    }

    @Test func `an error's description is one line for people`() {
        let error = JSONReader("[\n 1").error(at: 3, "no day")
        #expect(error.description == "line 2, column 2: no day")
    }
}

@Suite struct HostileJSONTests {
    private static func nested(_ depth: Int, _ opening: String, _ inner: String, _ closing: String) -> String {
        String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)
    }

    @Test func `values nested as deep as the limit are read`() throws {
        for text in [Self.nested(64, "[", "", "]"), Self.nested(63, "{\"a\":", "[]", "}")] {
            var reader = JSONReader(text)
            try reader.skipValue()
            try reader.end()
        }
    }

    @Test(arguments: [
        Refused(nested(65, "[", "", "]"), 1, 65, "nested deeper than 64 levels"),
        Refused(nested(1_000_000, "[", "", ""), 1, 65, "nested deeper than 64 levels"),
        Refused(nested(1_000_000, "{\"a\":", "", ""), 1, 321, "nested deeper than 64 levels"),
    ])
    func `values nested deeper than the limit are refused at the first bracket over it`(refused: Refused) {
        refused.check()
    }

    @Test func `an object with a hundred thousand keys is read, and its one duplicate is found`() throws {
        let members = (0..<100_000).map { "\"key\($0)\":0" }
        var reader = JSONReader("{" + members.joined(separator: ",") + "}")
        #expect(try reader.skipValue() == 0..<1_288_891)
        try reader.end()
        Refused(
            "{" + members.joined(separator: ",") + ",\n\"key77777\":1}", 2, 1, "the key 'key77777' comes twice"
        ).check()
    }

    /// Beyond some number, keys are compared by a hash table.
    @Test(arguments: 1...40) func `each key is compared with all before it, however many they are`(count: Int) {
        let members = (10..<10 + count).map { "\"\($0)\":1," }.joined()
        for key in [10, 9 + count] {
            Refused("{" + members + "\"\(key)\":1}", 1, 2 + 7 * count, "the key '\(key)' comes twice").check()
        }
    }

    @Test func `a text that was cut short is refused`() {
        let text = Array(#"{"a":["é",-1.5e3,true,null,{"b\u00e9\ud83d\ude00":""}]}"#.utf8)
        for length in 0..<text.count {
            #expect(throws: JSONError.self) {
                var reader = JSONReader(Array(text[..<length]))
                try reader.skipValue()
                try reader.end()
            }
        }
    }

    @Test func `a hundred thousand schedule entries are read, and the place of a wrong one is reported`() throws {
        let entry = "[5, [\"calm\", \"müde\"], \"2026-11-21\"]"
        var entries = Array(repeating: entry, count: 100_000)
        entries[99_998] = "[5, [\"calm\", \"müde\"], 20261121]"
        var reader = JSONReader("[" + entries.joined(separator: ",\n ") + "]")
        try reader.beginArray()
        #expect(
            throws: JSONError(
                position: .init(offset: 3_899_946, line: 99_999, column: 24),
                reason: "expected a string, found a number")
        ) {
            while try reader.nextElement() { try readEntry(&reader) }
        }
    }

    private func readEntry(_ reader: inout JSONReader) throws {
        try reader.beginArray()
        #expect(try reader.nextElement())
        #expect(try reader.readInt() == 5)
        #expect(try reader.nextElement())
        try reader.skipValue()
        #expect(try reader.nextElement())
        #expect(try reader.readString() == "2026-11-21")
        #expect(try !reader.nextElement())
    }
}
