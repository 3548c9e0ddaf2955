import PracticeRules
import PracticeStore
public import TOML
import Time

extension PracticeSettings {
    /// Every setting, a row each, in the order of `Config/practice.toml`.
    static let rows: [Setting<PracticeSettings>] = [
        Setting(
            "practice.name",
            .line("a text such as \"Clinic at the Park\"", limit: 200, because: "it stands on one line"), \.name),
        Setting("practice.time_zone", timeZone, \.zone),
        Setting("practice.currency", currency, \.currency),
        Setting(
            "practice.therapist", .line("a word such as \"therapist\"", from: 1, limit: 40, because: "it is one word"),
            \.therapist),
        Setting("practice.locale", locale, \.locale),
        Setting(
            "client.field",
            .list(
                "[[client.field]] tables",
                of: .table("a table", of: fieldRows, needed: ["name"], new: { ClientField() }), 0...50,
                because: "nobody fills in more", twice: "another field with the name of an earlier one",
                isSame: { $0.name == $1.name }),
            \.clientFields),
        Setting("gate.address", gateAddress, \.gate.address),
        Setting("gate.host_key", hostKey, \.gate.hostKey),
        Setting("gate.account", account, \.gate.account),
        Setting("gate.keys_account", account, \.gate.keysAccount),
        Setting("gate.program", gateProgram, \.gate.program),
        Setting(
            "mail.urgent_note",
            .line("a text such as \"In an emergency call 112.\"", limit: 1_000, because: "it is read in a hurry"),
            \.urgentNote),
        Setting("storage.url", server("\"\" for a file of SQLite"), \.server),
        Setting("storage.migration_url", server("\"\" for that of storage.url"), \.migrationServer),
        Setting(
            "storage.nights", .number(1...366, because: "nobody looks for a night of more than a year ago"), \.nights),
        Setting("storage.backups", backupFolder, \.backups),
        Setting(
            "limits.connections", .number(8...16_000, because: "the service may open 16384 files"), \.connections),
        Setting(
            "limits.connections_of_person", .number(4...10_000, because: "a day at work needs a few"),
            \.connectionsOfPerson),
        Setting(
            "limits.calls_of_person", .number(1...10_000, because: "a connection has one at a time"), \.callsOfPerson),
        Setting("limits.page", .number(1...200, because: "every practice gives pages of 200"), \.page),
        Setting(
            "limits.longest_page", .number(200...2_000, because: "programs ask for 200, and nobody reads more"),
            \.longestPage),
    ]

    private static let locale = SettingKind<String>
        .line("a locale of this machine, such as \"es_ES.UTF-8\"", limit: 60, because: "no name is longer")
        .only({ $0.isEmpty || Collation(locale: $0).hasLocale }) { _ in
            "must be a locale of this machine, such as \"es_ES.UTF-8\": `locale -a` lists them."
        }

    private static let gateAddress = SettingKind<String>(
        "an account at a machine, such as \"practice@clinic.example\"", spell: { "\"\($0)\"" },
        readOrNil: { node in node.text.flatMap { $0.isEmpty || GateSettings.isAddress($0) ? $0 : nil } })

    private static let hostKey = SettingKind<String>
        .line("the path of a public key", limit: 500, because: "no path is longer")
        .only({ $0.hasPrefix("/") }) { _ in "must be the path of a public key, from / on." }

    private static let account = SettingKind<String>(
        "the name of an account, such as \"practice\"", spell: { "\"\($0)\"" },
        readOrNil: { node in
            node.text.flatMap { text in
                (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(GateSettings.isPlain) && text.first != "-"
                    ? text : nil
            }
        })

    /// Checked strictly, because sshd and a shell read the path in a line.
    private static let gateProgram = SettingKind<String>(
        "a path of letters, digits, points, hyphens and slashes, such as \"/usr/local/bin/practice-gate\"",
        spell: { "\"\($0)\"" },
        readOrNil: { node in
            node.text.flatMap { text in
                text.utf8.count <= 200 && GateSettings.isPlain(path: text) ? text : nil
            }
        })

    private static func server(_ otherwise: String) -> SettingKind<String> {
        SettingKind<String>(
            "an address of PostgreSQL such as \"postgresql://db.clinic.example/practice\", or \(otherwise)",
            spell: { "\"\($0)\"" },
            readOrNil: { node in
                node.text.flatMap { text in
                    text.isEmpty || ["postgresql://", "postgres://"].contains { text.hasPrefix($0) } ? text : nil
                }
            })
    }

    private static let backupFolder = SettingKind<String?>(
        "the path of a folder, such as \"/srv/practice\", or \"\" for the one beside the database",
        spell: { "\"\($0 ?? "")\"" },
        readOrNil: { node in node.text.flatMap { $0.isEmpty ? .some(nil) : isFolder($0) ? .some($0) : nil } })

    private static func isFolder(_ text: String) -> Bool {
        text.utf8.count <= 1_000 && text.hasPrefix("/")
            && text.split(separator: "/").allSatisfy { $0 != "." && $0 != ".." }
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    private static let fieldRows: [Setting<ClientField>] = [
        Setting("name", fieldName, \.name),
        Setting("label", .line("a text", limit: 100, because: "it stands before the field"), \.label),
        Setting("pattern", fieldPattern, \.pattern),
        Setting("required", .boolean, \.isRequired),
    ]

    private static let fieldName = SettingKind<String>(
        "a name of small letters, digits and underscores, a letter first", spell: { "\"\($0)\"" },
        readOrNil: { node in node.text.flatMap { ClientField.isName($0) ? $0 : nil } }
    )
    // A spreadsheet of clients to import has both as columns.
    .only({ !ImportColumns.clients.names.contains($0) }) { "must not be \($0): every client has that field already." }

    private static let fieldPattern = SettingKind<String>(
        "a regular expression of up to 500 characters, such as \"[0-9]{8}[A-Z]\"", spell: { "\"\($0)\"" },
        readOrNil: { node in node.text.flatMap { ClientField.isPattern($0) ? $0 : nil } })

    private static let currency = SettingKind<String>(
        "three capital letters by ISO 4217, such as \"EUR\"", spell: { "\"\($0)\"" },
        readOrNil: { node in
            node.text.flatMap { text in
                text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
                    ? text : nil
            }
        })

    private static let timeZone = SettingKind<Zone>(
        "a time zone of this machine, such as \"Europe/Berlin\"", spell: { "\"\($0.name)\"" },
        readOrNil: { node in node.text.flatMap { ZoneFiles.zone($0) } })

    /// Reads the settings of a file. Throws its first fault. Without a file, every setting has its default.
    public static func load(_ path: String) throws(SettingsError) -> PracticeSettings {
        try SettingsReader.load(path, rows, defaults: PracticeSettings())
    }

    /// All faults of a file, and the number of those that are too many to be told.
    static func faults(of path: String) -> (told: [SettingsError], more: Int) {
        SettingsReader.faults(of: path, rows, defaults: PracticeSettings())
    }

    /// The names of the settings whose values differ.
    func changes(to other: Self) -> [String] {
        Self.rows.filter { $0.spelled(self) != $0.spelled(other) }.map(\.name)
    }

    static func read(_ text: String, file: String) throws(SettingsError) -> PracticeSettings {
        try SettingsReader.read(text, file: file, rows, defaults: PracticeSettings())
    }
}

extension GateSettings {
    /// True for `practice@clinic.example`, as `daybreak link set-up` takes it; a port may follow.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return text.utf8.count <= 300 && parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.first != "-" && part.utf8.allSatisfy { isPlain($0) || ":[]".utf8.contains($0) }
            }
    }

    /// True if the path can stand in a line that sshd and a shell read.
    static func isPlain(path: String) -> Bool {
        path.first == "/" && path.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "/") }
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "._-".utf8.contains(byte)
    }
}
