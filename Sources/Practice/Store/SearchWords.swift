import Storage

/// The words by which a text is found, without case and accents.
enum SearchWords {
    /// Longer words are found by their beginning.
    private static let longest = 40
    /// Bytes of a line. SQLite keeps a row of up to 1,002 bytes beside its neighbours ("Database File Format", 1.6).
    private static let line = 900

    /// The words of these texts, each once and after a space, in lines of a limited length.
    static func lines(of texts: [String]) -> [String] {
        var seen: Set<String> = []
        var lines: [String] = []
        var last = ""
        for word in texts.lazy.flatMap(split) where seen.insert(word).inserted {
            if last.utf8.count + 1 + word.utf8.count > line {
                lines.append(last)
                last = ""
            }
            last += " "
            last += word
        }
        return last.isEmpty ? lines : lines + [last]
    }

    /// The words of a query, in its order; at most eight count.
    static func ofQuery(_ text: String) -> [String] { Array(split(text).prefix(8)) }

    private static func split(_ text: String) -> [String] {
        let folded = Collation.folded(text)
        return folded.unicodeScalars.split { !$0.isOfWord }.map { word in
            let whole = folded[word.startIndex..<word.endIndex]
            // Mostly, the bytes alone tell that it is short enough.
            return String(whole.utf8.count <= longest ? whole : Substring(word.prefix(longest)))
        }
    }

    /// A search in lines that come one after the other, those of one text together.
    struct Search {
        private let words: [[CChar]]
        /// The words that the text has which is read at the moment, a bit each.
        private var seen = 0
        private var text: Int?
        /// The texts that have all words, or words that begin with them.
        private(set) var found: Set<Int> = []

        init(_ words: [String]) { self.words = words.map { Array(" \($0)".utf8CString) } }

        mutating func look(at line: borrowing Row, _ column: Int, of text: Int) {
            if text != self.text { (self.text, seen) = (text, 0) }
            for place in words.indices where seen & 1 << place == 0 {
                if line.text(column, has: words[place]) { seen |= 1 << place }
            }
            if seen == 1 << words.count - 1 { found.insert(text) }
        }
    }
}

extension Unicode.Scalar {
    var isOfWord: Bool {
        if isASCII { return ("a"..."z").contains(self) || ("0"..."9").contains(self) || ("A"..."Z").contains(self) }
        return properties.isAlphabetic || properties.numericType != nil
    }
}
