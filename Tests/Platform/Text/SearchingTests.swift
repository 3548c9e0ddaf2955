import Testing

@testable import Text

@Suite struct `Searching a text` {
    @Test(arguments: [
        ("a needle", "needle", 2), ("nneedle", "needle", 1), ("needl", "needle", nil), ("", "a", nil), ("a", "", 0),
        ("déjà vu", "à", 4), ("e\u{301}", "\u{301}", 1), ("aab", "ab", 1), ("\r\n", "\n", 1),
    ])
    func `a part is found at its first place, byte by byte`(text: String, part: String, place: Int?) {
        let found = text.firstPlace(of: part)
        #expect(found.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == place)
        #expect(found.map { String(text[$0]) } == (place == nil ? nil : part))
        #expect(text.includes(part) == (place != nil))
    }

    @Test func `a part of a text is searched alone`() {
        let text = "one, two, three"
        let rest = text.dropFirst(5)
        #expect(rest.firstPlace(of: ", ").map { text[..<$0.lowerBound] } == "one, two")
        #expect(rest.firstPlace(of: "one") == nil)
    }

    @Test(arguments: [
        ("a--b", ["a", "b"]), ("--a----b--", ["", "a", "", "b", ""]), ("a-b", ["a-b"]), ("", [""]), ("---", ["", "-"]),
    ])
    func `a text falls into the parts around a separator`(text: String, parts: [String]) {
        #expect(text.parts(around: "--").map(String.init) == parts)
    }

    @Test func `every place of a text is substituted`() {
        #expect("a\r\nb\rc\r\n".substituting("\n", for: "\r\n").substituting("\n", for: "\r") == "a\nb\nc\n")
        #expect("tab\ttab\t".substituting("    ", for: "\t") == "tab    tab    ")
        #expect("nothing".substituting("x", for: "y") == "nothing")
    }
}
