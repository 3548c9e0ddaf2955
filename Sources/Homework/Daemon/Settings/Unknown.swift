/// What to say of a name that no setting has: the one that was meant, as far as that can be guessed.
enum Unknown {
    /// A table that there is not.
    static func table(_ name: String) -> String {
        let nearest = nearest(Setting.tables) { distance(name, $0) }
        if let nearest { return "There is no table [\(spelled(name))]; did you mean [\(nearest)]?" }
        let known = Setting.tables.map { "[\($0)]" }.joined(separator: ", ")
        return "There is no table [\(spelled(name))]; there are \(known)."
    }

    /// A key that its table does not have; nil for the outermost level, which has none.
    static func setting(_ key: String, in table: String? = nil) -> String {
        let name = (table.map { "\($0)." } ?? "") + spelled(key)
        let nearest = nearest(Setting.all) { distance(key, $0.key) + ($0.table == table ? 0 : 1) }
        if let nearest { return "There is no setting \(name); did you mean \(nearest.name)?" }
        guard let table else { return "There is no setting \(name): every setting stands in a table." }
        let known = Setting.all.filter { $0.table == table }.map(\.key).joined(separator: ", ")
        return "There is no setting \(name); [\(table)] has \(known)."
    }

    /// The nearest, if it is near at all.
    private static func nearest<T>(_ known: [T], by distance: (T) -> Int) -> T? {
        known.min { distance($0) < distance($1) }.flatMap { distance($0) <= 2 ? $0 : nil }
    }

    /// How many characters are to be put in, taken out or changed (Levenshtein); 1 where the known one only goes on.
    private static func distance(_ found: String, _ known: String) -> Int {
        let (left, right) = (Array(found.utf8), Array(known.utf8))
        if left.count >= 3, right.starts(with: left) { return left == right ? 0 : 1 }
        // Far apart at any rate, and perhaps a text of many thousand characters.
        guard left.count <= 2 * right.count else { return left.count }
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in right.indices {
                let changed = diagonal + (letter == right[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(changed, diagonal + 1, row[place] + 1)
            }
        }
        return row[right.count]
    }

    private static let longest = 60

    /// As it stands in the text, or in quotes where TOML wants it so; cut where it is long.
    private static func spelled(_ key: String) -> String {
        let isBare = key.utf8.allSatisfy { byte in
            let letter = Character(Unicode.Scalar(byte))
            return byte < 0x80 && (letter.isLetter || letter.isNumber || letter == "_" || letter == "-")
        }
        let cut = key.utf8.count > longest ? "\(Substring(key.unicodeScalars.prefix(longest)))…" : key
        return isBare && !key.isEmpty ? cut : cut.debugDescription
    }
}
