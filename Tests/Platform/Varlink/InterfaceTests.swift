import FoundationEssentials
import Testing
import Varlink

@Suite struct InterfaceTests {
    @Test func `every type of the grammar is parsed`() throws {
        let text = """
            interface org.example.all
            type Fields (
              a_bool: bool, an_int: int, a_float: float, a_string: string, an_object: object, an_any: any,
              an_enum: (one, two, three), a_struct: (first: int, second: string), an_array: []string,
              a_map: [string]string, a_set: [string](), a_nullable: ?string,
              nullables: ?[](first: int, second: ?string), nested: [][string]?[]Other, other: Other, Type: ?Empty
            )
            type Other (yes, no)
            type Lonely (only)
            type Empty ()
            method Do2(type: int, method: Fields) -> ()
            method Ask ( ) -> (error: ?Other)
            error Broken (interface: string)
            error Lost()
            """
        let interface = try Interface(parsing: text)
        #expect(interface.name == "org.example.all")
        #expect(interface.text == text)
        #expect(interface.types.map(\.name) == ["Fields", "Other", "Lonely", "Empty"])
        #expect(
            interface.types[0].type
                == .structure([
                    field("a_bool", .bool), field("an_int", .int), field("a_float", .float),
                    field("a_string", .string), field("an_object", .object),
                    field("an_any", .any),
                    field("an_enum", .enumeration(["one", "two", "three"])),
                    field("a_struct", .structure([field("first", .int), field("second", .string)])),
                    field("an_array", .array(.string)), field("a_map", .map(.string)),
                    field("a_set", .map(.structure([]))), field("a_nullable", .optional(.string)),
                    field(
                        "nullables",
                        .optional(.array(.structure([field("first", .int), field("second", .optional(.string))])))),
                    field("nested", .array(.map(.optional(.array(.named("Other")))))),
                    field("other", .named("Other")), field("Type", .optional(.named("Empty"))),
                ]))
        #expect(interface.types[1].type == .enumeration(["yes", "no"]))
        #expect(interface.types[2].type == .enumeration(["only"]))
        #expect(interface.types[3].type == .structure([]))
        #expect(
            interface.methods == [
                .init(
                    name: "Do2", input: [field("type", .int), field("method", .named("Fields"))], output: [],
                    comment: ""),
                .init(name: "Ask", input: [], output: [field("error", .optional(.named("Other")))], comment: ""),
            ])
        #expect(
            interface.errors == [
                .init(name: "Broken", parameters: [field("interface", .string)], comment: ""),
                .init(name: "Lost", parameters: [], comment: ""),
            ])
    }

    private func field(_ name: String, _ type: Interface.FieldType, _ comment: String = "") -> Interface.Field {
        Interface.Field(name: name, type: type, comment: comment)
    }

    @Test func `a comment documents the member directly after it, and nothing else`() throws {
        let interface = try Interface(
            parsing: """
                # A licence.

                # The interface,
                #   in two lines.
                interface org.example.doc # not this
                # A method.#
                #
                #Without a blank.
                method Do( # nor this
                  # A field.
                  a: int, # nor that
                  b: string # at all
                  # no
                ) -> ()

                # Far away.

                method Far() -> ()
                # A type.
                type T (
                  # One.
                  # Two.
                  a: (x,
                      # A value's own is not kept.
                      y)
                )
                # An error.
                error E ()
                # The end.
                """)
        #expect(interface.comment == "The interface,\n  in two lines.")
        #expect(interface.methods.map(\.comment) == ["A method.#\n\nWithout a blank.", ""])
        #expect(interface.methods[0].input == [field("a", .int, "A field."), field("b", .string)])
        #expect(
            interface.types == [
                .init(
                    name: "T", type: .structure([field("a", .enumeration(["x", "y"]), "One.\nTwo.")]),
                    comment: "A type.")
            ])
        #expect(interface.errors == [.init(name: "E", parameters: [], comment: "An error.")])
    }

    @Test(arguments: [
        "interface a.b method M(a:int)->(b:?[]int)",
        "interface\ta.b\r\n\r\nmethod M ( a : int )\r\n->\r\n( b : ?[]int )\r\n",
        "\u{FEFF}interface\u{A0}a.b\u{2028}method\u{3000}M(a:int)\u{2029}->(b:?[]int)\r#",
        "#\n#x\ninterface#y\na.b#z\nmethod#\nM#\n(#\na#\n:#\nint#\n)#\n->#\n(#\nb#\n:#\n?#\n[]#\nint#\n)#",
    ])
    func `white space and comments may be between any two words and signs`(text: String) throws {
        let interface = try Interface(parsing: text)
        #expect(interface.name == "a.b")
        #expect(
            interface.methods.map(\.input) == [[field("a", .int)]]
                && interface.methods.map(\.output) == [[field("b", .optional(.array(.int)))]])
        #expect(Array(interface.text.utf8) == Array(text.utf8))
    }

    @Test(arguments: [
        "a.b", "org.example-1.x2.3d", "a1--b.c", "xn--lgbbat1ad8j.example.algeria", "z.0", "io.systemd.Resolve",
    ])
    func `interface names of the grammar are accepted`(name: String) throws {
        #expect(try Interface(parsing: "interface \(name)\nerror E ()").name == name)
    }

    @Test(arguments: ["a", "1.b", "é.b", "a.é", "a..b", ".a.b", "a.b.", "-a.b", "a-.b", "a.-b", "a.b-"])
    func `other interface names are refused`(name: String) {
        #expect(throws: InterfaceError(line: 1, column: 11, reason: "expected the name of an interface")) {
            try Interface(parsing: "interface \(name)\nerror E ()")
        }
    }

    @Test(arguments: ["a", "A", "a_b", "a1", "aB_2_c", "bool", "type"])
    func `field names of the grammar are accepted`(name: String) throws {
        let interface = try Interface(parsing: "interface a.b\nerror E (\(name): int)")
        #expect(interface.errors[0].parameters == [field(name, .int)])
    }

    @Test(arguments: ["_a", "a_", "a__b", "1a", "_"])
    func `other field names are refused`(name: String) {
        #expect(
            throws: InterfaceError(line: 2, column: 10, reason: "expected the name of a field, found '\(name)'")
        ) {
            try Interface(parsing: "interface a.b\nerror E (\(name): int)")
        }
    }

    @Test(arguments: [
        ("", 1, 1, "expected 'interface', found the end"),
        ("# only\n# words", 2, 8, "expected 'interface', found the end"),
        ("Interface a.b", 1, 1, "expected 'interface', found 'Interface'"),
        ("interfacea.b", 1, 1, "expected 'interface', found 'interfacea'"),
        ("interface", 1, 10, "expected the name of an interface"),
        ("interface a.b", 1, 14, "expected 'type', 'method' or 'error', found the end"),
        ("interface a.b\nfunc F()", 2, 1, "expected 'type', 'method' or 'error', found 'func'"),
        ("interface a.b\nerror E ()\n}", 3, 1, "expected 'type', 'method' or 'error', found '}'"),
        ("interface a.b\nerror E ()\n\u{0}", 3, 1, "expected 'type', 'method' or 'error', found '\u{0}'"),
        ("interface a.b\nerror", 2, 6, "expected a name that begins with a capital, found the end"),
        ("interface a.b\nerror e ()", 2, 7, "expected a name that begins with a capital, found 'e'"),
        ("interface a.b\nerror E_1 ()", 2, 7, "expected a name that begins with a capital, found 'E_1'"),
        ("interface a.b\nerror E", 2, 8, "expected '(', found the end"),
        ("interface a.b\nerror E int", 2, 9, "expected '(', found 'int'"),
        ("interface a.b\nerror E (x, y)", 2, 9, "expected fields with types"),
        ("interface a.b\nmethod M(x) -> ()", 2, 9, "expected fields with types"),
        ("interface a.b\nmethod M() -> (x, y)", 2, 15, "expected fields with types"),
        ("interface a.b\nmethod M()", 2, 11, "expected '->', found the end"),
        ("interface a.b\nmethod M() - > ()", 2, 12, "expected '->', found '-'"),
        ("interface a.b\ntype T int", 2, 8, "expected '(', found 'int'"),
        ("interface a.b\ntype T (", 2, 9, "expected the name of a field, found the end"),
        ("interface a.b\ntype T (a", 2, 10, "expected ':', ',' or ')', found the end"),
        ("interface a.b\ntype T (a:", 2, 11, "expected a type, found the end"),
        ("interface a.b\ntype T (a: )", 2, 12, "expected a type, found ')'"),
        ("interface a.b\ntype T (a: number)", 2, 12, "expected a type, found 'number'"),
        ("interface a.b\ntype T (a: integer)", 2, 12, "expected a type, found 'integer'"),
        ("interface a.b\ntype T (a: int", 2, 15, "expected ',' or ')', found the end"),
        ("interface a.b\ntype T (a: int,)", 2, 16, "expected the name of a field, found ')'"),
        ("interface a.b\ntype T (a: int b: int)", 2, 16, "expected ',' or ')', found 'b'"),
        ("interface a.b\ntype T (a: int, b)", 2, 18, "expected ':', found ')'"),
        ("interface a.b\ntype T (a, b: int)", 2, 13, "expected ',' or ')', found ':'"),
        ("interface a.b\ntype T (a, )", 2, 12, "expected the name of a field, found ')'"),
        ("interface a.b\ntype T (a b)", 2, 11, "expected ':', ',' or ')', found 'b'"),
        ("interface a.b\ntype T (a: ??int)", 2, 13, "expected a type that is not optional already, found '?'"),
        ("interface a.b\ntype T (a: ? ?int)", 2, 14, "expected a type that is not optional already, found '?'"),
        ("interface a.b\ntype T (a: [int]string)", 2, 12, "expected a type, found '['"),
        ("interface a.b\ntype T (a: [ ]int)", 2, 12, "expected a type, found '['"),
        ("interface a.b\ntype T (a: int[])", 2, 15, "expected ',' or ')', found '['"),
        ("interface a.b\ntype T (é: int)", 2, 9, "expected the name of a field, found 'é'"),
        ("interface a.b\ntype T (a: int, b: int, a: int)", 2, 25, "the name a comes twice"),
        ("interface a.b\ntype T (a: (x, y, x))", 2, 19, "the name x comes twice"),
        ("interface a.b\nerror E ()\nmethod E() -> ()", 3, 8, "the name E comes twice"),
        ("interface a.b\ntype E (a: int)\r\nerror E ()", 3, 7, "the name E comes twice"),
        ("interface a.b\ntype T (a: ?[]U)\rtype V (b: int)", 2, 15, "no type is called U"),
        ("interface a.b\ntype T (a: int)\u{2028}error E (b: E)", 3, 13, "E is not a type"),
    ])
    func `a text that is no interface is refused with its line and column`(
        text: String, line: Int, column: Int, reason: String
    ) {
        #expect(throws: InterfaceError(line: line, column: column, reason: reason)) { try Interface(parsing: text) }
    }

    @Test func `types nested too deep are refused at the first level over the limit`() {
        let fields = String(repeating: "(a: ", count: 1_000_000)
        #expect(throws: InterfaceError(line: 2, column: 264, reason: "nested deeper than 64 levels")) {
            try Interface(parsing: "interface a.b\ntype T \(fields)")
        }
        #expect(throws: InterfaceError(line: 2, column: 138, reason: "nested deeper than 64 levels")) {
            try Interface(parsing: "interface a.b\ntype T (a: \(String(repeating: "[]", count: 1_000_000))")
        }
    }

    @Test func `types nested as deep as the limit are parsed`() throws {
        let brackets = String(repeating: "[]", count: 62)
        #expect(try Interface(parsing: "interface a.b\ntype T (a: \(brackets)int)").types.count == 1)
    }

    @Test func `an error's description is one line for people`() {
        #expect(
            InterfaceError(line: 2, column: 9, reason: "expected a type, found ')'").description
                == "line 2, column 9: expected a type, found ')'")
    }

    @Test func `a type may contain itself`() throws {
        let interface = try Interface(parsing: "interface a.b\ntype Tree (leaf: ?int, left: ?Tree, right: ?Tree)")
        #expect(interface.type(named: "Tree")?.name == "Tree")
    }

    @Test func `members are found by bare and full name, only if the bytes are the same`() throws {
        let interface = try Interface(
            parsing: "interface a.b\ntype T (a: int)\nmethod Kiss() -> ()\nerror Kick ()")
        #expect(interface.method(named: "Kiss")?.name == "Kiss")
        #expect(interface.method(named: "a.b.Kiss")?.name == "Kiss")
        #expect(interface.error(named: "a.b.Kick")?.name == "Kick")
        #expect(interface.type(named: "a.b.T")?.name == "T")
        #expect(interface.method(named: "Kick") == nil)
        #expect(interface.method(named: "a.c.Kiss") == nil)
        #expect(interface.method(named: "a.b.\u{212A}iss") == nil)
        #expect(interface.method(named: "") == nil)
        #expect(interface.method(named: "a.b.") == nil)
    }

    @Test(arguments: ["Homework", "Provider", "Service"])
    func `the product's own interfaces are parsed`(file: String) throws {
        let sources =
            String(#filePath.dropLast("Tests/Platform/Varlink/InterfaceTests.swift".count))
            + "Sources/Interfaces/Daybreak"
        let text = try String(contentsOfFile: "\(sources)/org.daybreak.\(file).varlink", encoding: .utf8)
        let interface = try Interface(parsing: text)
        #expect(interface.name == "org.daybreak.\(file)")
        #expect(Array(interface.text.utf8) == Array(text.utf8))
    }
}
