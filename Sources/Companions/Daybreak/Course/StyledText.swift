import Companion

/// A text of which parts are emphasized, broken into lines.
struct StyledText {
    struct Style: OptionSet {
        let rawValue: Int
        static let strong = Style(rawValue: 1)
        static let slanted = Style(rawValue: 2)
        static let code = Style(rawValue: 4)
        static let faint = Style(rawValue: 8)
    }

    private struct Letter {
        let character: Character
        let style: Style
        var width: Int { DisplayWidth.of(character) }
    }

    private var letters: [Letter] = []

    init() {}

    init(_ text: String, _ style: Style) { append(text, style) }

    mutating func append(_ text: String, _ style: Style) {
        letters += text.map { Letter(character: $0, style: style) }
    }

    mutating func append(_ other: StyledText) { letters += other.letters }

    /// On one line.
    var plainText: String { String(letters.map { $0.character.isNewline ? " " : $0.character }) }

    /// Broken at blanks into lines of at most `columns`, and at line breaks. A word is broken only if it is longer than a line.
    func lines(_ columns: Int?, _ ink: Ink) -> [String] {
        letters.split(omittingEmptySubsequences: false, whereSeparator: \.character.isNewline)
            .flatMap { Self.broken($0, max(1, columns ?? .max)) }.map { Self.dressed($0, ink) }
    }

    private static func broken(_ whole: ArraySlice<Letter>, _ columns: Int) -> [[Letter]] {
        var (lines, line, width): ([[Letter]], [Letter], Int) = ([], [], 0)
        for word in whole.split(whereSeparator: { $0.character == " " }) {
            for piece in pieces(of: word, columns) {
                let own = piece.reduce(0) { $0 + $1.width }
                let isFirst = line.isEmpty
                if !isFirst, width + 1 + own <= columns {
                    line.append(Letter(character: " ", style: line[line.count - 1].style.intersection(piece[0].style)))
                    width += 1
                } else if !isFirst {
                    lines.append(line)
                    (line, width) = ([], 0)
                }
                line += piece
                width += own
            }
        }
        return lines + [line]
    }

    /// The word, or, if it is wider than `columns`, pieces of it that are not.
    private static func pieces(of word: ArraySlice<Letter>, _ columns: Int) -> [[Letter]] {
        var (pieces, width): ([[Letter]], Int) = ([[]], 0)
        for letter in word {
            if width + letter.width > columns, width > 0 {
                pieces.append([])
                width = 0
            }
            pieces[pieces.count - 1].append(letter)
            width += letter.width
        }
        return pieces
    }

    /// Each run of one style in its colours.
    private static func dressed(_ letters: [Letter], _ ink: Ink) -> String {
        var (text, run, style): (String, String, Style) = ("", "", [])
        for letter in letters {
            if letter.style != style {
                text += style.dress(run, ink)
                (run, style) = ("", letter.style)
            }
            run.append(letter.character)
        }
        return text + style.dress(run, ink)
    }
}

extension StyledText.Style {
    fileprivate func dress(_ text: String, _ ink: Ink) -> String {
        if contains(.strong) { return ink.strong(text) }
        if contains(.slanted) { return ink.slanted(text) }
        if contains(.code) { return ink.warm(text) }
        return contains(.faint) ? ink.faint(text) : text
    }
}
