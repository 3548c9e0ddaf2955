import Glibc

/// The copies of a database, in the folder `backups` beside it. Their names:
///
/// - `night-DAY.db`: one for each night.
/// - `before-version-N.db`: from before a migration.
/// - `replaced-…`: a database that was replaced by another; `replaced-night-DAY.db`: its nights.
/// - `asked-…`: made for a client that fetches it.
/// - `restore-…`: a draft that is to replace the database.
public struct Backups {
    /// A week, because damage is noticed within one. The same number is kept of a replaced database's nights.
    public static let nightsKept = 7

    private static let night = "night-"
    private static let replacedNight = "replaced-night-"

    private let folder: String

    /// The backups of the database at that path.
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

    /// The paths of the nightly copies, the newest last; none where the folder cannot be read.
    public var nights: [String] { copies(Self.night, among: names) }

    private func copies(_ kind: String, among names: [String]) -> [String] {
        names.filter { $0.hasPrefix(kind) && $0.hasSuffix(".db") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Renames the nightly copies, durably, because they do not belong to the database that is about to replace theirs.
    public func setNightsAside() throws(FileError) {
        let nights = copies(Self.night, among: try Folder.names(in: folder))
        for path in nights {
            let name = path.dropFirst(folder.count + 1 + Self.night.count)
            try File.rename(path, to: "\(folder)/\(Self.replacedNight)\(name)")
        }
        if let path = nights.first { try Folder.sync(of: path) }
    }

    /// Removes the oldest nightly copies, copies that nobody fetched, and drafts.
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
        (try? Folder.names(in: folder)) ?? []  // Callers that need the folder report that it cannot be read.
    }
}
