import DaybreakInterfaces
import Files
import Glibc

/// The daemon's folders and files, by the XDG base directories (specification 0.8) and `file-hierarchy(7)`.
struct Paths: Equatable, Sendable {
    let configuration: String
    let state: String
    let runtime: String

    var configurationFile: String { configuration + "/daybreak.toml" }
    var scheduleFile: String { configuration + "/tasks.json" }
    var history: String { state + "/history.db" }
    var statusFile: String { runtime + "/status.json" }
    var socket: String { runtime + "/control" }

    /// The names of what others find in the runtime folder.
    var shown: [String] { [statusFile, socket].map(File.name) }

    init(configuration: String, state: String, runtime: String) {
        self.configuration = configuration
        self.state = state
        self.runtime = runtime
    }

    /// From the environment of this process. The folders that the system's manager made for `daybreakd@.service` come first
    /// (`CONFIGURATION_DIRECTORY` and the like, `systemd.exec(5)`). A user for whom root installed that service, and who has
    /// no daemon of their own, has the same folders if they run this program by hand.
    /// - Parameter root: stands in front of the service's folders.
    static func ofThisUser(under root: String = "") throws(FileError) -> Paths {
        let home = variable("HOME") ?? homeOfUser
        let service = systemService(under: root)
        return Paths(
            configuration: try folder("CONFIGURATION_DIRECTORY") ?? service?.configuration
                ?? (variable("XDG_CONFIG_HOME") ?? home + "/.config") + "/daybreak",
            state: try folder("STATE_DIRECTORY") ?? service?.state
                ?? (variable("XDG_STATE_HOME") ?? home + "/.local/state") + "/daybreak",
            runtime: try folder("RUNTIME_DIRECTORY") ?? service?.runtime ?? runtimeFolder)
    }

    private static func systemService(under root: String) -> SystemService? {
        guard Folder.owner(of: runtimeFolder) == nil,
            let name = getpwuid(geteuid()).map({ String(cString: $0.pointee.pw_name) })
        else { return nil }
        let service = SystemService(of: name, under: root)
        return File.owner(of: service.record) == 0 ? service : nil
    }

    /// In `XDG_RUNTIME_DIR`. If no login session has set it, in /run/user/UID, else in /tmp.
    private static var runtimeFolder: String {
        if let set = variable("XDG_RUNTIME_DIR") { return set + "/daybreak" }
        let usual = "/run/user/\(geteuid())"
        return Folder.owner(of: usual) == geteuid() ? usual + "/daybreak" : "/tmp/daybreak-\(geteuid())"
    }

    private static var homeOfUser: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    }

    /// Throws if the path is relative: somebody wrote it by hand, and other folders would be used without a word.
    private static func folder(_ name: String) throws(FileError) -> String? {
        let path = getenv(name).map { String(cString: $0) } ?? ""
        guard path.isEmpty || path.hasPrefix("/") else {
            throw FileError(path, "\(name) is \(path), and must name a folder from / on")
        }
        return path.isEmpty ? nil : path
    }

    /// An empty variable counts as unset; a relative path is ignored (XDG base directories).
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
        return value
    }
}
