import Companion
import TOML

/// Finds a practice on another machine, which is reached through `ssh`.
enum RemotePractice {
    /// `~/.config/practice/companion.toml`, whose one setting is `at`.
    static func settingsFile(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return folder + "/practice/companion.toml"
        }
        return environment["HOME"].map { $0 + "/.config/practice/companion.toml" }
    }

    /// The account and machine that the option, the environment or the settings name; nil if none does.
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
        let rows: [Setting<Settings>] = [
            Setting(
                "at",
                .line(
                    "an account at a machine, such as \"practice@clinic.example\"", limit: 300,
                    because: "no name is longer"), \.at)
        ]
        do {
            let at = try SettingsReader.load(file, rows, defaults: Settings()).at
            return at.isEmpty ? nil : at
        } catch { throw .misused(error.description) }
    }

    /// Checks that `ssh` reads the text as one destination: it is no option, and no several words.
    private static func checked(_ place: String, from source: String) throws(Failure) -> String {
        guard !place.hasPrefix("-"), !place.isEmpty, !place.contains(where: { $0.isWhitespace || $0.isNewline }) else {
            throw .misused("\(source) names an account at a machine, such as practice@clinic.example.")
        }
        return place
    }

    /// The `ssh` command that carries a verb's calls. Keys, agents, jump hosts and known hosts are left to the user's
    /// configuration.
    static func command(_ place: String) -> [String] {
        [
            "ssh", "-T", "-e", "none", "-o", "ClearAllForwardings=yes", "-o", "ServerAliveInterval=15", "--", place,
            "varlink",
        ]
    }
}
