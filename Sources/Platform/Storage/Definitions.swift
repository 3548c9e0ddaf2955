extension Database {
    /// The definitions of all tables, indexes, triggers and views, in order, without comments. Reading them runs none of them.
    ///
    /// A file that somebody else made may define a trigger that drops or copies what is written, or a view without end. Compare
    /// its definitions with those of an own file, before any other statement.
    public func definitions() throws -> [String] {
        try rows("SELECT type, name, tbl_name, sql FROM sqlite_master") { row in
            let lines = (row.text(3) ?? "").split(whereSeparator: \.isNewline)
            let code = lines.map { line in line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line }
            let words = code.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init)
            return ((0..<3).map { row.text($0) ?? "" } + words).joined(separator: " ")
        }
        .sorted()
    }
}
