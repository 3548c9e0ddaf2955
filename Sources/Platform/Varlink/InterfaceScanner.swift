/// Cuts an interface definition into words and signs, and keeps the comments that document them.
struct InterfaceScanner {
    /// A place in the text: the number of scalars before it.
    private(set) var offset = 0
    /// The comment lines directly before the next token. Each has a line of its own, with no blank line between.
    private(set) var comment = ""

    private let scalars: [Unicode.Scalar]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        skipBlanks()
    }

    var isAtEnd: Bool { offset == scalars.count }

    // MARK: Tokens

    /// True if the next token begins with this text.
    func sees(_ sign: String) -> Bool {
        var place = offset
        for scalar in sign.unicodeScalars {
            guard place < scalars.count, scalars[place] == scalar else { return false }
            place += 1
        }
        return true
    }

    /// Takes this text if it comes next.
    mutating func take(_ sign: String) -> Bool {
        guard sees(sign) else { return false }
        offset += sign.unicodeScalars.count
        skipBlanks()
        return true
    }

    mutating func expect(_ sign: String) throws(InterfaceError) {
        guard take(sign) else { throw expected("'\(sign)'") }
    }

    /// The next word, and its place. A word consists of ASCII letters, digits and `extras`; it is empty if none comes.
    mutating func takeWord(extras: String = "_") -> (word: String, offset: Int) {
        let start = offset
        let word = peekWord(extras: extras)
        offset += word.unicodeScalars.count
        skipBlanks()
        return (word, start)
    }

    func peekWord(extras: String = "_") -> String {
        var end = offset
        while end < scalars.count {
            let scalar = scalars[end]
            guard scalar.isLetter || scalar.isDigit || extras.unicodeScalars.contains(scalar) else { break }
            end += 1
        }
        return text(offset..<end)
    }

    // By way of bytes: a text grows slowly by scalars, and each start reads all interfaces.
    private func text(_ places: Range<Int>) -> String {
        var bytes: [UInt8] = []
        for scalar in scalars[places] { bytes += scalar.utf8 }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Errors

    func expected(_ what: String) -> InterfaceError {
        let word = peekWord()
        let found =
            isAtEnd ? "the end" : "'\(word.isEmpty ? String(Character(scalars[offset])) : word)'"
        return error(at: offset, "expected \(what), found \(found)")
    }

    func error(at offset: Int, _ reason: String) -> InterfaceError {
        var line = 1
        var column = 1
        for (index, scalar) in scalars[..<offset].enumerated() {
            let isHalfOfLineEnd = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            if scalar.isLineEnd && !isHalfOfLineEnd {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return InterfaceError(line: line, column: column, reason: reason)
    }

    // MARK: Blanks

    /// Skips white space and comments (Interface-Definition, "Parsing Expression Grammar": `_`).
    private mutating func skipBlanks() {
        var lines: [String] = []
        var isOwnLine = offset == 0
        var lineEnds = 0
        while offset < scalars.count {
            let scalar = scalars[offset]
            if scalar == "#" {
                if lineEnds > 1 { lines = [] }
                let line = takeComment()
                if isOwnLine { lines.append(line) }
                lineEnds = 0
            } else if scalar.isLineEnd {
                offset += sees("\r\n") ? 2 : 1
                lineEnds += 1
                isOwnLine = true
            } else if scalar.isBlank {
                offset += 1
            } else {
                break
            }
        }
        comment = lineEnds > 1 ? "" : lines.joined(separator: "\n")
    }

    /// A comment's text, without its sign and the blank after it.
    private mutating func takeComment() -> String {
        let start = offset + 1
        while offset < scalars.count, !scalars[offset].isLineEnd { offset += 1 }
        return text((start < offset && scalars[start] == " " ? start + 1 : start)..<offset)
    }
}

extension Unicode.Scalar {
    var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    var isDigit: Bool { ("0"..."9").contains(self) }

    /// The grammar's `whitespace`.
    fileprivate var isBlank: Bool {
        switch self {
        case " ", "\t", "\u{A0}", "\u{FEFF}", "\u{1680}", "\u{180E}", "\u{2000}"..."\u{200A}", "\u{202F}", "\u{205F}",
            "\u{3000}":
            true
        default: false
        }
    }

    /// The grammar's `eol_r`, scalar by scalar.
    fileprivate var isLineEnd: Bool {
        switch self {
        case "\n", "\r", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
