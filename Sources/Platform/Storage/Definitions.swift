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
        let text = Array(definition.utf8)
        var code: [UInt8] = []
        code.reserveCapacity(text.count + 1)
        var isComment = false
        var isInWord = false
        for place in text.indices {
            let byte = text[place]
            if byte == UInt8(ascii: "\n") { isComment = false }
            if byte == UInt8(ascii: "-"), place + 1 < text.count, text[place + 1] == byte { isComment = true }
            let isCode = !isComment && byte != 10 && byte != 32 && byte != 9 && byte != 13
            if isCode { code.append(byte) } else if isInWord { code.append(UInt8(ascii: " ")) }
            isInWord = isCode
        }
        if isInWord { code.append(UInt8(ascii: " ")) }
        return String(decoding: code, as: UTF8.self)
    }
}
