import Companion
import Files
import Glibc

/// The path at which daybreakd listens.
enum DaemonSocket {
    /// `explicit`, else DAYBREAK_SOCKET, else `daybreak/control` in this user's runtime folder, else what the system's
    /// own manager has for this user (`daybreakd@.service`).
    static func path(
        explicit: String?, environment: [String: String], system: String = "/run/daybreak"
    ) throws(Failure) -> String {
        if let path = named(explicit, environment) { return path }
        let own = try runtimeFolder(environment: environment)
        if Folder.owner(of: own) == nil, let served = systemFolder(in: system) { return served + "/control" }
        return own + "/control"
    }

    /// The user whom the system's own manager serves at that path; nil where it is a user's manager, or none.
    static func served(at path: String) -> String? {
        let folder = "/run/daybreak/"
        guard path.hasPrefix(folder) else { return nil }
        let user = path.dropFirst(folder.count).prefix { $0 != "/" }
        return user.isEmpty ? nil : String(user)
    }

    /// A daemon of this user's or root's is trusted with a mood, no other. Root speaks to everybody's daemon.
    static func isTrusted(_ user: uid_t, by asker: uid_t) -> Bool { user == asker || user == 0 || asker == 0 }

    static let ownFolderAdvice = "set XDG_RUNTIME_DIR to a folder of your own"

    /// The path that an option or the environment names.
    static func named(_ explicit: String?, _ environment: [String: String]) -> String? {
        guard let path = explicit ?? environment["DAYBREAK_SOCKET"], !path.isEmpty else { return nil }
        return path
    }

    /// A folder that root made and gave to this user.
    private static func systemFolder(in folder: String) -> String? {
        guard let name = getpwuid(geteuid()).map({ String(cString: $0.pointee.pw_name) }) else { return nil }
        let served = "\(folder)/\(name)"
        return Folder.owner(of: served) == geteuid() ? served : nil
    }

    /// In XDG_RUNTIME_DIR, else in /run/user/UID where that is ours, else a folder in /tmp, which must be ours too:
    /// anybody may make one there. Another user's folder is refused: a mood is for one's own daemon.
    private static func runtimeFolder(environment: [String: String]) throws(Failure) -> String {
        let user = geteuid()
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            let own = runtime + "/daybreak"
            for folder in [runtime, own] {
                if let owner = Folder.owner(of: folder), owner != user, owner != 0 {
                    throw .notOurs(folder, advice: ownFolderAdvice)
                }
            }
            return own
        }
        if Folder.owner(of: "/run/user/\(user)") == user { return "/run/user/\(user)/daybreak" }
        let fallback = "/tmp/daybreak-\(user)"
        if let owner = Folder.owner(of: fallback), owner != user {
            throw .notOurs(fallback, advice: ownFolderAdvice)
        }
        return fallback
    }
}
