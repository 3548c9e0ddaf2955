import Foundation
import Glibc
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

/// The program with its arguments and its files.
@Suite struct DaemonProgramTests {
    private let folder = Folder()

    init() {
        must(mkdir(folder["config"], 0o700))
        must(mkdir(folder["config/daybreak"], 0o700))
    }

    private var configuration: String { folder["config/daybreak/daybreak.toml"] }
    private var schedule: String { folder["config/daybreak/tasks.json"] }

    /// Writes a configuration with a fault, and returns its sentence.
    private func spoilConfiguration() throws -> String {
        write("[day]\n\ngrace_days = -1\n", to: configuration)
        let fault = #expect(throws: ConfigurationError.self) { try Configuration.load(configuration) }
        let sentence = try #require(fault).description
        #expect(sentence.hasPrefix("\(configuration):3: day.grace_days must be "))
        return sentence
    }

    @Test func `--version`() {
        let program = DaemonProcess(in: folder, ["--version"])
        #expect(program.end() == 0)
        #expect(program.output == "daybreakd 0.1.0\n")
        #expect(program.errors == "")
    }

    @Test(arguments: ["--help", "-h"]) func `help`(argument: String) {
        let program = DaemonProcess(in: folder, [argument])
        #expect(program.end() == 0)
        #expect(program.output == Program.help + "\n")
    }

    @Test(arguments: [["--nonsense"], ["--check", "--version"], ["now"]]) func `an argument that there is not`(
        arguments: [String]
    ) {
        let program = DaemonProcess(in: folder, arguments)
        #expect(program.end() == 64)
        #expect(program.output == "")
        #expect(program.errors == "daybreakd: there is no such argument.\n\(Program.help)\n")
    }

    @Test func `--verify reports that there is no history`() {
        let program = DaemonProcess(in: folder, ["--verify"])
        #expect(program.end() == 0)
        #expect(program.output?.hasSuffix("/daybreak/history.db: there is none\n") == true)
        #expect(exists(folder["state"]) == false)
    }

    @Test func `--check reports that there are no files`() {
        let program = DaemonProcess(in: folder, ["--check"])
        #expect(program.end() == 0)
        #expect(
            program.output == """
                \(configuration): there is none, so every setting has its default
                \(schedule): there is none

                """)
        #expect(exists(folder["state"]) == false)
    }

    @Test func `--check reports sound files`() {
        write("[day]\ngrace_days = 3\n", to: configuration)
        write(#"[[5, ["calm"], "2027-03-05"]]"#, to: schedule)
        let program = DaemonProcess(in: folder, ["--check"])
        #expect(program.end() == 0)
        #expect(program.output == "\(configuration): sound\n\(schedule): sound, 1 entry\n")
    }

    @Test func `--check reports the fault of each file`() throws {
        let fault = try spoilConfiguration()
        write(#"[[5, ["calm"]]]"#, to: schedule)
        let program = DaemonProcess(in: folder, ["--check"])
        #expect(program.end() == 1)
        #expect(
            program.errors == """
                \(fault)
                \(schedule):1:2: entry 1: The due date is missing: an entry is [breaths, moods, due].

                """)
    }

    @Test func `--check reports all faults of a configuration, in the order of its lines`() {
        write("[day]\ngrace_dais = 3\ngrace_days = -1\n[dya]\n", to: configuration)
        let program = DaemonProcess(in: folder, ["--check"])
        #expect(program.end() == 1)
        #expect(
            program.errors == """
                \(configuration):2: There is no setting day.grace_dais; did you mean day.grace_days?
                \(configuration):3: day.grace_days must be a whole number from 0 to 365: beyond a year a task is not late but missed.
                \(configuration):4: There is no table [dya]; did you mean [day]?

                """)
        write("[day]\n" + (1...102).map { "n\($0) = 1\n" }.joined(), to: configuration)
        let many = DaemonProcess(in: folder, ["--check"])
        #expect(many.end() == 1)
        #expect(many.errors?.split(separator: "\n").count == 101)
        #expect(many.errors?.hasSuffix("\n\(configuration): and 2 more\n") == true)
    }

    @Test func `--check reports links to missing files`() {
        must(symlink("nowhere", configuration))
        must(symlink("nowhere", schedule))
        let program = DaemonProcess(in: folder, ["--check"])
        #expect(program.end() == 1)
        #expect(
            program.errors == """
                \(configuration): It is a link to where daybreakd sees no file (`daybreak doctor` says more).
                \(schedule) is a link to where daybreakd sees no file (`daybreak doctor` says more).

                """)
    }

    @Test func `a configuration with a fault keeps the daemon from starting`() throws {
        let fault = try spoilConfiguration()
        let program = DaemonProcess(in: folder)
        #expect(program.end() == 1)
        #expect(program.errors == "daybreakd: \(fault)\n")
        #expect(exists(folder["state"]) == false)
        #expect(exists(folder["runtime/daybreak"]) == false)
    }

    @Test
    func `a log line has the client's time in a file, and the program's name in a pipe`()
        throws
    {
        let fault = try spoilConfiguration()
        let began = time(nil)
        let program = DaemonProcess(in: folder, environment: ["TZ": "<+0530>-5:30"])
        #expect(program.end() == 1)
        let line = try #require(program.log)
        let stamp = String(line.prefix(25))
        let when = try #require(ISO8601DateFormatter().date(from: stamp))
        #expect((began...time(nil)).contains(Int(when.timeIntervalSince1970)) && stamp.hasSuffix("+05:30"))
        #expect(line == "\(stamp) daybreakd: \(fault)\n")
        let surroundings = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder["config"], "XDG_RUNTIME_DIR": folder["runtime"],
        ]
        #expect(try run(DaemonProcess.program, [], surroundings).error == "daybreakd: \(fault)\n")
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can make a folder of somebody else's."))
    func `another user's runtime folder is refused`() {
        must(mkdir(folder["theirs"], 0o700))
        must(chown(folder["theirs"], 65_534, 65_534))
        let program = DaemonProcess(in: folder, environment: ["XDG_RUNTIME_DIR": folder["theirs"]])
        #expect(program.end() == 1)
        #expect(program.errors == "daybreakd: The folder \(folder["theirs"]) belongs to user 65534, not to user 0\n")
    }

    @Test func `a path that is too long for a socket is refused`() {
        let long = folder["runtime/" + String(repeating: "x", count: 100)]
        let program = DaemonProcess(in: folder, environment: ["XDG_RUNTIME_DIR": long])
        #expect(program.end() == 1)
        #expect(
            program.errors
                == "daybreakd: \(long)/daybreak/control: A socket's path has at most 107 bytes (man 7 unix)\n")
    }
}
