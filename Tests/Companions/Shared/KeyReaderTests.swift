import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct KeyReaderTests {
    @Test func `bytes become keys`() {
        var reader = KeyReader()
        let keys = reader.keys(in: "q \r\u{3}\u{1A}\u{C}\u{1B}[A\u{1B}OB\u{1B}[1;5Cé穏".utf8)
        #expect(
            keys == [
                .character("q"), .space, .enter, .interrupt, .suspend, .redraw,
                .up, .down, .right, .character("é"),
                .character("穏"),
            ])
        #expect(!reader.isUndecided)
    }

    @Test func `keys of screens on which every character is text`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x07, 0x0F, 0x18]) == [.help, .mute, .remove])
    }

    @Test func `an arrow may come in pieces`() {
        var reader = KeyReader()
        #expect(reader.keys(in: "\u{1B}".utf8) == [])
        #expect(reader.isUndecided)
        #expect(reader.keys(in: "[".utf8) == [])
        #expect(reader.keys(in: "B".utf8) == [.down])
    }

    @Test func `an escape by itself is the escape key`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x1B]) == [])
        #expect(reader.flush() == [.escape])
        #expect(reader.keys(in: "\u{1B}x".utf8) == [.escape, .character("x")])
    }

    @Test func `a paste is one key, with its line breaks, also in pieces`() {
        var reader = KeyReader()
        #expect(
            reader.keys(in: "a\u{1B}[200~one\rtwo\r\nthree\u{1B}[201~\r".utf8) == [
                .character("a"), .pasted("one\ntwo\nthree"), .enter,
            ])
        #expect(
            reader.keys(in: "\u{1B}[200~\ta\u{202E}b\u{1B}[2J\u{FEFF}c\u{1B}[201~".utf8) == [.pasted("    ab[2Jc")])
        #expect(reader.keys(in: "\u{1B}[200~fo".utf8) == [])
        // It may take as long as it likes.
        #expect(!reader.isUndecided)
        #expect(reader.keys(in: "ur\u{1B}[20".utf8) == [])
        #expect(reader.keys(in: "1~\u{1B}[5~\u{1B}[6~".utf8) == [.pasted("four"), .pageUp, .pageDown])
    }

    @Test func `an incomplete letter waits, and an invalid one is skipped`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0xC3]) == [])
        #expect(reader.keys(in: [0xA9]) == [.character("é")])
        #expect(reader.keys(in: [0xC3, 0x41, 0xFF, 0x00]) == [.character("A")])
    }
}
