import Markdown
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct LessonTextTests {
    static let lesson = """
        # A short walk

        Go *outside* for **ten minutes**, and `breathe`. The way there is
        on [the map](https://example.org/map), and [again](https://example.org/map).

        ## What to take

        - shoes that were worn before, since a walk is no time for new ones
        - water
          1. cold
          2. warm

        > Nobody has to go far.
        > Not today.

        | When | Minutes |
        |------|--------:|
        | Monday | 10 |
        | Tuesday | 15 |

        ***

            no line of code is broken

        <script>alert(1)</script>

        ![A path](path.png) ends\\
        here: <https://example.org>.
        """

    private func text(_ markdown: String = lesson, columns: Int?, isPlain: Bool = false) throws -> String {
        LessonText(try #require(MarkdownDocument(markdown)), columns: columns, ink: .plain, isPlain: isPlain).text
    }

    @Test func `a lesson at 60 columns`() throws {
        #expect(
            try text(columns: 60) == """
                  A short walk
                  ────────────

                  Go outside for ten minutes, and `breathe`. The way there
                  is on the map [1], and again [1].

                  What to take

                  • shoes that were worn before, since a walk is no time
                    for new ones
                  • water
                    1. cold
                    2. warm

                  │ Nobody has to go far. Not today.

                  When     Minutes
                  Monday        10
                  Tuesday       15

                  ────────────────────

                    no line of code is broken

                    <script>alert(1)</script>

                  [picture: A path] ends
                  here: https://example.org.

                  Links
                  [1] https://example.org/map

                """)
    }

    @Test func `a lesson at 40 columns`() throws {
        #expect(
            try text(columns: 40) == """
                  A short walk
                  ────────────

                  Go outside for ten minutes, and
                  `breathe`. The way there is on the
                  map [1], and again [1].

                  What to take

                  • shoes that were worn before, since
                    a walk is no time for new ones
                  • water
                    1. cold
                    2. warm

                  │ Nobody has to go far. Not today.

                  When     Minutes
                  Monday        10
                  Tuesday       15

                  ────────────────────

                    no line of code is broken

                    <script>alert(1)</script>

                  [picture: A path] ends
                  here: https://example.org.

                  Links
                  [1] https://example.org/map

                """)
    }

    @Test func `for a screen reader nothing is drawn, and without a terminal no line is broken`() throws {
        #expect(
            try text(
                "# A\n\n- one two three four five six seven eight nine ten eleven twelve thirteen\n\n---\n\n> b",
                columns: nil, isPlain: true)
                    == """
                      A

                      - one two three four five six seven eight nine ten eleven twelve thirteen

                      * * *

                      > b

                    """)
    }

    @Test func `control sequences are left out`() throws {
        #expect(
            try text("# A\u{1B}[31m\n\nb\u{202E}c [d](https://e.org/\u{1B})\n\n    f\u{9B}2J\n", columns: 40) == """
                  A[31m
                  ─────

                  bc d [1]

                    f2J

                  Links
                  [1] https://e.org/

                """)
    }

    @Test func `emphasis has its colours, and no line is wider for them`() throws {
        let document = try #require(MarkdownDocument("*one two three* **four** `five`"))
        #expect(
            LessonText(document, columns: 13, ink: Ink(isOn: true)).text
                == "  \u{1B}[3mone two\u{1B}[0m\n  \u{1B}[3mthree\u{1B}[0m \u{1B}[1mfour\u{1B}[0m\n  \u{1B}[33mfive\u{1B}[0m\n"
        )
    }

    @Test func `a table that is too wide takes a few lines for each row`() throws {
        #expect(
            try text(
                "| Day | What | Where |\n|-|-|-|\n| Monday | a longer walk | in the park of the town |\n", columns: 30)
                    == """
                      Monday
                        what a longer walk
                        where in the park of the
                        town

                    """)
    }

    @Test func `the page of a lesson stands by itself`() throws {
        let page = LessonPage(
            title: "A <walk>", programme: "Finding & feet", document: try #require(MarkdownDocument("# A <walk>\n")))
        let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            Array(lines[..<7]) == [
                "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
                "<title>A &lt;walk&gt;</title>",
            ])
        #expect(
            page.text.hasSuffix(
                """
                <body>
                <header><p dir="auto">Finding &amp; feet</p></header>
                <main dir="auto">
                <h1>A &lt;walk&gt;</h1>
                </main>
                </body>
                </html>

                """))
    }
}
