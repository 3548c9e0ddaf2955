extension String {
    /// Breaks lines that are wider than the terminal at spaces. The rest of a line is indented to where its text begins:
    /// behind a label, a mark or a margin. A word that is wider than a line, such as a path, stays whole.
    public func fitted(to columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.fitted(to: columns) }.joined(separator: "\n")
    }
}

extension Substring {
    fileprivate func fitted(to columns: Int) -> String {
        // A line that moves the cursor back is drawn, not written.
        guard !contains("\r"), inkedWidth > columns else { return String(self) }
        let words = words
        // A wide margin or column of labels would leave too little for the text.
        let widest = columns / 3
        let margin = words.first?.margin ?? 0
        let start = margin > widest ? 4 : margin
        let hang = hang(of: words, within: widest) ?? start + (words.first?.width == 1 ? 2 : 0)
        var text = ""
        var width = 0
        for (index, word) in words.enumerated() {
            if index == 0 {
                text += String(repeating: " ", count: start) + word.text
                width = start + word.width
            } else if width + word.margin + word.width <= columns {
                text += String(repeating: " ", count: word.margin) + word.text
                width += word.margin + word.width
            } else {
                text += "\n" + String(repeating: " ", count: hang) + word.text
                width = hang + word.width
            }
        }
        return text
    }

    /// The column of the text behind a label, which two spaces or more separate; nil if there is no label.
    private func hang(of words: [Word], within widest: Int) -> Int? {
        var column = 0
        var found: Int?
        for (index, word) in words.enumerated() {
            column += word.margin
            guard column <= widest else { break }
            if index > 0, word.margin > 1 { found = column }
            column += word.width
        }
        return found
    }

    /// A word with the spaces before it.
    private struct Word {
        var margin = 0
        var text = ""
        var width = 0
    }

    private var words: [Word] {
        var words: [Word] = []
        var word = Word()
        for (piece, width) in pieces {
            if piece == " ", !word.text.isEmpty, word.width > 0 {
                words.append(word)
                word = Word()
            }
            if piece == " " {
                word.margin += 1
            } else {
                word.text += piece
                word.width += width
            }
        }
        return words + (word.text.isEmpty ? [] : [word])
    }

    private var inkedWidth: Int { pieces.reduce(0) { $0 + $1.width } }

    /// The characters, and each escape sequence as one without a width.
    private var pieces: [(text: String, width: Int)] {
        var pieces: [(text: String, width: Int)] = []
        var rest = self
        while let first = rest.first {
            let end = first == "\u{1B}" ? rest.firstIndex(where: \.isLetter) : nil
            let piece = rest[...(end ?? rest.startIndex)]
            pieces.append((String(piece), end == nil ? DisplayWidth.of(first) : 0))
            rest = rest[piece.endIndex...]
        }
        return pieces
    }
}
