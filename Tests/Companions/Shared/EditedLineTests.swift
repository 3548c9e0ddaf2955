import Testing

@testable import Companion

@Suite struct EditedLineTests {
    /// The cursor is behind the text.
    @Test(arguments: [
        ("", [""], 0, 0), ("abc", ["abc"], 0, 3), ("abcd", ["abcd", ""], 1, 0), ("abcde", ["abcd", "e"], 1, 1),
        ("a\nb", ["a", "b"], 1, 1), ("abcd\ne", ["abcd", "e"], 1, 1), ("穏穏穏", ["穏穏", "穏"], 1, 2),
        ("ab cde", ["ab ", "cde"], 1, 3), ("abc de", ["abc ", "de"], 1, 2), ("abcd e", ["abcd ", "e"], 1, 1),
        ("a bcdef", ["a ", "bcde", "f"], 2, 1),
    ])
    func `a long line is wrapped, and its cursor is in its place`(text: String, lines: [String], row: Int, column: Int)
    {
        let wrapped = EditedLine(text).wrapped(columns: 4)
        #expect((wrapped.lines, wrapped.row, wrapped.column) == (lines, row, column))
    }

    private func line(_ text: String, _ keys: Key...) -> EditedLine {
        keys.reduce(into: EditedLine(text)) { $0.take($1) }
    }

    @Test func `keys edit where the cursor is`() {
        #expect(line("Ana", .space, .character("R")).text == "Ana R")
        #expect(line("Ana", .left, .left, .character("d")).text == "Adna")
        #expect(line("Ana", .lineStart, .delete, .character("U")).text == "Una")
        #expect(line("Ana", .left, .erase).text == "Aa")
        #expect(line("Ana", .lineStart, .erase, .left).text == "Ana")
        #expect(line("Ana", .right, .delete, .lineEnd, .character("s")).text == "Anas")
    }

    @Test func `a word or the line goes at once`() {
        #expect(line("Ana de la Vega", .eraseWord).text == "Ana de la ")
        #expect(line("Ana de  ", .eraseWord).text == "Ana ")
        #expect(line("", .eraseWord).text == "")
        #expect(line("Ana", .left, .eraseLine).text == "")
    }

    @Test func `an accent that comes after its letter joins it`() {
        let joined = line("Jose", .character("\u{301}"))
        #expect(joined.text == "José")
        #expect(joined.window(columns: 10).cursor == 4)
        #expect(line("Jose", .character("\u{301}"), .erase).text == "Jos")
    }

    @Test func `a long line shows the part around the cursor`() {
        let line = line("0123456789")
        #expect(line.window(columns: 6) == ("56789", 5))
        var start = line
        start.take(.lineStart)
        #expect(start.window(columns: 6) == ("012345", 0))
        #expect(EditedLine("山田花子").window(columns: 5) == ("花子", 4))
        #expect(EditedLine("Calle 1\nLugo").window(columns: 20) == ("Calle 1⏎Lugo", 12))
    }

    @Test func `a stored text does not steer the terminal, and is kept as it is`() {
        let odd = EditedLine("E\u{1B}]0;pwn\u{7}\u{202E}\u{9B}x\u{0}")
        for text in [odd.window(columns: 40).text] + odd.wrapped(columns: 40).lines {
            #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{202E}" })
            #expect(text.hasPrefix("E") && text.contains("]0;pwn") && text.contains("x"))
        }
        #expect(odd.text == "E\u{1B}]0;pwn\u{7}\u{202E}\u{9B}x\u{0}")
    }

    @Test func `a terminal's keys that edit a line are read`() {
        var reader = KeyReader()
        #expect(
            reader.keys(in: "\u{1B}[D\u{1B}[C\u{1B}[H\u{1B}[F\u{1B}[3~".utf8) == [
                .left, .right, .lineStart, .lineEnd, .delete,
            ])
        #expect(reader.keys(in: [1, 5, 4, 0x15, 0x17]) == [.lineStart, .lineEnd, .endOfInput, .eraseLine, .eraseWord])
    }
}
