import TOML
import Testing

@Suite struct TOMLReaderTests {
    private static func fault(of text: String) -> TOMLFault? {
        do throws(TOMLFault) { _ = try TOMLReader.read(text) } catch { return error }
        return nil
    }

    /// A tree on one line: `{a=1 b=[true "x"]}`.
    private static func tree(_ table: TOMLTable) -> String {
        "{\(table.entries.map { "\($0.key)=\(tree($0.node))" }.joined(separator: " "))}"
    }

    private static func tree(_ node: TOMLNode) -> String {
        switch node.value {
        case .text(let text): text.debugDescription
        case .number(let number): "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .time(let time): time
        case .other(let kind): "<\(kind)>"
        case .array(let nodes): "[\(nodes.map(tree).joined(separator: " "))]"
        case .table(let table): tree(table)
        }
    }

    // MARK: Read

    @Test(arguments: [
        ("", "{}"), ("# nothing\n\n", "{}"), ("\u{FEFF}a = 1", "{a=1}"), ("a = 1\r\nb = 2\r\n", "{a=1 b=2}"),
        ("a.b = 1\na.c = 2", "{a={b=1 c=2}}"), (#""a.b" = 1"#, "{a.b=1}"), ("'' = 1", "{=1}"),
        ("[a]\nb = 1\n[ c . d ]\ne = 2", "{a={b=1} c={d={e=2}}}"), ("[a.b]\nc = 1\n[a]\nd = 2", "{a={b={c=1} d=2}}"),
        ("[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3", "{a=[{b=1} {b=2 c={d=3}}]}"),
        ("[[client.field]]\nname = 'x'\n[[client.field]]", #"{client={field=[{name="x"} {}]}}"#),
        ("a = {b = 1, c.d = [1, 2,]}", "{a={b=1 c={d=[1 2]}}}"), ("a = {\n  b = 1, # one\n}", "{a={b=1}}"),
        ("a = [ # first\n 1, [2],\n\n{b = 3} ]", "{a=[1 [2] {b=3}]}"), ("a = []\nb = {}", "{a=[] b={}}"),
    ])
    func `tables, arrays and keys are read in every spelling`(text: String, expected: String) throws {
        #expect(Self.tree(try TOMLReader.read(text)) == expected)
    }

    @Test(arguments: [
        ("0", "0"), ("+1_000", "1000"), ("-9223372036854775808", "-9223372036854775808"), ("0xdead_BEEF", "3735928559"),
        ("0o17", "15"), ("0b101", "5"), ("true", "true"), ("false", "false"), ("09:30:00", "09:30:00"),
        ("01:02:03.25", "01:02:03.25"), ("1.5e-3", "<a number>"), ("1_0.0_1E+1", "<a number>"), ("1e05", "<a number>"),
        ("-inf", "<a number>"), ("nan", "<a number>"), ("2027-03-05", "<a date>"), ("2027-03-05 # a day", "<a date>"),
        ("2027-03-05 01:02:03", "<a date with a time>"), ("2027-03-05t01:02:03.5-01:30", "<a date with a time>"),
        ("2027-03-05T01:02:03Z", "<a date with a time>"),
    ])
    func `a value without quotes is read`(text: String, expected: String) throws {
        #expect(Self.tree(try TOMLReader.read("x = \(text)")) == "{x=\(expected)}")
    }

    @Test(arguments: [
        (#""""#, ""), (#""a\tb\\\"\u00e9\U0001F600""#, "a\tb\\\"é😀"), (#"'a\tb'"#, #"a\tb"#), ("''", ""),
        ("\"\"\"\na\n  b\"\"\"", "a\n  b"), ("\"\"\"a\\\n\n   b\"\"\"", "ab"), (#""""a"""""#, "a\""),
        (#""""""a"""""#, #"""a""#), (#""""a"b""c"""""#, #"a"b""c""#), ("'''\r\na'b'''''", "a'b''"),
        ("\"\"\"\"\"\"", ""),
    ])
    func `a text is read`(text: String, expected: String) throws {
        #expect(try TOMLReader.read("x = \(text)")["x"]?.node.text == expected)
    }

    @Test func `each key and each value has its place`() throws {
        let root = try TOMLReader.read("# é\n[a]\n  'é' . b = [\n 1, 'é', true ]\n")
        let key = try #require(root["a"]?.node.table?["é"])
        #expect(root["a"]?.place == TextPosition(line: 2, column: 2))
        #expect(key.place == TextPosition(line: 3, column: 3))
        let elements = try #require(key.node.table?["b"]?.node.array)
        #expect(elements.map(\.place) == [2, 5, 10].map { TextPosition(line: 4, column: $0) })
    }

    // MARK: Refused

    @Test(arguments: [
        ("a = 1\na = 2", 2, 1, "a stands in line 1 already."), ("[a]\n[a]", 2, 2, "a stands in line 1 already."),
        ("a = 1\n[a]", 2, 2, "a stands in line 1 already."), ("a.b = 1\n[a]", 2, 2, "a stands in line 1 already."),
        ("[a.b]\n[a]\nb.c = 1", 3, 1, "b stands in line 1 already."),
        ("a = {}\na.b = 1", 2, 1, "a stands in line 1 already."),
        ("a = {b.c = 1}\n[a.b.d]", 2, 2, "a stands in line 1 already."),
        ("a = []\n[[a]]", 2, 3, "a stands in line 1 already."), ("[a]\n[[a]]", 2, 3, "a stands in line 1 already."),
        ("[[a]]\n[a]", 2, 2, "a stands in line 1 already."),
        ("[", 1, 2, "After [ the name of a table must follow."),
        ("[]", 1, 2, "After [ the name of a table must follow."),
        ("[[[", 1, 3, "After [ the name of a table must follow."),
        ("[ä]", 1, 2, "After [ the name of a table must follow."),
        ("\u{FEFF}[.", 1, 2, "After [ the name of a table must follow."),
        ("[a", 1, 3, "The header must end here, with ]."), ("[[a]", 1, 5, "The header must end here, with ]]."),
        ("[a] b = 1", 1, 5, "The line must end here."), ("a = 1 2", 1, 7, "The line must end here."),
        ("a", 1, 2, "After the name a a = must follow."),
        ("= 1", 1, 1, "A name must stand here: letters (a-z), digits, - and _, or anything in quotes."),
        ("a = [1 2]", 1, 8, "A comma or ] must follow here."),
        ("a = {b = 1", 1, 5, "The bracket that stands here is never closed: } is missing."),
        ("a = [\n", 1, 5, "The bracket that stands here is never closed: ] is missing."),
        ("a = \"b\nc\"", 1, 5, "This text has no end: a quote is missing."),
        ("a = '''b", 1, 5, "This text has no end: three quotes are missing."),
        (#"a = "\d""#, 1, 6, #"There is no such escape: a backslash itself is \\, or stands in 'single quotes'."#),
        (#"a = "\uD800""#, 1, 6, #"There is no such escape: a backslash itself is \\, or stands in 'single quotes'."#),
    ])
    func `an invalid text is refused with the place`(
        text: String, line: Int, column: Int, reason: String
    ) {
        let expected = Self.fault(of: text)
        #expect(expected?.place == TextPosition(line: line, column: column))
        #expect(expected?.reason == "It is not TOML. \(reason)")
    }

    @Test(arguments: [
        "", "yes", "01", "1_", "1__0", "0x", "0xg", "1.", ".5", "1e", "+-1", "9223372036854775808", "24:00",
        "2027-03-0",
        "2027-03-05T", "2027-03-05 1", "01:02:03.", "tru", "]", "é",
    ])
    func `a word that is no value is refused`(word: String) {
        #expect(Self.fault(of: "\nx = \(word)")?.place == TextPosition(line: 2, column: 5))
        #expect(Self.fault(of: "x = \(word)")?.reason.hasPrefix("It is not TOML. There is no such value:") == true)
    }

    // MARK: How long a text takes

    private static let limit = TOMLReader.depthLimit

    @Test func `tables and arrays may be nested as deep as the limit, and no deeper`() {
        let spellings: [(String, (Int) -> String)] = [
            ("dotted key", { String(repeating: "a.", count: $0) + "a = 1" }),
            ("header", { "[" + String(repeating: "a.", count: $0 - 1) + "a]" }),
            ("array", { "a = " + String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }),
            ("table", { "a = " + String(repeating: "{a = ", count: $0) + "1" + String(repeating: "}", count: $0) }),
        ]
        for (name, spelled) in spellings {
            #expect(Self.fault(of: spelled(Self.limit)) == nil, "\(name)")
            #expect(
                Self.fault(of: spelled(Self.limit + 1))?.reason
                    == "It is not TOML. Tables and arrays must not stand more than \(Self.limit) deep.", "\(name)")
        }
    }
}
