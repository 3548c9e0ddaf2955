import Glibc

/// Where things stand, by the XDG base directories (specification 0.8) and `file-hierarchy(7)`.
public struct Paths: Equatable, Sendable {
    public let configuration: String
    public let state: String
    public let runtime: String

    public var configurationFile: String { configuration + "/daybreak.toml" }
    public var scheduleFile: String { configuration + "/tasks.json" }
    public var history: String { state + "/history.db" }
    public var statusFile: String { runtime + "/status.json" }
    public var socket: String { runtime + "/control" }

    public init(configuration: String, state: String, runtime: String) {
        self.configuration = configuration
        self.state = state
        self.runtime = runtime
    }

    /// From the environment of this process. What the system's manager laid out for `daybreakd@.service` comes first
    /// (`CONFIGURATION_DIRECTORY` and its like, `systemd.exec(5)`).
    public static func ofThisUser() -> Paths {
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
        return isOurs(usual) ? usual + "/daybreak" : "/tmp/daybreak-\(geteuid())"
    }

    /// A folder that belongs to this user, and is no link.
    private static func isOurs(_ path: String) -> Bool {
        var seen = stat()
        return lstat(path, &seen) == 0 && seen.st_mode & S_IFMT == S_IFDIR && seen.st_uid == geteuid()
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

/// A folder or a file could not be made as it must be.
public struct PathError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public var description: String { "\(path): \(reason)" }
}

/// Makes the folder and those above it, private to this user (0700), where they are missing.
func makeFolder(_ path: String) throws(PathError) {
    var made = ""
    for part in path.split(separator: "/") {
        made += "/" + part
        if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EROFS, errno != EACCES { throw failure(made) }
    }
}

/// Makes the folder, and makes it private (0700) where it is there. Refuses one that belongs to somebody else, or stands
/// where somebody else could put another in its place.
func makePrivateFolder(_ path: String) throws(PathError) {
    try makeFolder(path)
    let found = try look(at: path)
    guard found.st_mode & S_IFMT == S_IFDIR, found.st_uid == geteuid() else {
        throw PathError(path: path, reason: "It must be a folder of this user's, and no link.")
    }
    let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    try checkHolder(parent.isEmpty ? "/" : String(parent))
    if found.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { throw failure(path) }
}

private func checkHolder(_ path: String) throws(PathError) {
    let found = try look(at: path)
    guard found.st_uid == geteuid() || found.st_uid == 0 else {
        throw PathError(path: path, reason: "It belongs to user \(found.st_uid).")
    }
    guard found.st_mode & 0o022 == 0 || found.st_mode & S_ISVTX != 0 else {
        throw PathError(path: path, reason: "Others may write in it.")
    }
}

private func look(at path: String) throws(PathError) -> stat {
    var found = stat()
    guard lstat(path, &found) == 0 else { throw failure(path) }
    return found
}

private func failure(_ path: String) -> PathError { PathError(path: path, reason: String(cString: strerror(errno))) }
