import Storage
public import Time

extension Store {
    /// The time for which a call's key is stored.
    public static let keysKept = Duration.seconds(30 * 86_400)

    /// The method and the object of a person's earlier call with this key; nil if there was none.
    public func made(by person: ID<Person>, key: String) throws -> (method: String, made: String)? {
        try database.first("SELECT method, made FROM done_once WHERE person = $1 AND key = $2", person, key) {
            (method: $0.text(0) ?? "", made: $0.text(1) ?? "")
        }
    }

    /// Stores the object that a call with a key made, in the call's own transaction.
    public func remember(_ key: String, of person: ID<Person>, _ method: String, made: String, at: Instant) throws {
        try database.run(
            "INSERT INTO done_once (person, key, method, made, at) VALUES ($1, $2, $3, $4, $5)", person, key, method,
            made, at)
        let old = Instant(microseconds: at.microseconds - Self.keysKept.microseconds)
        try database.run("DELETE FROM done_once WHERE at < $1", old)
    }
}
