import Storage

extension Store {
    /// Each text that is put in order, and its sort key.
    private static let sorted = [
        (table: "person", text: "name", key: "sort_key"), (table: "service", text: "name", key: "sort_key"),
        (table: "service", text: "category", key: "category_key"), (table: "term", text: "word", key: "sort_key"),
    ]

    /// Makes the sort keys anew where they are not of the locale that is configured now, or of another version of it.
    func putInOrder() throws {
        guard try fact(.collation) ?? "" != collation.version else { return }
        for (table, text, key) in Self.sorted {
            let rows = try database.rows("SELECT id, \(text) FROM \(table)") {
                (id: $0.integer(0) ?? 0, text: $0.text(1) ?? "")
            }
            for row in rows {
                try database.run("UPDATE \(table) SET \(key) = $2 WHERE id = $1", row.id, collation.key(of: row.text))
            }
        }
        try database.run(
            "UPDATE client SET sort_key = (SELECT p.sort_key FROM person p WHERE p.id = client.person)")
        try state(.collation, collation.version)
    }
}
