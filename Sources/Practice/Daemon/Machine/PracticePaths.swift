import Glibc

/// The paths of the practice's files (man 5 systemd.exec, STATE_DIRECTORY and RUNTIME_DIRECTORY).
struct PracticePaths: Sendable {
    static let usualSettings = "/etc/practice/practice.toml"
    /// The paths that `systemd/install --practice` sets up.
    static let usualSocket = "/run/practice/control"

    let settings: String
    let state: String
    let runtime: String

    var database: String { state + "/practice.db" }
    var socket: String { runtime + "/control" }
    var statusFile: String { runtime + "/status.json" }

    /// Nil if the environment does not name the folders.
    static func ofEnvironment(settings: String) -> PracticePaths? {
        guard let state = folder("STATE_DIRECTORY"), let runtime = folder("RUNTIME_DIRECTORY") else { return nil }
        return PracticePaths(settings: settings, state: state, runtime: runtime)
    }

    static var usualDatabase: String { (folder("STATE_DIRECTORY") ?? "/var/lib/practice") + "/practice.db" }

    private static func folder(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
        return value
    }
}
