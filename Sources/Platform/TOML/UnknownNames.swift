import Text

// An unknown name is refused, with the name that was probably meant.
extension SettingsReader {
    /// The sentence that refuses a table.
    func unknownTable(_ name: String) -> String {
        var tables: [String] = []
        for case let table? in settings.map(\.table) where !tables.contains(table) { tables.append(table) }
        let refusal = "There is no table [\(spelled(name))];"
        if let nearest = nearest(of: tables, { edits(from: name, to: $0) }) {
            return "\(refusal) did you mean [\(nearest)]?"
        }
        return "\(refusal) there are \(tables.map { "[\($0)]" }.joined(separator: ", "))."
    }

    /// The sentence that refuses a key of a table; `table` is nil for the outermost level.
    func unknownSetting(_ key: String, in table: String?) -> String {
        let refusal = "There is no setting \([table, spelled(key)].compactMap { $0 }.joined(separator: "."))"
        let known = settings.filter { $0.key != nil }
        let nearest = nearest(of: known) { edits(from: key, to: $0.key ?? "") + ($0.table == table ? 0 : 1) }
        if let nearest { return "\(refusal); did you mean \(nearest.name)?" }
        let keys = known.filter { $0.table == table }.compactMap(\.key).joined(separator: ", ")
        if let table { return "\(refusal); [\(table)] has \(keys)." }
        return keys.isEmpty ? "\(refusal): every setting stands in a table." : "\(refusal); there are \(keys)."
    }
}

/// The nearest known name, if one is near enough.
private func nearest<T>(of known: [T], _ edits: (T) -> Int) -> T? {
    known.min { edits($0) < edits($1) }.flatMap { edits($0) <= 2 ? $0 : nil }
}

/// How many characters must be inserted, removed or changed (Levenshtein); 1 if `known` begins with `found`, of three
/// letters or more.
private func edits(from found: String, to known: String) -> Int {
    let (left, right) = (Array(found.utf8), Array(known.utf8))
    if left.count >= 3, right.starts(with: left) { return left == right ? 0 : 1 }
    // A much longer name is far from every known one, and may have many thousand characters.
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

/// A key as a TOML text spells it: in quotes if it is no bare name, and cut after 60 characters.
func spelled(_ key: String) -> String {
    let longest = 60
    let cut =
        key.unicodeScalars.count > longest
        ? "\(String(String.UnicodeScalarView(key.unicodeScalars.prefix(longest))))…" : key
    return !key.isEmpty && key.utf8.allSatisfy(TOMLReader.isBare) ? cut : quoted(cut)
}

/// A text in quotes, with escapes for the characters that a terminal's line must not hold.
func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { $0.escaped(asASCII: $0.isHidden) }
    return "\"\(escaped.joined())\""
}
