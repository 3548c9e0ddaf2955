import Companion
import DaybreakInterfaces
import Glibc

// Other users' daemons, and the files that links lead to.
extension Facts {
    /// Only root can look into the folders of the daemons that the system's own manager runs. Root's own settings do not matter
    /// where nothing was ever installed for root.
    mutating func lookForOthers() {
        guard silence != nil, served == nil, geteuid() == 0, unit?.load != "loaded" else { return }
        others = Self.sockets(in: "/run/daybreak")
        if !others.isEmpty { checked = nil }
    }

    static func sockets(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var users: [String] = []
        while let entry = readdir(listing) {
            // Read in place: a record is as long as its name, and shorter than the type (man 3 readdir).
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { users.append(name) }
        }
        return users.sorted().map { "\(folder)/\($0)/control" }.filter { access($0, F_OK) == 0 }
    }

    /// Follows the links that the daemon cannot follow: this program runs outside of the daemon's sandbox.
    mutating func lookAtLinks(in folder: String) {
        let (settingsPath, schedulePath) = (folder + "/daybreak.toml", folder + "/tasks.json")
        let broken = diagnosis?.brokenLinks ?? []
        if broken.contains(schedulePath) { scheduleLink = Self.link(at: schedulePath) }
        if broken.contains(settingsPath) || silence != nil && isHidden(settingsPath) {
            settingsLink = Self.link(at: settingsPath)
        }
    }

    /// Whether the link leads into a folder that the unit's sandbox hides. With such settings the daemon does not start.
    func isHidden(_ path: String) -> Bool {
        guard let unit, unit.load == "loaded", let folder = Self.link(at: path)?.folder else { return false }
        let hidden = ["/home", "/root", "/run"]
        func covers(_ above: String) -> Bool { folder == above || folder.hasPrefix(above + "/") }
        return hidden.contains(where: covers) && !unit.shown.contains(where: covers)
    }

    static func link(at path: String) -> Link? {
        guard let text = linkTarget(path) else { return nil }
        guard access(path, F_OK) == 0 else { return Link(path: path) }
        let file = text.hasPrefix("/") ? text : folder(of: path) + "/" + text
        // A unit takes no path with `..` in it.
        guard file.split(separator: "/").contains(".."), let real = realpath(folder(of: file), nil) else {
            return Link(path: path, folder: folder(of: file))
        }
        defer { Glibc.free(real) }
        return Link(path: path, folder: String(cString: real))
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
