import Testing

@testable import Markdown

@Suite struct MarkdownReaderTests {
    private func blocks(_ text: String) throws -> [MarkdownDocument.Block] {
        try #require(MarkdownDocument(text)).blocks
    }

    @Test func `headings, paragraphs and rules are blocks`() throws {
        #expect(
            try blocks("# One *day*\n\nFirst line\nsecond line  \nthird\n\n***\n")
                == [
                    .heading(level: 1, [.text("One "), .emphasis([.text("day")])]),
                    .paragraph([.text("First line second line"), .lineBreak, .text("third")]), .rule,
                ])
    }

    @Test func `emphasis, strong words, code, links and pictures are spans`() throws {
        #expect(
            try blocks("*a* **b** `c` [d *e*](https://example.org/x \"title\") ![f](g.png) <https://example.org>")
                == [
                    .paragraph([
                        .emphasis([.text("a")]), .text(" "), .strong([.text("b")]), .text(" "), .code("c"), .text(" "),
                        .link([.text("d "), .emphasis([.text("e")])], to: "https://example.org/x"), .text(" "),
                        .picture([.text("f")], at: "g.png"), .text(" "),
                        .link([.text("https://example.org")], to: "https://example.org"),
                    ])
                ])
    }

    @Test func `lists have marks or numbers, and may lie in each other`() throws {
        #expect(
            try blocks("- a\n- b\n  1. c\n\n3. d\n\n4. e\n")
                == [
                    .list(
                        .init(items: [
                            [.paragraph([.text("a")])],
                            [
                                .paragraph([.text("b")]),
                                .list(.init(first: 1, items: [[.paragraph([.text("c")])]])),
                            ],
                        ])),
                    .list(
                        .init(
                            first: 3, isTight: false,
                            items: [[.paragraph([.text("d")])], [.paragraph([.text("e")])]])),
                ])
    }

    @Test func `quotes and code keep their lines`() throws {
        #expect(
            try blocks("> a\n> b\n\n```swift\nlet a = 1\n\n  b\n```\n")
                == [.quote([.paragraph([.text("a b")])]), .code("let a = 1\n\n  b")])
    }

    @Test func `each row of a table has as many cells as the head`() throws {
        #expect(
            try blocks("| a | b | c |\n|---|:-:|--:|\n| 1 | *2* |\n| 3 | 4 | 5 | 6 |\n")
                == [
                    .table(
                        .init(
                            alignments: [.start, .centre, .end], head: [[.text("a")], [.text("b")], [.text("c")]],
                            rows: [
                                [[.text("1")], [.emphasis([.text("2")])], []],
                                [[.text("3")], [.text("4")], [.text("5")]],
                            ]))
                ])
    }

    @Test func `raw HTML is text`() throws {
        #expect(
            try blocks("<script>\nalert(1)\n</script>\n\na <b onclick=\"x\">c</b>\n")
                == [
                    .code("<script>\nalert(1)\n</script>"), .paragraph([.text("a <b onclick=\"x\">c</b>")]),
                ])
    }

    @Test func `the title is the first heading's plain text`() {
        #expect(MarkdownDocument("Before\n\n## A `short` **walk**\n\n# Later")?.title == "A short walk")
        #expect(MarkdownDocument("#\n\nno heading with words")?.title == nil)
        #expect(MarkdownDocument("")?.title == nil)
    }

    @Test func `text deeper than the limit is plain`() throws {
        let deep = String(repeating: "> ", count: MarkdownDocument.markLimit) + "*a* `b`"
        var inner = try blocks(deep)
        for _ in 1..<MarkdownDocument.depthLimit {
            guard case .quote(let next)? = inner.first else { break }
            inner = next
        }
        #expect(inner == [.quote([.paragraph([.text("a b")])])])
        let spans = String(repeating: "*a **b ", count: 500) + String(repeating: "** *", count: 500)
        #expect(try #require(MarkdownDocument(spans)).blocks.count == 1)
    }

    @Test func `a text of more than the limit is no document`() {
        let longest = String(repeating: "a", count: MarkdownDocument.byteLimit)
        #expect(MarkdownDocument(longest)?.blocks == [.paragraph([.text(longest)])])
        #expect(MarkdownDocument(longest + "a") == nil)
    }

    @Test(arguments: [
        (String(repeating: "a", count: MarkdownDocument.byteLimit + 1), MarkdownFault.tooLong),
        ("one\n" + String(repeating: ">", count: 41), .tooDeep(line: 2)),
        ("one\r" + String(repeating: ">", count: 41), .tooDeep(line: 2)),
        ("one\r\n" + String(repeating: ">", count: 41), .tooDeep(line: 2)),
        ("one\r\r\n\n" + String(repeating: ">", count: 41), .tooDeep(line: 4)),
        (String(repeating: "- ", count: 41) + "a", .tooDeep(line: 1)),
        (String(repeating: "1. ", count: 41) + "a", .tooDeep(line: 1)),
        (
            String(repeating: "|a", count: 400) + "\n" + String(repeating: "|-", count: 400)
                + String(repeating: "\n|x", count: 400), .tooWide(line: 1)
        ),
        ("a\n\n" + String(repeating: "|a", count: 1_000) + "\n", .tooWide(line: 3)),
        (
            "[a]: /" + String(repeating: "b", count: 30_000) + "\n\n" + String(repeating: "[a]", count: 3_000),
            .tooManyLinks
        ),
    ])
    func `a text that would take much more than its length is no document`(text: String, fault: MarkdownFault) {
        #expect(MarkdownDocument.fault(in: text) == fault)
        #expect(MarkdownDocument(text) == nil)
    }

    @Test(arguments: [
        String(repeating: "-", count: 200), String(repeating: "* ", count: 40),
        "2027-03-05 " + String(repeating: "1", count: 99),
        String(repeating: "|a", count: 20) + "\n" + String(repeating: "|-", count: 20)
            + String(repeating: "\n|x", count: 1_000),
        String(repeating: "|a", count: 20) + "\r\n" + String(repeating: "|-", count: 20)
            + String(repeating: "\r\n|x", count: 3_000),
    ])
    func `rules, dates and ordinary tables have no fault`(text: String) {
        #expect(MarkdownDocument.fault(in: text) == nil)
    }

    @Test func `a link with an address beyond the limit is its text`() throws {
        let address = String(repeating: "b", count: MarkdownDocument.addressLimit)
        #expect(try blocks("[a](\(address))") == [.paragraph([.link([.text("a")], to: address)])])
        #expect(try blocks("[a](\(address)b) ![c](\(address)b)") == [.paragraph([.text("a c")])])
    }
}
