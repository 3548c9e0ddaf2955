import Glibc

/// The copies of a database, in the folder `backups` beside it. Their names:
///
/// - `night-DAY.db`: one for each night.
/// - `before-version-N.db`: from before a migration.
/// - `replaced-DAY-INSTANT.db`: a database that was replaced by another, sometimes with its log, `….db-wal`;
///   `replaced-night-DAY.db`, `replaced-night-DAY-2.db`…: its nightly copies.
/// - `asked-…`: made for a client that fetches it.
/// - `restore-PROCESS`: a draft that is to replace the database, copied by the client with that process number, and its log,
///   `restore-PROCESS.wal`.
///
/// Files with other names, such as `night-before-the-holiday.db`, are not Daybreak's: they are neither counted nor removed.
public struct Backups {
    /// How many nightly copies are kept: a week's, because damage is noticed within a week. As many replaced databases are
    /// kept, and as many of their nightly copies.
    public static let kept = 7
    /// In bytes: a hundred events a day for thirty years take 400 MB as text.
    public static let longestDraft = 512 * 1_024 * 1_024

    private static let night = "night-"
    private static let replaced = "replaced-"
    private static let replacedNight = "replaced-night-"
    private static let draft = "restore-"
    /// The first bytes of an SQLite database ("Database File Format", 1.3), and those of an export.
    private static let beginnings = [Array("SQLite format 3\0".utf8), Array("{".utf8)]

    public let folder: String
    /// How many nights are kept.
    private let nightsKept: Int
    /// Others keep files in the folder, too: only files with the names of nights are removed from it.
    private let isShared: Bool

    /// The backups of the database at that path.
    public init(of database: String) { self.init(in: Folder.parent(of: database) + "/backups") }

    public init(in folder: String, nights: Int = kept, isShared: Bool = false) {
        (self.folder, nightsKept, self.isShared) = (folder, nights, isShared)
    }

    /// Makes the folder, and returns its path. Throws if others may write in it, or if it is a link.
    public func make() throws(FileError) -> String {
        try Folder.make(folder)
        try checkFolder()
        return folder
    }

    /// The path of the copy with this name. Makes the folder.
    public func path(_ name: String) throws(FileError) -> String { "\(try make())/\(name)" }

    private func checkFolder() throws(FileError) {
        try Folder.checkPrivate(Folder.parent(of: folder))
        try Folder.checkNoLink(folder)
        try Folder.checkPrivate(folder)
    }

    /// The path for a database that is about to be replaced: of that instant, or of a later one if a clock that was set back has
    /// come to an instant that has one.
    public func replacedPath(on day: String, at instant: Int64) throws(FileError) -> String {
        let path = try path("\(Self.replaced)\(day)-\(instant).db")
        return try File.exists(path) ? replacedPath(on: day, at: instant + 1) : path
    }

    /// The paths of the nightly copies, the newest last, to be shown; none if the folder cannot be read.
    public var nights: [String] { copies(.night, among: names) }

    /// The path of the newest nightly copy; nil if there is none. Throws if the folder cannot be read.
    public func newestNight() throws(FileError) -> String? { copies(.night, among: try Folder.names(in: folder)).last }

    /// The paths of the databases that were replaced by others, the newest last; none if the folder cannot be read.
    public var replaced: [String] { copies(.replaced, among: names) }

    /// The paths of the copies with these names that may hold more than the database has: ``replaced`` databases, their nightly
    /// copies, and those from before a migration, since another database may have been restored after it.
    public func ofFormerDatabases(among names: [String]) -> [String] {
        [BackupName.Kind.replaced, .replacedNight, .beforeVersion].flatMap { copies($0, among: names) }
    }

    /// The paths of the copies of this database and of those that were replaced. Throws if the folder cannot be read.
    public func ofAnyDatabase() throws(FileError) -> [String] {
        let names = try Folder.names(in: folder)
        return copies(.night, among: names) + ofFormerDatabases(among: names)
    }

    /// True if there are copies of this database or of one that was replaced, or if the folder cannot be read: then there may be.
    public var areLeft: Bool {
        do { return try !ofAnyDatabase().isEmpty } catch { return true }
    }

    /// True if the file is a database that was replaced by another, and is kept.
    public func haveSetAside(_ file: FileIdentity) -> Bool {
        // An unreadable copy counts as another file.
        replaced.contains { (try? FileIdentity(of: $0)) == file }
    }

    func copies(_ kind: BackupName.Kind, among names: [String]) -> [String] {
        names.filter { name in BackupName(name).map { $0.kind == kind && $0.ending.isEmpty } ?? false }
            .sorted().map { "\(folder)/\($0)" }
    }

    /// Renames the nightly copies, durably: they are not copies of the new database. None takes the name of an earlier one, which
    /// may be the last sound copy of another database, but from the seventh of a day on: it replaces the one before it.
    ///
    /// - Parameter renamed: gets each copy's old and new path, also if a later one cannot be renamed.
    public func setNightsAside(_ renamed: inout [(path: String, aside: String)]) throws(FileError) {
        let names = Set(try Folder.names(in: folder))
        for path in copies(.night, among: Array(names)) {
            let day = File.name(in: path).dropFirst(Self.night.count).dropLast(".db".count)
            var (name, number) = ("\(Self.replacedNight)\(day).db", 1)
            while names.contains(name), number < Self.kept {
                number += 1
                name = "\(Self.replacedNight)\(day)-\(number).db"
            }
            try File.rename(path, to: "\(folder)/\(name)")
            renamed.append((path, "\(folder)/\(name)"))
        }
        if let first = renamed.first { try Folder.sync(of: first.path) }
    }

    /// Gives the nightly copies their names again, because the database was not replaced. One that cannot be renamed stays aside.
    public static func bringBack(_ nights: [(path: String, aside: String)]) {
        for night in nights { rename(night.aside, night.path) }
    }

    private var names: [String] {
        (try? Folder.names(in: folder)) ?? []  // Callers that need the folder report that it cannot be read.
    }
}

// A file that is to replace the database.
extension Backups {
    /// Copies the file, and the log beside it, into a draft, and returns the draft's name; `-` is standard input, which may be a
    /// pipe. Throws if it does not begin as a backup or an export does, is too large, is neither a regular file nor standard
    /// input, or is written meanwhile. Removes the drafts of clients that were killed.
    public func makeDraft(of file: String) throws(FileError) -> String {
        let name = "\(Self.draft)\(getpid())"
        let copy = try path(name)
        try removeDraftsOfEndedClients()
        removeDraft(name)
        do {
            if file == "-" { try Self.copyInput(to: copy) } else { try Self.copyWithLog(file, to: copy) }
        } catch {
            removeDraft(name)
            throw error
        }
        return name
    }

    /// Removes the drafts of clients that were killed. A file that cannot be removed is left.
    private func removeDraftsOfEndedClients() throws(FileError) {
        for name in try Folder.names(in: folder) where BackupName(name)?.kind == .draft {
            let digits = name.dropFirst(Self.draft.count).prefix { $0.isASCII && $0.isNumber }
            guard let process = pid_t(digits), kill(process, 0) != 0, errno == ESRCH else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// Removes a draft and its log. A file that cannot be removed is left for the next night.
    public func removeDraft(_ name: String) {
        for ending in ["", Self.draftsLog] { unlink("\(folder)/\(name)\(ending)") }
    }

    /// The ending of a draft's log. It is not SQLite's, so that a log that an interrupted restore left there is not taken for it.
    public static let draftsLog = ".wal"

    /// A database that was kept with its log is not whole without it.
    private static func copyWithLog(_ file: String, to copy: String) throws(FileError) {
        let log = (File.resolved(file) ?? file) + "-wal"
        let before = [try FileStamp(of: file), try FileStamp(of: log)]
        try Self.copy(file, to: copy)
        let size = try File.size(of: log)
        guard size <= longestDraft else { throw tooLarge(log) }
        if size > 0 { try File.copy(log, to: copy + draftsLog) }
        guard [try FileStamp(of: file), try FileStamp(of: log)] == before else {
            throw FileError(file, "The file \(file) was written meanwhile: make a backup of it, and restore that")
        }
    }

    private static func copy(_ file: String, to copy: String) throws(FileError) {
        let input = try File.openToRead(file, followingLinks: true)
        defer { close(input) }
        try check(try File.read(from: input, named: file, atMost: beginning) ?? [], of: file)
        let size = lseek(input, 0, SEEK_END)
        guard size >= 0, lseek(input, 0, SEEK_SET) == 0 else { throw .failed("read", file) }
        guard size <= longestDraft else { throw tooLarge(file) }
        try File.copy(input, named: file, to: copy)
    }

    /// A pipe can be read only once, so its first bytes are checked as soon as they are there.
    private static func copyInput(to copy: String) throws(FileError) {
        let output = try NewFile(at: copy)
        var start: [UInt8] = []
        var size = 0
        while let bytes = try File.read(from: STDIN_FILENO, named: "-") {
            let isChecked = start.count >= beginning
            start += bytes.prefix(beginning - start.count)
            if !isChecked, start.count >= beginning { try check(start[...], of: "-") }
            size += bytes.count
            guard size <= longestDraft else { throw tooLarge("-") }
            try output.write(bytes)
        }
        try check(start[...], of: "-")
    }

    /// How many bytes are looked at before a file is copied.
    private static let beginning = 16

    private static func check(_ first: ArraySlice<UInt8>, of path: String) throws(FileError) {
        guard beginnings.contains(where: { first.starts(with: $0) }) else {
            throw FileError(path, "The file \(path) is no history: it begins neither as a backup nor as an export")
        }
    }

    private static func tooLarge(_ path: String) -> FileError {
        FileError(path, "The file \(path) is larger than \(longestDraft >> 20) MB, and no history is")
    }
}

// Copies that are no longer needed.
extension Backups {
    /// Removes the oldest nightly copies and replaced databases, copies that nobody fetched, and drafts that replaced nothing.
    ///
    /// - Parameters:
    ///   - today: the night that was just made. Nights of later days were made while the clock was wrong, or it is wrong now:
    ///     they are removed first, so that the newest copy is always kept.
    ///   - now: when that night was written, in microseconds since 1970.
    public func removeOld(on today: String? = nil, at now: Int64) {
        for (kind, prefix) in [(BackupName.Kind.night, Self.night), (.replacedNight, Self.replacedNight)] {
            let all = copies(kind, among: names)
            let later = all.filter { path in today.map { path > "\(folder)/\(prefix)\($0).db" } ?? false }
            for path in (later + all.dropLast(later.count)).dropLast(nightsKept) { unlink(path) }
        }
        if !isShared { removeOldReplaced() }
        for name in names where isLeftOver(name, at: now) && isRemovable(name) { unlink("\(folder)/\(name)") }
    }

    /// Removes the drafts that were to replace the database.
    public func removeDrafts() {
        for name in names where BackupName(name)?.kind == .draft && isRemovable(name) { unlink("\(folder)/\(name)") }
    }

    /// Removes the oldest replaced databases, with their logs. The first of a day goes last: who tries one backup after the other
    /// wants the database back with which the day began.
    ///
    /// - Parameter newest: the database that was just replaced. If the clock was wrong, its name may be the oldest.
    public func removeOldReplaced(keeping newest: String? = nil) {
        var others = replaced.filter { $0 != newest }
        while others.count > (newest == nil ? Self.kept : Self.kept - 1) {
            let later = others.indices.dropFirst().first { Self.day(others[$0]) == Self.day(others[$0 - 1]) }
            let path = others.remove(at: later ?? 0)
            for suffix in ["", "-wal"] { unlink(path + suffix) }
        }
    }

    private static func day(_ path: String) -> Substring {
        File.name(in: path).dropFirst(replaced.count).prefix("2027-03-05".count)
    }

    private func isLeftOver(_ name: String, at now: Int64) -> Bool {
        guard let own = BackupName(name) else { return false }
        guard [.asked, .draft].contains(own.kind) else { return own.ending.hasPrefix(".new") }
        // A file that cannot be looked at may be in use.
        guard let written = try? File.written("\(folder)/\(name)") else { return false }
        return written < now - Self.longestUse
    }

    /// In microseconds: how long a client may take from the last byte of a draft or a copy to its use. A client whose restore
    /// waits behind other work takes minutes. The daemon cannot ask for the client's process, which its sandbox may hide.
    private static let longestUse: Int64 = 3_600_000_000

    /// Throws if a copy is a link, or no file: its content could not be overwritten.
    public func checkErasable() throws(FileError) { _ = try erasable() }

    /// The names of all copies. Throws as ``checkErasable()``, or if the folder cannot be read.
    public func erasable() throws(FileError) -> [String] {
        guard try exist() else { return [] }
        let names = try Folder.names(in: folder).filter(isRemovable).sorted()
        for name in names { try RemovedFiles.check("\(folder)/\(name)") }
        return names
    }

    /// Removes every copy, as ``removeAll(_:except:)``. Throws, and removes nothing, if a copy is a link, or no file.
    @discardableResult public func removeAll() throws(FileError) -> [String] { try removeAll(try erasable()) }

    /// Removes the copies with these names but those at the paths `kept`, durably, and overwrites their bytes. Returns the removed
    /// names.
    ///
    /// - Parameter names: from the list by which the kept ones were chosen. In a later list there may be a copy that nobody has
    ///   looked at.
    @discardableResult public func removeAll(
        _ names: [String], except kept: Set<String> = []
    ) throws(FileError) -> [String] {
        let names = names.filter { !kept.contains("\(folder)/\($0)") }
        let paths = names.map { "\(folder)/\($0)" }
        let removed = RemovedFiles()
        for path in paths {
            try removed.add(path)
            try File.remove(path)
        }
        if let path = paths.first { try Folder.sync(of: path) }
        try removed.overwrite()
        return names
    }

    private func isRemovable(_ name: String) -> Bool {
        guard let own = BackupName(name) else { return false }
        guard isShared else { return true }
        return [.night, .replacedNight].contains(own.kind) && ["", ".new"].contains(own.ending)
    }

    /// True if there is a folder of copies. Throws if others may write in it, or a link has its name.
    func exist() throws(FileError) -> Bool {
        guard try File.exists(folder) else { return false }
        try checkFolder()
        return true
    }
}
