/// The words by which a text is found.
enum SearchWords {
    /// Longer words are found by their beginning.
    private static let limit = 40

    /// Each once, without case and accents.
    static func all(in texts: [String]) -> Set<String> {
        var words: Set<String> = []
        for text in texts {
            for word in split(text) { words.insert(word) }
        }
        return words
    }

    /// The words of a query, in its order; at most eight count.
    static func ofQuery(_ text: String) -> [String] { Array(split(text).prefix(8)) }

    private static func split(_ text: String) -> some Sequence<String> {
        Collation.folded(text).unicodeScalars.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
            .lazy.map { String(String.UnicodeScalarView($0.prefix(limit))) }
    }

    /// The end of the range of words that begin with this one: as text is compared byte by byte, nothing of UTF-8 sorts after it.
    static func end(of word: String) -> String { word + "\u{10FFFF}" }
}
