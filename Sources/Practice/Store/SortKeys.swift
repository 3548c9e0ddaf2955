import Storage

extension Store {
    /// The columns of each sorted text and of its sort key.
    private static let sorted = [
        (table: "person", text: "name", key: "sort_key"), (table: "service", text: "name", key: "sort_key"),
        (table: "service", text: "category", key: "category_key"), (table: "term", text: "word", key: "sort_key"),
    ]

    /// True if another locale or another glibc made the sort keys.
    func hasOtherSortKeys() throws -> Bool { try fact(.collation) ?? "" != collation.version }

    /// Computes all sort keys again if the configured locale or glibc's version has changed.
    func updateSortKeys() throws {
        guard try hasOtherSortKeys() else { return }
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
