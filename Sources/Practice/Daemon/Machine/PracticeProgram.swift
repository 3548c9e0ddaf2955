import Files
import Glibc
import PostgreSQL
import PracticeInterfaces
import PracticeStore
import Storage
import Systemd
import TOML
import Unix

/// `practiced` from its arguments to its exit status.
public enum PracticeProgram {
    static let help = """
        usage: practiced [--config FILE]
                         [--demo | --check | --storage | --verify | --move-to PLACE | --version | --help]

        Serves a practice: its staff, its clients and its visitors. Started by systemd as a system
        service (practiced.service), or by hand; it stays in the foreground.

          --config FILE  the settings, /etc/practice/practice.toml unless given
          --demo         in a practice that is made up, let anybody be anybody (`practice --as NAME`)
          --check        say whether the settings are sound: each fault with file, line and reason
          --storage      say what keeps the practice by the settings: "file", or PostgreSQL by a
                         "socket" of this machine or over the "network"
          --verify       read all that is kept, count the sessions anew as the reports do, and say whether
                         it is sound; a daemon that runs is not disturbed
          --move-to PLACE
                         copy all that is kept to PLACE, an address of PostgreSQL or the path of a new file,
                         and compare each row of the two; no daemon may run meanwhile (`practice move`)
          --version      print the version
          --help         print this

        STATE_DIRECTORY keeps practice.db, RUNTIME_DIRECTORY the socket `control` and status.json.
        Without the first, --verify reads /var/lib/practice.
        """

    /// 0 done, 1 refused (bad settings, another daemon), 64 wrong arguments, 70 our fault, 75 the disk or the machine
    /// failed: systemd starts the program again.
    public static func main(_ arguments: [String]) -> Int32 {
        ProgramStart.prepare()
        var words = Array(arguments.dropFirst())
        var (file, isNamed) = (PracticePaths.usualSettings, false)
        if let place = words.firstIndex(of: "--config"), place + 1 < words.count {
            (file, isNamed) = (words[place + 1], true)
            words.removeSubrange(place...place + 1)
        }
        let isAboutItself = ["--version", "--help", "-h"].contains(words.first ?? "")
        // At a start, the journal says that the defaults hold.
        let isStart = words.isEmpty || words == ["--demo"]
        // The defaults in its place may name another database than the one that is meant. Other faults are told where it is read.
        if isNamed, !isStart, !isAboutItself, (try? File.exists(file)) == false {
            Log.practiced.writeLine("\(file) cannot be read: there is no such file")
            return 1
        }
        if words.count == 2, words[0] == "--move-to" { return MoveProgram.run(file, to: words[1]) }
        switch words {
        case []: return run(PracticePaths.ofEnvironment(settings: file), isDemo: false)
        case ["--demo"]: return run(PracticePaths.ofEnvironment(settings: file), isDemo: true)
        case ["--check"]: return check(file)
        case ["--storage"]: return tellStorage(file)
        case ["--verify"]: return verify(file)
        case ["--version"]: return say("practiced \(Product.version)")
        case ["--help"], ["-h"]: return say(help)
        default:
            Log.practiced.writeLine("there is no such argument.\n\(help)")
            return 64
        }
    }

    private static func say(_ text: String) -> Int32 { StandardStreams.print(text) }

    private static func check(_ file: String) -> Int32 {
        let faults = PracticeSettings.faults(of: file)
        for fault in faults.told { Log.practiced.writeLine("\(fault)") }
        if faults.more > 0 { Log.practiced.writeLine("\(file): and \(faults.more) more") }
        guard faults.told.isEmpty else { return 1 }
        do { return say(try File.exists(file) ? "\(file): sound" : without(file)) } catch {
            Log.practiced.writeLine("\(error)")
            return 1
        }
    }

    /// For `install`, which opens the daemon's sandbox so far.
    private static func tellStorage(_ file: String) -> Int32 {
        do {
            let settings = try PracticeSettings.load(file)
            guard !settings.server.isEmpty else { return say("file") }
            let servers = [settings.server, settings.migrationServer].filter { !$0.isEmpty }
            return say(servers.allSatisfy(PostgreSQL.isBySocket) ? "socket" : "network")
        } catch {
            Log.practiced.writeLine("\(error)")
            return 1
        }
    }

    private static func without(_ file: String) -> String {
        "\(file): there is none, so every setting has its default"
    }

    private static func verify(_ file: String) -> Int32 {
        do {
            let server = try PracticeSettings.load(file).server
            guard server.isEmpty else { return verify(server: server) }
        } catch {
            Log.practiced.writeLine("\(error)")
            return 1
        }
        let path = PracticePaths.usualDatabase
        do {
            guard try File.exists(path) else { return say("\(path): there is none") }
            let counts = try Store.verify(path)
            return say("\(path): sound, \(counts.sentence)")
        } catch {
            Log.practiced.writeLine(PracticeStorage.failure(error, .file(path)).reason)
            return 1
        }
    }

    private static func verify(server address: String) -> Int32 {
        do {
            let counts = try Store.verify(server: address)
            return say("storage.url: sound, \(counts.sentence)")
        } catch {
            Log.practiced.writeLine(PracticeStorage.failure(error, .server(address)).reason)
            return 1
        }
    }

    private static func run(_ paths: PracticePaths?, isDemo: Bool) -> Int32 {
        guard let paths else {
            Log.practiced.sayWhyNot(
                "STATE_DIRECTORY and RUNTIME_DIRECTORY must name folders, from / on: systemd sets both")
            return 64
        }
        umask(0o077)
        do {
            try Memory.keepPrivate()
            Memory.keepNothingLarge()
            var settings = try PracticeSettings.load(paths.settings)
            settings.isDemo = isDemo
            if try !File.exists(paths.settings) { Log.practiced.say(.notice, without(paths.settings)) }
            let service = try PracticeService(paths: paths, settings: settings)
            return try service.run()
        } catch {
            Log.practiced.sayWhyNot("\(error)")
            return status(of: error)
        }
    }

    private static func status(of error: any Error) -> Int32 {
        let passing = [EIO, ENOSPC, EDQUOT, EROFS, ENOMEM, EMFILE, ENFILE]
        return switch error {
        case is SQLiteError, is PostgreSQLError: 75
        case let error as FileError where error.number.map { passing.contains($0) } ?? false: 75
        case is SettingsError, is FileError, is SocketError, is StoreError: 1
        default: 70
        }
    }
}
