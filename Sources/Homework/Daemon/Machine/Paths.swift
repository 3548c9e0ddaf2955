import Files
import Glibc

/// Where things stand, by the XDG base directories (specification 0.8) and `file-hierarchy(7)`.
struct Paths: Equatable, Sendable {
    let configuration: String
    let state: String
    let runtime: String

    var configurationFile: String { configuration + "/daybreak.toml" }
    var scheduleFile: String { configuration + "/tasks.json" }
    var history: String { state + "/history.db" }
    var statusFile: String { runtime + "/status.json" }
    var socket: String { runtime + "/control" }

    init(configuration: String, state: String, runtime: String) {
        self.configuration = configuration
        self.state = state
        self.runtime = runtime
    }

    /// From the environment of this process. What the system's manager laid out for `daybreakd@.service` comes first
    /// (`CONFIGURATION_DIRECTORY` and its like, `systemd.exec(5)`).
    static func ofThisUser() -> Paths {
        let home = variable("HOME") ?? homeOfUser
        return Paths(
            configuration: variable("CONFIGURATION_DIRECTORY")
                ?? (variable("XDG_CONFIG_HOME") ?? home + "/.config") + "/daybreak",
            state: variable("STATE_DIRECTORY") ?? (variable("XDG_STATE_HOME") ?? home + "/.local/state") + "/daybreak",
            runtime: variable("RUNTIME_DIRECTORY") ?? runtimeFolder)
    }

    /// Where no login session set one up, a folder of the same meaning: in /run/user's, else one of ours in /tmp.
    private static var runtimeFolder: String {
        if let set = variable("XDG_RUNTIME_DIR") { return set + "/daybreak" }
        let usual = "/run/user/\(geteuid())"
        return Folder.owner(of: usual) == geteuid() ? usual + "/daybreak" : "/tmp/daybreak-\(geteuid())"
    }

    private static var homeOfUser: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    }

    /// An empty variable is an unset one; a relative path is to be ignored (XDG base directories).
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
        return value
    }
}
