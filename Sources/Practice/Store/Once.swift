import Storage
public import Time

extension Store {
    /// How long the key of a call is remembered.
    public static let keysKept = Duration.seconds(30 * 86_400)

    /// The thing that an earlier call of this person made with this key; nil if there was none.
    public func made(by person: ID<Person>, key: String) throws -> (method: String, made: String)? {
        try database.first("SELECT method, made FROM done_once WHERE person = $1 AND key = $2", person, key) {
            (method: $0.text(0) ?? "", made: $0.text(1) ?? "")
        }
    }

    /// Remembers what a call with a key made, in the transaction that made it.
    public func remember(_ key: String, of person: ID<Person>, _ method: String, made: String, at: Instant) throws {
        try database.run(
            "INSERT INTO done_once (person, key, method, made, at) VALUES ($1, $2, $3, $4, $5)", person, key, method,
            made, at)
        let old = Instant(microseconds: at.microseconds - Self.keysKept.microseconds)
        try database.run("DELETE FROM done_once WHERE at < $1", old)
    }
}
