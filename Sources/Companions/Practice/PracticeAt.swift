import Companion
import Files
import Glibc
import TOML

/// A practice on another machine, reached through `ssh`.
enum PracticeAt {
    /// `~/.config/practice/companion.toml`, whose one setting is `at`.
    static func settingsFile(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return folder + "/practice/companion.toml"
        }
        return environment["HOME"].map { $0 + "/.config/practice/companion.toml" }
    }

    /// The machine that is named, by the option, the environment, or the settings; nil where none is.
    static func place(_ option: String?, _ environment: [String: String]) throws(Failure) -> String? {
        if let option { return try checked(option, from: "--at") }
        if let variable = environment["PRACTICE_AT"], !variable.isEmpty {
            return try checked(variable, from: "PRACTICE_AT")
        }
        guard let file = settingsFile(environment) else { return nil }
        return try setting(in: file).map { place throws(Failure) in try checked(place, from: file) }
    }

    private struct Settings {
        var at = ""
    }

    private static func setting(in file: String) throws(Failure) -> String? {
        let bytes: [UInt8]
        do {
            guard try File.exists(file) else { return nil }
            bytes = try File.prefix(64 * 1_024, of: file)
        } catch { throw .misused("\(error)") }
        let rows: [Setting<Settings>] = [
            Setting(
                "at",
                .line(
                    "an account at a machine, such as \"practice@clinic.example\"", limit: 300,
                    because: "no name is longer"), \.at)
        ]
        var reader = SettingsReader(rows, values: Settings())
        do { try reader.read(String(decoding: bytes, as: UTF8.self)) } catch {
            throw .misused("\(file):\(error.place.line): \(error.reason)")
        }
        return reader.values.at.isEmpty ? nil : reader.values.at
    }

    /// As `ssh` takes it: no option, and nothing that its configuration would read as several words.
    private static func checked(_ place: String, from source: String) throws(Failure) -> String {
        guard !place.hasPrefix("-"), !place.isEmpty, !place.contains(where: { $0.isWhitespace || $0.isNewline }) else {
            throw .misused("\(source) names an account at a machine, such as practice@clinic.example.")
        }
        return place
    }

    /// One connection carries all calls of a command. Keys, agents, jump hosts and known hosts are the user's own affair.
    static func command(_ place: String) -> [String] {
        [
            "ssh", "-T", "-e", "none", "-o", "ClearAllForwardings=yes", "-o", "ServerAliveInterval=15", "--", place,
            "varlink",
        ]
    }
}
