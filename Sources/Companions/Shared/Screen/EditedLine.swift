/// A line of text that somebody edits, and where their cursor is.
public struct EditedLine: Equatable, Sendable {
    private var characters: [Character]
    /// From 0 to the number of characters.
    private var cursor: Int

    public init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    public var text: String { String(characters) }

    /// False if the key edits nothing.
    @discardableResult public mutating func take(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(character)
        case .space: insert(" ")
        case .pasted(let text): text.forEach { insert($0) }
        case .erase:
            if cursor > 0 {
                cursor -= 1
                characters.remove(at: cursor)
            }
        case .delete: if cursor < characters.count { characters.remove(at: cursor) }
        case .eraseWord:
            let word = characters[..<cursor].lastIndex { $0 != " " } ?? 0
            let start = characters[..<word].lastIndex(of: " ").map { $0 + 1 } ?? 0
            characters.removeSubrange(start..<cursor)
            cursor = start
        case .eraseLine: self = EditedLine()
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .lineStart: cursor = 0
        case .lineEnd: cursor = characters.count
        default: return false
        }
        return true
    }

    /// A mark that joins the character before it makes one character with it.
    private mutating func insert(_ character: Character) {
        let joined = cursor > 0 ? String(characters[cursor - 1]) + String(character) : ""
        if joined.count == 1, let one = joined.first {
            characters[cursor - 1] = one
        } else {
            characters.insert(character, at: cursor)
            cursor += 1
        }
    }

    /// The part around the cursor that fits into so many columns, and the column of the cursor in it. A line break is shown as a
    /// sign.
    public func window(columns: Int) -> (text: String, cursor: Int) {
        let characters = characters.map(\.onOneLine)
        var (start, end, width) = (cursor, cursor, 0)
        while start > 0 {
            let wider = width + DisplayWidth.of(characters[start - 1])
            guard wider < max(1, columns) else { break }
            (start, width) = (start - 1, wider)
        }
        let column = width
        while end < characters.count {
            width += DisplayWidth.of(characters[end])
            guard width <= columns else { break }
            end += 1
        }
        return (String(characters[start..<end]), column)
    }
}

extension EditedLine {
    /// The text in lines of so many columns, at least one, with the place of the cursor in them. Lines are broken at blanks and at
    /// line breaks; a word is broken only if it is longer than a line.
    public func wrapped(columns: Int) -> (lines: [String], row: Int, column: Int) {
        let characters = characters.map(\.harmless)
        let starts = Self.lineStarts(characters, columns: max(1, columns))
        let ends = starts.dropFirst() + [characters.count]
        let lines = zip(starts, ends).map { String(characters[$0..<$1].filter { !$0.isNewline }) }
        let row = (starts.lastIndex { $0 <= cursor }) ?? 0
        return (lines, row, DisplayWidth.of(String(characters[starts[row]..<cursor])))
    }

    private static func lineStarts(_ characters: [Character], columns: Int) -> [Int] {
        var (starts, width, word) = ([0], 0, 0)
        for (place, character) in characters.enumerated() {
            let own = character.isNewline ? 0 : DisplayWidth.of(character)
            // A blank that does not fit stays behind the end of its line.
            if character.isNewline || character == " " && width == columns {
                starts.append(place + 1)
                (width, word) = (0, place + 1)
                continue
            }
            if width + own > columns {
                let start = word > starts[starts.count - 1] ? word : place
                starts.append(start)
                width = DisplayWidth.of(String(characters[start..<place]))
            }
            width += own
            if character == " " { word = place + 1 }
        }
        // The cursor behind the text takes a column, too.
        return width < columns ? starts : starts + [characters.count]
    }
}

extension String {
    /// The text with a sign for each line break.
    var onOneLine: String { String(map(\.onOneLine)) }
}

extension Character {
    fileprivate var onOneLine: Character { isNewline ? "⏎" : harmless }

    /// Itself, or a sign for a character that is not seen: a stored text must not steer the terminal.
    fileprivate var harmless: Character {
        isNewline || isASCII && self >= " " && self < "\u{7F}" ? self : String(self).shown.first ?? "\u{FFFD}"
    }
}
