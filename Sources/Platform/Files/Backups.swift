import Glibc

/// The copies that stand beside a database, in the folder `backups`.
///
/// By name: `night-DAY.db`, one for each night; `before-version-N.db`, from before a migration; `replaced-…`, a database in
/// whose place another was put, and its nights, `replaced-night-DAY.db`; `asked-…`, made for somebody who fetches it;
/// `restore-…`, to be put in the database's place.
public struct Backups {
    /// A week: damage is noticed by then. As many nights are kept of a database that was replaced.
    public static let nightsKept = 7

    private static let night = "night-"
    private static let replacedNight = "replaced-night-"

    private let folder: String

    /// Of the database at that path.
    public init(of database: String) { folder = Folder.parent(of: database) + "/backups" }

    /// The path of a copy of that name. Makes the folder, and throws where others may write in it.
    public func path(_ name: String) throws(FileError) -> String {
        try Folder.make(folder)
        try checkFolder()
        return "\(folder)/\(name)"
    }

    private func checkFolder() throws(FileError) {
        try Folder.checkPrivate(Folder.parent(of: folder))
        try Folder.checkNoLink(folder)
        try Folder.checkPrivate(folder)
    }

    /// The paths of the nights' copies, the newest last; none where the folder cannot be read.
    public var nights: [String] { copies(Self.night, among: names) }

    private func copies(_ kind: String, among names: [String]) -> [String] {
        names.filter { $0.hasPrefix(kind) && $0.hasSuffix(".db") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Renames the nights' copies, durably: they are no beginning of the database that is about to replace theirs.
    public func setNightsAside() throws(FileError) {
        let nights = copies(Self.night, among: try Folder.names(in: folder))
        for path in nights {
            let name = path.dropFirst(folder.count + 1 + Self.night.count)
            try File.rename(path, to: "\(folder)/\(Self.replacedNight)\(name)")
        }
        if let path = nights.first { try Folder.sync(of: path) }
    }

    /// Removes the oldest nights, copies that nobody fetched, and drafts.
    public func removeOld() {
        for kind in [Self.night, Self.replacedNight] {
            for path in copies(kind, among: names).dropLast(Self.nightsKept) { unlink(path) }
        }
        for name in names where Self.isLeftOver(name) { unlink("\(folder)/\(name)") }
    }

    private static func isLeftOver(_ name: String) -> Bool {
        name.hasPrefix("asked-") || name.hasPrefix("restore-") || name.contains(".new")
    }

    /// Removes every copy, durably, and overwrites them all.
    public func removeAll() throws(FileError) {
        guard try File.exists(folder) else { return }
        try checkFolder()
        let paths = try Folder.names(in: folder).map { "\(folder)/\($0)" }
        let removed = RemovedFiles()
        for path in paths {
            try removed.add(path)
            guard unlink(path) == 0 || errno == ENOENT else { throw .failed("remove", path) }
        }
        if let path = paths.first { try Folder.sync(of: path) }
        try removed.overwrite()
    }

    private var names: [String] {
        (try? Folder.names(in: folder)) ?? []  // A folder that cannot be read is told by those who must know.
    }
}
