public import PracticeRules
public import Time

/// The values of `practice.toml`. A new one has the defaults.
public struct PracticeSettings: Sendable {
    /// `practice.name`: as clients and visitors read it.
    public var name = "The practice"
    /// `practice.time_zone`: the practice's own days are in it.
    public var zone = Zone.utc
    /// `practice.currency`: by ISO 4217.
    public var currency = "EUR"
    /// `practice.therapist`: the word that is shown for a thanatologist.
    public var therapist = "thanatologist"
    /// `practice.locale`: puts names in order. Empty: by letters, without accents.
    public var locale = ""
    /// `[[client.field]]`: the practice's own fields of a client.
    public var clientFields: [ClientField] = []

    /// Anybody may play anybody, where the practice is made up. By `--demo`, never by the file.
    public var isDemo = false

    public init() {}
}
