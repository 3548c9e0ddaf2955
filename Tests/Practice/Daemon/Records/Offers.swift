import Storage

extension Clinic {
    /// What the practice offers and counts by, in short.
    struct Offers {
        let talk: String
        let loss: String
        let letter: String
    }

    /// A service, a motive and a tool.
    func offers() throws -> Offers {
        Offers(
            talk: try service("Talk"), loss: try term("motives", "Loss of a parent"),
            letter: try term("tools", "Letter"))
    }

    func service(_ name: String, isOffered: Bool = true) throws -> String {
        let id = try Database(database).first(
            """
            INSERT INTO service (category, name, sort_key, description, offered, revision)
            VALUES ('Grief', $1, $1, '', $2, 1) RETURNING id
            """, name, isOffered
        ) { $0.int(0) ?? 0 }
        return "v\(id ?? 0)"
    }

    func term(_ vocabulary: String, _ word: String, isOffered: Bool = true) throws -> String {
        let id = try Database(database).first(
            "INSERT INTO term (vocabulary, word, sort_key, offered) VALUES ($1, $2, $2, $3) RETURNING id", vocabulary,
            word,
            isOffered
        ) { $0.int(0) ?? 0 }
        return "t\(id ?? 0)"
    }
}
