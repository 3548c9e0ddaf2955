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

    @Test func `an incomplete letter waits, and an invalid one is skipped`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0xC3]) == [])
        #expect(reader.keys(in: [0xA9]) == [.character("é")])
        #expect(reader.keys(in: [0xC3, 0x41, 0xFF, 0x00]) == [.character("A")])
    }
}
