extension SQLiteDatabase {
    /// The definitions of all tables, indexes, triggers and views, in order, without comments. Reading them runs none of them.
    ///
    /// A file that somebody else made may define a trigger that drops or copies written rows, or a view without end. Compare
    /// its definitions with those of an own file, before any other statement.
    public func definitions() throws -> [String] {
        try rows("SELECT type, name, tbl_name, sql FROM sqlite_master") { row in
            ((0..<3).map { row.text($0) ?? "" } + [code(of: row.text(3) ?? "")]).joined(separator: " ")
        }
        .sorted()
    }

    /// The text of a definition without comments, and with one space between words.
    private func code(of definition: String) -> String {
        var code: [UInt8] = []
        for line in definition.utf8.split(separator: UInt8(ascii: "\n")) {
            let end = zip(line.indices, line.indices.dropFirst())
                .first { line[$0] == UInt8(ascii: "-") && line[$1] == UInt8(ascii: "-") }
            for word in line[..<(end?.0 ?? line.endIndex)].split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == 13 }) {
                code += word
                code.append(UInt8(ascii: " "))
            }
        }
        return String(decoding: code, as: UTF8.self)
    }
}
