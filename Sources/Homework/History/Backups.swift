import Glibc

/// The copies that stand beside a history, in the folder `backups`: one of each night, one from before each change of
/// version, and the histories that another one took the place of, with their nights.
public struct Backups {
    /// A week: what went wrong is noticed by then. As many are kept of a history that another one took the place of.
    public static let nightsKept = 7

    private let folder: String

    /// Of the history at that path.
    public init(of history: String) { folder = Place.folder(of: history) + "/backups" }

    /// Where a copy of that name stands, or is to stand: the folder is there then, and nobody else can change it.
    public func path(_ name: String) throws(HistoryError) -> String {
        try Place.makeFolder(folder)
        try checkFolder()
        return "\(folder)/\(name)"
    }

    private func checkFolder() throws(HistoryError) {
        try Place.checkFolder(Place.folder(of: folder))
        try Place.checkIsNoLink(folder)
        try Place.checkFolder(folder)
    }

    /// The nights' copies, the newest last.
    public var nights: [String] { copies(Self.night, among: names) }

    private static let night = "night-"
    private static let replacedNight = "replaced-night-"

    private func copies(_ kind: String, among names: [String]) -> [String] {
        names.filter { $0.hasPrefix(kind) && $0.hasSuffix(".db") }.sorted().map { "\(folder)/\($0)" }
    }

    /// The nights' copies are no beginning of the history that is to come: they go by another name, durably.
    func setNightsAside() throws(HistoryError) {
        let nights = copies(Self.night, among: try listed())
        for path in nights {
            let name = path.dropFirst(folder.count + 1 + Self.night.count)
            try Place.rename(path, to: "\(folder)/\(Self.replacedNight)\(name)")
        }
        if let path = nights.first { try Place.syncFolder(of: path) }
    }

    /// Lets go of the oldest nights, of what was made for somebody who did not fetch it, and of what was never finished.
    public func forgetOld() {
        for kind in [Self.night, Self.replacedNight] {
            for path in copies(kind, among: names).dropLast(Self.nightsKept) { unlink(path) }
        }
        for name in names where Self.isLeftOver(name) { unlink("\(folder)/\(name)") }
    }

    private static func isLeftOver(_ name: String) -> Bool {
        name.hasPrefix("asked-") || name.hasPrefix("restore-") || name.contains(".new")
    }

    /// Every copy is gone, whatever its kind, written over, and no power cut brings one back.
    public func removeAll() throws(HistoryError) {
        guard access(folder, F_OK) == 0 else {
            guard errno == ENOENT else { throw Place.failed("look at the folder", folder) }
            return
        }
        try checkFolder()
        let paths = try listed().map { "\(folder)/\($0)" }
        let remains = Remains()
        for path in paths {
            try remains.take(path)
            guard unlink(path) == 0 || errno == ENOENT else { throw Place.failed("remove", path) }
        }
        if let path = paths.first { try Place.syncFolder(of: path) }
        try remains.overwrite()
    }

    /// As far as they can be read.
    private var names: [String] { (try? listed()) ?? [] }

    private func listed() throws(HistoryError) -> [String] {
        guard let listing = opendir(folder) else {
            guard errno == ENOENT else { throw Place.failed("read the folder", folder) }
            return []
        }
        defer { closedir(listing) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(listing) {
            // In its place, not as a copy: a record is as long as its name (man 3 readdir).
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        // What could not be read is not the end (man 3 readdir).
        guard errno == 0 else { throw Place.failed("read the folder", folder) }
        return names
    }
}
