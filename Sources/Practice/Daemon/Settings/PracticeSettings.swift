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

    /// The way in over SSH.
    public var gate = GateSettings()

    /// `storage.nights`: how many nights' copies are kept.
    public var nights = 7
    /// `storage.backups`: the folder of the nights' copies. Nil: `backups` beside the database.
    public var backups: String?

    /// `limits.connections`: of everybody together.
    public var connections = 10_000
    /// `limits.connections_of_person`
    public var connectionsOfPerson = 64
    /// `limits.calls_of_person`: of one person, over all of their connections, that are not answered yet.
    public var callsOfPerson = 64
    /// `limits.page`: the rows of a page where a call names no number.
    public var page = 20
    /// `limits.longest_page`: the most rows that a call may ask for.
    public var longestPage = 200

    /// Anybody may play anybody, where the practice is made up. By `--demo`, never by the file.
    public var isDemo = false

    public init() {}
}

/// The values of `[gate]`.
public struct GateSettings: Equatable, Sendable {
    /// `gate.address`: where clients' machines find this one, `practice@clinic.example`. Empty: the account at this machine's name.
    public var address = ""
    /// `gate.host_key`: the public half of the host's key, whose fingerprint an invitation tells.
    public var hostKey = "/etc/ssh/ssh_host_ed25519_key.pub"

    /// The Unix account that everybody logs in as. Its processes say for whom they call.
    public var account = "practice"
    /// The Unix account that sshd asks for keys with.
    public var keysAccount = "practice-keys"
    /// The gate's program, as sshd's lines name it.
    public var program = "/usr/local/bin/practice-gate"

    public init() {}
}
