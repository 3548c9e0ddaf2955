internal import ArgumentParser
import Companion
import Files
import Glibc
import JSON
import PracticeInterfaces
import StaffInterfaces
import Varlink

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "backup",
        abstract: "Copy all of the practice into FILE, as it is now; without FILE, make this night's.",
        discussion: "The file holds every record: keep it as you keep the practice's keys.")

    @Argument(help: "A file that does not exist yet; - is standard output.") var file: String?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard file == "-", isatty(STDOUT_FILENO) == 1 else { return }
        throw ValidationError("A backup is no text for a terminal: name a file, or send it through a pipe.")
    }

    func run() throws {
        let connection = try daemon.connection()
        guard let file else {
            return try daemon.ask(Upkeep.BackUpNight(), over: connection) { reply in
                "The backup of this night is made. The daemon does so by itself, and keeps "
                    + "\(reply.kept.map { $0 == 1 ? "the last one" : "the last \($0)" } ?? "some").\n"
            }
        }
        guard file != "-" else {
            return try Self.fetch(try connection.call(Upkeep.Backup()), over: connection) { Streams.output($0) }
        }
        try PrivateFile.checkFree(file)
        let made = try connection.call(Upkeep.Backup())
        try PrivateFile.write(to: file) { draft throws(Failure) in
            try Self.fetch(made, over: connection) { piece throws(Failure) in try draft.append(piece[...]) }
        }
        if daemon.json { return Streams.output(object: made) }
        Streams.output(
            "All of the practice is in \(file.shown), readable by you alone. `practice restore` brings it back.\n")
    }

    private static func fetch(
        _ made: Upkeep.Backup.Reply, over connection: DaemonConnection, _ take: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let bar = ProgressBar("Fetching", of: made.bytes)
        defer { bar.end() }
        var next: Int? = 0
        while let offset = next {
            let reply = try connection.call(Upkeep.ReadBackup(backup: made.backup, offset: offset))
            guard let piece = Base64.decode(reply.piece) else {
                throw .notUnderstood("a piece of the backup", from: .practiced)
            }
            try take(piece)
            next = reply.next
            bar.show(offset + piece.count)
        }
    }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "restore",
        abstract: "Put a backup in the place of all that the practice has; the database before is kept.",
        discussion:
            "The practice then has nothing that was recorded after the backup. The file is checked first; if it is not "
            + "sound, nothing is replaced.")

    @Argument(help: "A file that `practice backup` wrote, or one of the nights.") var file: String
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let size: Int
        do {
            size = try File.size(of: file)
            guard try File.size(of: file + "-wal") == 0 else { throw hasLog }
        } catch let error as FileError {
            throw Failure.refused("Unreadable", saying: "\(error).")
        }
        let name = try lay(size, over: connection)
        let reply = try connection.reply(to: Upkeep.Restore(restore: name))
        if let doubt = Self.doubt(reply) { throw doubt }
        try daemon.answer(reply, of: Upkeep.Restore.self, over: connection) { Self.text($0) }
    }

    /// The failure of a restore that took place all the same; nil for any other reply.
    static func doubt(_ reply: Reply) -> Failure? {
        guard let error = reply.decodeError(Practice.StorageUnavailable.self), error.inDoubt == true else { return nil }
        return Failure(
            refusal: reply,
            saying: "\(Wording.sentence(error.reason)) `practice doctor` says more: ask it before you restore again.")
    }

    static func text(_ reply: Upkeep.Restore.Reply) -> String {
        let before =
            reply.kept.isEmpty ? "No database was there before" : "The database before is kept as \(reply.kept.shown)"
        let restored =
            "The practice is restored: \(reply.staff) staff, \(Wording.counted(reply.clients, "client")), "
            + "\(Wording.counted(reply.sessions, "session")). \(before).\n"
        let ended =
            back(reply.returned ?? []) + atWork(reply.returnedStaff ?? []) + invitationsAndKeys(reply.removedKeys ?? 0)
        return restored + strange(reply) + ended + (reply.unknown == true ? unknown : "")
    }

    /// A line about a database that could not be asked for all that had ended since the backup was made.
    private static let unknown =
        "The database before could not be read, or not everywhere: keys that were taken away since the backup, records that were "
        + "erased and staff who had left may be back. Look at `practice keys --of NAME`, `practice clients` and "
        + "`practice staff`.\n"

    /// A line about a backup that is not of the practice that was here.
    private static func strange(_ reply: Upkeep.Restore.Reply) -> String {
        let isAnother = reply.another ?? false
        guard isAnother || reply.madeUp ?? false else { return "" }
        let facts = [
            isAnother ? "of another practice than the one that was here" : nil,
            reply.madeUp ?? false ? "made up: nobody in it is real" : nil,
        ]
        let advice = reply.kept.isEmpty ? "" : " If that is not meant, restore \(reply.kept.shown)."
        return "The backup is \(facts.compactMap { $0 }.joined(separator: ", and ")).\(advice)\n"
    }

    /// A line about the records that were erased since the backup was made.
    private static func back(_ numbers: [Int]) -> String {
        guard !numbers.isEmpty else { return "" }
        let named = numbers.map { "No. \($0)" }.joined(separator: ", ")
        return "\(numbers.count == 1 ? "A record that was" : "Records that were") erased since the backup "
            + "\(numbers.count == 1 ? "is" : "are") back: \(named). `practice client erase` erases again.\n"
    }

    /// A line about the staff who had left since the backup was made.
    private static func atWork(_ staff: [String]) -> String {
        guard !staff.isEmpty else { return "" }
        return
            "\(staff.count == 1 ? "One who" : "Some who") left since the backup \(staff.count == 1 ? "is" : "are") at work again: "
            + "\(staff.map(\.shown).joined(separator: ", ")). `practice staff retire` ends that.\n"
    }

    private static func invitationsAndKeys(_ keys: Int) -> String {
        let taken =
            keys == 0
            ? ""
            : " \(Wording.counted(keys, "key")) of it \(keys == 1 ? "was" : "were") taken away since, and stay\(keys == 1 ? "s" : "") away."
        return "Invitations are over: invite anew.\(taken)\n"
    }

    /// A database is not whole without its log, and only one file is handed over.
    private var hasLog: Failure {
        .refused(
            "HasLog",
            saying: "Nothing was replaced. \(file.shown)-wal stands beside the file, with changes that are not in it. "
                + "`sqlite3 \(File.quoted(file.shown)) '.backup whole.db'` makes a file that has them.")
    }

    private func lay(_ size: Int, over connection: DaemonConnection) throws -> String {
        let input: Int32
        do { input = try File.openToRead(file, followingLinks: true) } catch {
            throw Failure.refused("Unreadable", saying: "Nothing was replaced. \(error.description.shown).")
        }
        defer { close(input) }
        let bar = ProgressBar("Handing over", of: size)
        var name: String?
        var offset = 0
        while let piece = try File.read(from: input, named: file, atMost: 256 * 1_024) {
            let reply = try connection.call(
                Upkeep.UploadRestore(
                    restore: name, offset: offset, piece: Base64.encode(Array(piece)), size: name == nil ? size : nil))
            (name, offset) = (reply.restore, reply.bytes)
            bar.show(offset)
        }
        bar.end()
        guard let name else { throw Failure.refused("Empty", saying: "\(file.shown) is empty.") }
        return name
    }
}
