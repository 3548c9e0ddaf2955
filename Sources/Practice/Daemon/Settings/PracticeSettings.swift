public import PracticeRules
public import Time

/// The values of `practice.toml`. The initial values are the defaults.
public struct PracticeSettings: Sendable {
    /// `practice.name`: the name that clients and visitors read.
    public var name = "The practice"
    /// `practice.time_zone`: the zone of the practice's days.
    public var zone = Zone.utc
    /// `practice.currency`: a code of ISO 4217.
    public var currency = "EUR"
    /// `practice.therapist`: the word that is shown for a thanatologist.
    public var therapist = "thanatologist"
    /// `practice.locale`: the locale that sorts names. Empty: sorted by letters without accents.
    public var locale = ""
    /// `[[client.field]]`: the practice's own fields of a client.
    public var clientFields: [ClientField] = []

    /// `mail.urgent_note`: the practice's words about emergencies, shown before an urgent letter is sent. Nothing is shown if
    /// it is empty.
    public var urgentNote = ""

    /// `[gate]`: access over SSH.
    public var gate = GateSettings()

    /// `storage.url`: the address of PostgreSQL. Empty: the practice is kept in a file of SQLite.
    public var server = ""
    /// `storage.migration_url`: the address for the role that owns the server's tables. Empty: that of `storage.url` does.
    public var migrationServer = ""
    /// `storage.nights`: the number of nightly backups.
    public var nights = 7
    /// `storage.backups`: the folder of the nightly backups. Nil: `backups` beside the database.
    public var backups: String?

    /// `limits.connections`: the limit for all people together.
    public var connections = 10_000
    /// `limits.connections_of_person`
    public var connectionsOfPerson = 64
    /// `limits.calls_of_person`: the limit of unanswered calls of one person, over all of their connections.
    public var callsOfPerson = 64
    /// `limits.page`: the rows of a page if the call names no number.
    public var page = 20
    /// `limits.longest_page`: the most rows that a call may ask for.
    public var longestPage = 200

    /// True if every caller may act as any person of a made-up practice. Set by `--demo`, never by the file.
    public var isDemo = false

    public init() {}
}

/// The values of `[gate]`.
public struct GateSettings: Equatable, Sendable {
    /// `gate.address`: the address at which clients' machines reach this one, `practice@clinic.example`. Empty: the account
    /// at this machine's name.
    public var address = ""
    /// `gate.host_key`: the path of the host's public key. An invitation has its fingerprint.
    public var hostKey = "/etc/ssh/ssh_host_ed25519_key.pub"

    /// The Unix account for all logins over SSH. Its processes name the person for whom they call.
    public var account = "practice"
    /// The Unix account under which sshd asks for keys.
    public var keysAccount = "practice-keys"
    /// The path of the gate's program in sshd's lines.
    public var program = "/usr/local/bin/practice-gate"

    public init() {}
}
