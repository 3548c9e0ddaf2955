import Files
import Glibc
import PostgreSQL
import PracticeStore
import Storage
import Systemd
import TOML

/// `practiced --move-to`: copies the practice whole to another database.
enum MoveProgram {
    /// - Parameter target: an address of PostgreSQL, or the path of a new file.
    static func run(_ file: String, to target: String) -> Int32 {
        do {
            let settings = try PracticeSettings.load(file)
            let database = PracticePaths.usualDatabase
            try becomeOwner(of: Folder.parent(of: database))
            umask(0o077)
            // A daemon of this machine has it, whatever keeps the practice.
            let lock = try FileLock(
                database + ".lock",
                refusal: "A practiced runs here: stop it first, with `systemctl stop practiced.socket practiced`")
            let isServer = ["postgresql://", "postgres://"].contains { target.hasPrefix($0) }
            let from: Move.Place =
                settings.server.isEmpty
                ? .file(database) : .server(settings.server, migration: settings.migrationServer)
            let to: Move.Place =
                isServer
                ? .server(target, migration: settings.server.isEmpty ? settings.migrationServer : "") : .file(target)
            let counts = try Move(from: from, to: to, onProgress: progress()).run()
            withExtendedLifetime(lock) {}
            return StandardStreams.print(said(counts, target, isServer, file))
        } catch let error as PostgreSQLError where error.mayHaveCommitted {
            Log.practiced.writeLine(
                "the connection was lost at the very end, and the practice may have been moved: look into the target, and "
                    + "empty it before another attempt. \(sentence(error))")
            return 75
        } catch MoveError.notDurable(let path, let reason) {
            Log.practiced.writeLine("\(MoveError.notDurable(path, reason)).")
            return 75
        } catch {
            Log.practiced.writeLine("nothing was moved. \(sentence(error))")
            return error is SQLiteError || error is PostgreSQLError ? 75 : 1
        }
    }

    /// Root becomes the user whom the folder belongs to, so that all files have one owner, and a server knows that user.
    private static func becomeOwner(of folder: String) throws {
        guard geteuid() == 0, let owner = Folder.owner(of: folder), owner != 0, let name = Account.name(of: owner)
        else { return }
        guard let group = Account.group(of: owner), initgroups(name, group) == 0, setgid(group) == 0,
            setuid(owner) == 0
        else { throw FileError.failed("use as its owner", folder) }
    }

    /// Prints each percent once.
    private static func progress() -> (Int, Int) -> Void {
        var last = -1
        return { done, all in
            let percent = done * 100 / max(1, all)
            guard percent > last else { return }
            last = percent
            _ = StandardStreams.print("\(percent) %")
        }
    }

    private static func said(_ counts: Counts, _ target: String, _ isServer: Bool, _ file: String) -> String {
        let next =
            isServer
            ? "Write it as `url` under [storage] in \(file) before practiced is started again"
            : target == PracticePaths.usualDatabase
                ? "Write url = \"\" under [storage] in \(file) before practiced is started again"
                : "Let it become \(PracticePaths.usualDatabase), and write url = \"\" under [storage] in \(file), before "
                    + "practiced is started again"
        return """
            Moved: \(counts.staff) staff, \(counts.sentence). \
            Each row is the same in both.
            \(next): until then it uses the old one, which is as it was.\(isServer ? oldFiles : "")
            """
    }

    private static let oldFiles =
        "\nRemove \(PracticePaths.usualDatabase) and its backups once the new one is in use: what is erased there stays in them."

    private static func sentence(_ error: any Error) -> String {
        switch error {
        // Before anybody is let in, the server's words tell nothing of people.
        case let error as PostgreSQLError where error.state.isEmpty:
            error.message.split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ")
        case let error as PostgreSQLError: "PostgreSQL refuses it (its error \(error.state))."
        case let error as SQLiteError: "SQLite refuses it (its error \(error.extendedCode))."
        default: "\(error)."
        }
    }
}

extension Counts {
    /// "2 clients, 1 session".
    var sentence: String {
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        return "\(counted(openClients + closedClients, "client")), \(counted(sessions, "session"))"
    }
}
