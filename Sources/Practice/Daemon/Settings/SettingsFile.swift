import Files
import PracticeRules
import TOML
import Time

extension PracticeSettings {
    /// More than any person writes.
    static let byteLimit = 64 * 1_024

    /// Every setting, a row each, in the order of `Config/practice.toml`.
    static let rows: [Setting<PracticeSettings>] = [
        Setting(
            "practice.name",
            .line("a text such as \"Clinic at the Park\"", limit: 200, because: "it stands on one line"), \.name),
        Setting("practice.time_zone", timeZone, \.zone),
        Setting("practice.currency", currency, \.currency),
        Setting(
            "practice.therapist", .line("a word such as \"therapist\"", limit: 40, because: "it is one word"),
            \.therapist),
        Setting(
            "practice.locale",
            .line("a locale of this machine, such as \"es_ES.UTF-8\"", limit: 60, because: "no name is longer"),
            \.locale),
        Setting(
            "client.field",
            .list(
                "[[client.field]] tables", of: .table("a table", of: fieldRows, new: { ClientField() }), 0...50,
                because: "nobody fills in more", twice: nil),
            \.clientFields),
    ]

    private static let fieldRows: [Setting<ClientField>] = [
        Setting("name", fieldName, \.name),
        Setting("label", .line("a text", limit: 100, because: "it stands before the field"), \.label),
        Setting("pattern", fieldPattern, \.pattern),
        Setting("required", .truth, \.isRequired),
    ]

    private static let fieldName = SettingKind<String>(
        "a name of small letters, digits and underscores, a letter first", spell: { "\"\($0)\"" },
        readOrNil: { node in node.text.flatMap { ClientField.isName($0) ? $0 : nil } })

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

    /// The settings in a file. Throws the first fault in it. Where there is no file, everything has its default.
    public static func load(_ path: String) throws(SettingsError) -> PracticeSettings {
        let bytes: [UInt8]
        do {
            guard try File.exists(path) else { return PracticeSettings() }
            bytes = try File.prefix(byteLimit + 1, of: path)
        } catch {
            throw SettingsError(file: path, line: nil, reason: "\(error)")
        }
        guard bytes.count <= byteLimit else {
            throw SettingsError(file: path, line: nil, reason: "It has more than \(byteLimit) bytes.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError(file: path, line: nil, reason: "It is not UTF-8 text.")
        }
        return try read(text, file: path)
    }

    static func read(_ text: String, file: String) throws(SettingsError) -> PracticeSettings {
        var reader = SettingsReader(rows, values: PracticeSettings())
        do { try reader.read(text) } catch {
            throw SettingsError(file: file, line: error.place.line, reason: error.reason)
        }
        return reader.values
    }
}

/// A fault of the settings.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    public let file: String
    /// Counted from 1; nil where the file as a whole is at fault.
    public let line: Int?
    /// Sentences that name the key and what was expected.
    public let reason: String

    /// `FILE:LINE: reason`.
    public var description: String { line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)" }
}
