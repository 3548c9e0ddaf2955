import Text

/// The number of columns that text takes on a terminal.
public enum DisplayWidth {
    /// The columns of one character: 0, 1 or 2.
    public static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.isASCII && scalars.count == 1 { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }  // Its variation selector asks for an emoji.
        if first.properties.isEmojiPresentation { return 2 }
        if takesNoRoom(first) { return 0 }
        return isWide(first.value) ? 2 : 1
    }

    public static func of(_ text: some StringProtocol) -> Int {
        text.utf8.isPrintableASCII ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    private static func takesNoRoom(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// East Asian Wide and Fullwidth (Unicode Standard Annex #11), emoji aside.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08,
            0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

extension String {
    /// Followed by spaces up to a width of `columns`.
    public func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - DisplayWidth.of(self)))
    }

    /// Cut to at most `columns`, with an ellipsis where something was cut off.
    public func cut(to columns: Int) -> String {
        guard DisplayWidth.of(self) > columns else { return self }
        guard columns > 0 else { return "" }
        var kept = ""
        var width = 1
        for character in self {
            width += DisplayWidth.of(character)
            if width > columns { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Broken into lines of at most `columns`, at spaces; a word is broken only if it is longer than a line.
    public func wrapped(to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ").flatMap({ $0.pieces(of: columns) }) {
            if line.isEmpty {
                line = word
            } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(word) <= columns {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        return lines + [line]
    }

    /// Broken into lines of at most `columns`, at blanks. Within a line the blanks stay as they were written; a word is broken
    /// only if it is longer than a line.
    public func brokenAsWritten(to columns: Int) -> [String] {
        var (lines, line, rest) = ([String](), "", self[...])
        while true {
            let blanks = rest.prefix { $0 == " " }
            let word = rest[blanks.endIndex...].prefix { $0 != " " }
            rest = rest[word.endIndex...]
            guard !word.isEmpty else { return lines + [line] }
            if DisplayWidth.of(line) + blanks.count + DisplayWidth.of(word) <= columns {
                line += blanks + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            let pieces = word.pieces(of: columns)
            lines += pieces.dropLast()
            line = pieces[pieces.count - 1]
        }
    }

    /// Broken into as few lines as ``wrapped(to:)``, but of about the same length.
    public func balanced(to columns: Int) -> [String] {
        var lines = wrapped(to: columns)
        let longest = split(separator: " ").map { DisplayWidth.of($0) }.max() ?? 0
        let narrowest = max(columns / 2, min(longest, columns))
        for narrower in stride(from: columns - 1, through: narrowest, by: -1) {
            let next = wrapped(to: narrower)
            guard next.count == lines.count else { break }
            lines = next
        }
        return lines
    }

    /// The text with the first occurrence of a character replaced.
    public func replacingFirst(_ old: Character, with new: String) -> String {
        guard let place = firstIndex(of: old) else { return self }
        return self[..<place] + new + self[index(after: place)...]
    }

    /// Without characters that are not seen: a text from a schedule or a provider must not steer the client's terminal.
    public var shown: String { utf8.isPrintableASCII ? self : visible }
}

extension Sequence<UInt8> {
    /// All of these bytes are ASCII characters that are seen, each a column wide.
    fileprivate var isPrintableASCII: Bool { allSatisfy { (0x20..<0x7F).contains($0) } }
}

extension Substring {
    /// The word, or, if it is wider than `columns`, pieces of it that are not.
    fileprivate func pieces(of columns: Int) -> [String] {
        guard DisplayWidth.of(self) > columns else { return [String(self)] }
        var pieces = [""]
        for character in self {
            let width = DisplayWidth.of(pieces[pieces.count - 1]) + DisplayWidth.of(character)
            if width > columns { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
        return pieces
    }
}

extension [String] {
    /// One after the other with dots between, in lines of at most `columns`. Only a part that is wider than a line is broken.
    public func packed(to columns: Int) -> [String] {
        reduce(into: []) { lines, item in
            if let last = lines.last, DisplayWidth.of(last) + 3 + DisplayWidth.of(item) <= columns {
                lines[lines.count - 1] = "\(last) · \(item)"
            } else {
                lines += item.wrapped(to: Swift.max(1, columns))
            }
        }
    }
}
