import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("calm", 4), ("", 0), ("穏やか", 6), ("e\u{301}", 1), ("😊", 2), ("❤\u{FE0F}", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2),
        ("한글", 4), ("ﾊﾝ", 2), ("\u{200B}", 0), ("…", 1), ("\u{7}", 0),
    ])
    func `columns are counted as on a terminal`(_ text: String, _ width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func `text is padded and cut by columns, not by characters`() {
        #expect("穏やか".padded(to: 8) == "穏やか  ")
        #expect("穏やかに".cut(to: 6) == "穏や…")
        #expect("calm".cut(to: 4) == "calm")
        #expect("calm".cut(to: 0) == "")
    }

    @Test func `lines break at spaces, and inside a word only if it is longer than a line`() {
        #expect("You may leave this screen".wrapped(to: 10) == ["You may", "leave this", "screen"])
        #expect("Meet: https://example.org/x".wrapped(to: 10) == ["Meet:", "https://ex", "ample.org/", "x"])
        #expect("".wrapped(to: 10) == [""])
    }

    @Test(arguments: [
        ("", [""]), ("   ", [""]), ("a  b", ["a  b"]), ("  a  b ", ["  a  b"]),
        ("one  two   three", ["one  two", "three"]),
        ("one two  three", ["one two", "three"]), ("      abcdefg", ["abcdefg"]),
        ("a  abcdefghijklm  b", ["a", "abcdefghij", "klm  b"]), ("日本  日本語", ["日本", "日本語"]),
    ])
    func `a text is broken as it was written, with its runs of blanks`(text: String, lines: [String]) {
        #expect(text.brokenAsWritten(to: 10) == lines)
    }

    @Test func `balanced lines leave no word alone on a line`() {
        #expect("The provider is available. You may join.".wrapped(to: 36).last == "join.")
        #expect(
            "The provider is available. You may join.".balanced(to: 36)
                == ["The provider is", "available. You may join."])
    }

    @Test func `a provider's text cannot control the terminal`() {
        #expect("calm\u{1B}[2J\u{9B}2J\u{202E}\n\u{7}".shown == "calm[2J2J")
        // Tags are only shown as part of a flag.
        #expect("a\u{E0041}\u{E0042}é\u{E0041}\u{200D}b".shown == "aéb")
        let scotland = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
        #expect(scotland.shown == scotland)
        #expect("👩‍👩‍👧 穏やか e\u{301}".shown == "👩‍👩‍👧 穏やか e\u{301}")
    }
}
