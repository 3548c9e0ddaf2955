import DaybreakInterfaces
import Files
import Glibc
import HomeworkHistory
import HomeworkRules
import JSON
import Systemd
import Time
import Unix
import Varlink

/// `daybreakd` from its arguments to its exit status.
public enum Program {
    static let help = """
        usage: daybreakd [--check | --verify | --restore FILE | --simulate [OPTION VALUE]… | --version | --help]

        Gives a therapy client their homework, one day at a time. Started by systemd as a user
        service (daybreakd.service), or by hand; it stays in the foreground.

          --check     say whether configuration and schedule are sound, with file, line and reason
          --verify    read all that was recorded, and say whether it is sound; a daemon that
                      runs is not disturbed. The status is 2 if only an index is not, which a
                      daemon makes anew before its next nightly copy
          --restore FILE
                      put a backup or an export in the history's place, where no daemon runs, and
                      keep the history that was there; `daybreak restore` does so by itself
          --simulate  print what is to come as JSON; `daybreak simulate` takes the same options,
                      and tells it to people
          --version   print the version
          --help      print this

        Its settings and schedule are in ~/.config/daybreak, its history in ~/.local/state/daybreak, its
        socket and status in $XDG_RUNTIME_DIR/daybreak; XDG_CONFIG_HOME and XDG_STATE_HOME move them.
        CONFIGURATION_DIRECTORY, STATE_DIRECTORY and RUNTIME_DIRECTORY, each a folder from / on, come first.
        `daybreak --socket FILE`, or DAYBREAK_SOCKET, names a socket that is elsewhere.
        """

    /// 0 done, 1 refused (a bad configuration, another daemon), 64 wrong arguments, 70 our fault.
    public static func main(_ arguments: [String]) -> Int32 {
        ProgramStart.prepare()
        if arguments.dropFirst().first == "--simulate" { return inFolders { simulate(arguments.dropFirst(2), $0) } }
        switch arguments.dropFirst() {
        case []: return run()
        case ["--check"]: return inFolders(check)
        case let words where words.count == 2 && words.first == "--check-schedule":
            return inFolders { checkSchedule(words[words.endIndex - 1], $0) }
        case ["--verify"]: return inFolders(verify)
        case let words where words.count == 2 && words.first == "--restore":
            return inFolders { restore(words[words.endIndex - 1], $0) }
        case ["--restore"], ["--check-schedule"]:
            StandardError.write("daybreakd: \(arguments[1]) needs a FILE.\n\(help)")
            return 64
        case ["--version"]: return StandardStreams.print("daybreakd \(Product.version)")
        case ["--help"], ["-h"]: return StandardStreams.print(help)
        default:
            StandardError.write("daybreakd: there is no such argument.\n\(help)")
            return 64
        }
    }

    /// Calls `body` with this user's folders, unless the environment names one that cannot be meant.
    private static func inFolders(_ body: (Paths) -> Int32) -> Int32 {
        do throws(FileError) { return body(try Paths.ofThisUser()) } catch {
            StandardError.write("\(error).")
            return 1
        }
    }

    private static func run() -> Int32 {
        umask(0o077)
        Memory.keepNothingLarge()
        do {
            let paths = try Paths.ofThisUser()
            try Memory.keepPrivate()
            let configuration = try Configuration.load(paths.configurationFile)
            try Folder.makePrivate(paths.runtime, having: paths.shown)
            let service = try DaybreakService(paths: paths, configuration: configuration)
            // The service lives until the process ends; `run` has closed the history by then.
            withExtendedLifetime(service) { () -> Never in
                do { exit(try service.run()) } catch {
                    JournalWriter().log.sayWhyNot("\(error)")
                    exit(70)
                }
            }
        } catch {
            JournalWriter().log.sayWhyNot("\(error)")
            return error is ConfigurationError || error is FileError || error is SocketError ? 1 : 70
        }
    }

    private static func simulate(_ words: some Sequence<String>, _ paths: Paths) -> Int32 {
        do {
            let simulation = try SimulateCommand(words).run(paths)
            return StandardStreams.print(JSONObject.text(of: simulation) + [UInt8(ascii: "\n")])
        } catch let misuse as SimulateCommand.Misuse {
            StandardError.write(misuse.sentence)
            return 64
        } catch let fault as SimulateCommand.Fault {
            StandardError.write(fault.sentence)
        } catch let error as HistoryError {
            StandardError.write("\(error).")
        } catch {
            StandardError.write("\(error)")
        }
        return 1
    }

    /// Checks a schedule that is not installed, with the breath patterns of the settings.
    private static func checkSchedule(_ file: String, _ paths: Paths) -> Int32 {
        do {
            let patterns = try Configuration.load(paths.configurationFile).patterns
            switch ScheduleFile.read(file, patterns: patterns) {
            case .missing, .known: StandardError.write("There is no file \(file).")
            case .faulty(let sentence, _): StandardError.write(sentence)
            case .unreadable(let sentence): StandardError.write(sentence + ".")
            case .sound(let schedule, _):
                return StandardStreams.print("\(file): sound, \(Sentences.entries(schedule.entries.count))")
            }
        } catch {
            StandardError.write("\(error)")
        }
        return 1
    }

    private static func check(_ paths: Paths) -> Int32 {
        var status: Int32 = 0
        var patterns = PatternBook.standard
        do {
            let isThere = try Configuration.isThere(paths.configurationFile)
            patterns = try Configuration.load(paths.configurationFile).patterns
            status = StandardStreams.print(
                "\(paths.configurationFile): \(isThere ? "sound" : "there is none, so every setting has its default")")
        } catch {
            let faults = Configuration.faults(of: paths.configurationFile)
            for fault in faults.told { StandardError.write("\(fault)") }
            if faults.more > 0 { StandardError.write("\(paths.configurationFile): and \(faults.more) more") }
            // Empty if the file was mended meanwhile.
            if faults.told.isEmpty { StandardError.write("\(error)") }
            status = 1
        }
        switch ScheduleFile.read(paths.scheduleFile, patterns: patterns) {
        case .missing, .known: status |= StandardStreams.print("\(paths.scheduleFile): there is none")
        case .sound(let schedule, _):
            status |= StandardStreams.print(
                "\(paths.scheduleFile): sound, \(Sentences.entries(schedule.entries.count))")
        case .faulty(let sentence, _):
            StandardError.write(sentence)
            status = 1
        case .unreadable(let sentence):
            StandardError.write(sentence + ".")
            status = 1
        }
        return status
    }

    private static func restore(_ file: String, _ paths: Paths) -> Int32 {
        umask(0o077)
        do {
            let reply = try RestoreCommand.run(file, paths)
            return StandardStreams.print(JSONObject.text(of: reply) + [UInt8(ascii: "\n")])
        } catch {
            StandardError.write("\(outcome(of: error)) \(error.description).")
            return 1
        }
    }

    private static func outcome(of error: HistoryError) -> String {
        guard case .inDoubt = error else { return "Nothing was replaced." }
        return "The history was replaced, but a power cut may bring the one before back."
    }

    /// The exit status of `--verify` for a history of which only an index is damaged.
    private static let indexStatus: Int32 = 2

    private static func verify(_ paths: Paths) -> Int32 {
        let path = paths.history
        do {
            guard let found = try History.verifyWithIndexes(at: path) else {
                return StandardStreams.print("\(path): there is none")
            }
            guard found.areIndexesSound else {
                let index = "An index of the history \(path) does not list all of its events."
                StandardError.write("\(index) The \(found.count) events are sound.")
                return Self.indexStatus
            }
            return StandardStreams.print("\(path): sound, \(found.count) events")
        } catch {
            StandardError.write("\(error).")
            return 1
        }
    }
}
