import Testing

@testable import Markdown

@Suite struct MarkdownHTMLTests {
    private func html(_ text: String) throws -> String { try #require(MarkdownDocument(text)).html }

    @Test func `a page's parts have their tags`() throws {
        #expect(
            try html(
                "# A\n\n*b* **c** `d`  \ne\n\n> f\n\n---\n\n    g\n\n2. h\n3. i\n\n| j | k |\n|---|--:|\n| l | m |\n")
                    == """
                    <h1>A</h1>
                    <p><em>b</em> <strong>c</strong> <code>d</code><br>
                    e</p>
                    <blockquote>
                    <p>f</p>
                    </blockquote>
                    <hr>
                    <pre><code>g</code></pre>
                    <ol start="2">
                    <li>h</li>
                    <li>i</li>
                    </ol>
                    <table>
                    <thead><tr><th scope="col">j</th><th scope="col" style="text-align: end">k</th></tr></thead>
                    <tbody>
                    <tr><td>l</td><td style="text-align: end">m</td></tr>
                    </tbody>
                    </table>

                    """)
    }

    @Test func `nothing in it runs or loads`() throws {
        #expect(
            try html("<script>alert(1)</script>\n\n<b>a</b> &amp; \"b\" 'c'\n\n![d](https://example.org/e.png)")
                == """
                <pre><code>&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>
                <p>&lt;b&gt;a&lt;/b&gt; &amp; &quot;b&quot; &#39;c&#39;</p>
                <p>[d]</p>

                """)
        #expect(try html("a\u{1B}[31mb\u{202E}c") == "<p>a[31mbc</p>\n")
        #expect(try html("<\u{301}b>") == "<p>&lt;\u{301}b&gt;</p>\n")
    }

    @Test(arguments: [
        (
            "https://example.org/a?b=c&d",
            "<p><a href=\"https://example.org/a?b=c&amp;d\" rel=\"noreferrer\">x</a></p>\n"
        ),
        ("mailto:a@example.org", "<p><a href=\"mailto:a@example.org\" rel=\"noreferrer\">x</a></p>\n"),
        ("javascript:alert(1)", "<p>x (javascript:alert(1))</p>\n"),
        ("JaVaScRiPt:alert(1)", "<p>x (JaVaScRiPt:alert(1))</p>\n"),
        ("file:///etc/passwd", "<p>x (file:///etc/passwd)</p>\n"),
        ("data:text/html,a", "<p>x (data:text/html,a)</p>\n"),
        ("https://user@example.org", "<p>x (https://user@example.org)</p>\n"),
        ("other.md", "<p>x (other.md)</p>\n"),
    ]) func `a link leads to the web or to a mailbox alone`(address: String, expected: String) throws {
        #expect(try html("[x](\(address))") == expected)
    }
}
