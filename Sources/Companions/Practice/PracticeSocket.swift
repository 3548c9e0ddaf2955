import Companion
import Files
import Glibc

/// The path at which practiced listens, and whether the socket there is the practice's.
enum PracticeSocket {
    static let ofMachine = "/run/practice/control"

    /// `explicit`, else PRACTICE_SOCKET, else the machine's; where the machine has none, that of a made-up practice that this
    /// user tries out.
    /// - Parameter isPlay: somebody is played, which is possible in a made-up practice alone.
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

    /// Root and this user are trusted with a client's record. Another user, such as the service's own, is where the socket's
    /// folder is theirs or root's, and nobody else could have put it there: as systemd makes /run/practice.
    static func isTrusted(_ peer: uid_t, at path: String, by asker: uid_t = geteuid()) -> Bool {
        peer == 0 || peer == asker || isKept(Folder.parent(of: path), owners: [0, asker, peer], above: [0, asker])
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
