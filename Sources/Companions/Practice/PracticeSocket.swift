import Companion
import Files
import Glibc

/// The path at which practiced listens, and the check of the socket's owner.
enum PracticeSocket {
    static let ofMachine = "/run/practice/control"

    /// `explicit`, else PRACTICE_SOCKET, else the machine's socket. If the machine has none, the socket of the user's own
    /// made-up practice.
    /// - Parameter isPlay: true if the user acts as a person of a made-up practice.
    static func path(
        explicit: String?, environment: [String: String], isPlay: Bool = false, ofMachine: String = ofMachine
    ) -> String {
        if let path = explicit ?? environment["PRACTICE_SOCKET"], !path.isEmpty { return path }
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            let own = runtime + "/practice-demo/control"
            if isPlay || access(ofMachine, F_OK) != 0, access(own, F_OK) == 0 { return own }
        }
        return ofMachine
    }

    /// True if the socket's owner may see a client's record: root, this user, or a user whose socket lies in a folder that
    /// is theirs or root's and that nobody else can write, such as systemd's /run/practice.
    static func isTrusted(_ peer: uid_t, at path: String, by caller: uid_t = geteuid()) -> Bool {
        peer == 0 || peer == caller || isKept(Folder.parent(of: path), owners: [0, caller, peer], above: [0, caller])
    }

    private static func isKept(_ folder: String, owners: Set<uid_t>, above: Set<uid_t>) -> Bool {
        guard let real = realpath(folder, nil) else { return false }
        defer { free(real) }
        var (place, owners) = (String(cString: real), owners)
        while true {
            var found = stat()
            guard stat(place, &found) == 0, owners.contains(found.st_uid), found.st_mode & 0o022 == 0 else {
                return false
            }
            if place == "/" { return true }
            (place, owners) = (Folder.parent(of: place), above)
        }
    }
}
