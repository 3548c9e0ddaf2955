import Companion
import DaybreakInterfaces
import Files
import Glibc

/// The path at which daybreakd listens.
enum DaemonSocket {
    /// `explicit`, else DAYBREAK_SOCKET, else `daybreak/control` in this user's runtime folder. If that folder does not
    /// exist, the socket of the daemon that the system's manager has for this user, which may be stopped.
    /// - Parameter root: stands in front of the system's folders.
    static func path(
        explicit: String?, environment: [String: String], under root: String = ""
    ) throws(Failure) -> String {
        if let path = named(explicit, environment) { return path }
        let own = try runtimeFolder(environment: environment)
        if Folder.owner(of: own) == nil, let service = systemService(under: root) { return service.socket }
        return own + "/control"
    }

    /// The user for whom the system's manager runs the daemon at that path; nil if a user's manager or none runs it.
    static func served(at path: String) -> String? {
        let folder = "/run/daybreak/"
        guard path.hasPrefix(folder) else { return nil }
        let user = path.dropFirst(folder.count).prefix { $0 != "/" }
        return user.isEmpty ? nil : String(user)
    }

    /// True for this user's own daemon and for root's: no other learns a mood. Root may use every user's daemon.
    static func isTrusted(_ user: uid_t, by asker: uid_t) -> Bool { user == asker || user == 0 || asker == 0 }

    static let ownFolderAdvice = "set XDG_RUNTIME_DIR to a folder of your own"

    /// True for the path that is taken where none is named.
    static func isUsual(_ path: String, _ environment: [String: String]) -> Bool {
        let unnamed = environment.filter { $0.key != "DAYBREAK_SOCKET" }
        do throws(Failure) { return try Self.path(explicit: nil, environment: unnamed) == path } catch {
            return false  // The folder where it would be is not ours.
        }
    }

    /// The path that an option or the environment names.
    static func named(_ explicit: String?, _ environment: [String: String]) -> String? {
        guard let path = explicit ?? environment["DAYBREAK_SOCKET"], !path.isEmpty else { return nil }
        return path
    }

    /// Nil if the system's manager has no daemon for this user: root neither installed one, nor made its folder and gave it
    /// to this user.
    private static func systemService(under root: String) -> SystemService? {
        guard let name = getpwuid(geteuid()).map({ String(cString: $0.pointee.pw_name) }) else { return nil }
        let service = SystemService(of: name, under: root)
        let isThere = File.owner(of: service.record) == 0 || Folder.owner(of: service.runtime) == geteuid()
        return isThere ? service : nil
    }

    /// In XDG_RUNTIME_DIR, else in /run/user/UID if this user owns that, else in /tmp. Throws if the folder belongs to
    /// another user, because the daemon there would learn a mood, and anybody can make a folder in /tmp.
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
