import DaybreakInterfaces
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport
import Varlink

@testable import HomeworkDaemon

extension ScheduleFile: Equatable {
    public static func == (left: Self, right: Self) -> Bool { "\(left)" == "\(right)" }
}

@Suite struct ScheduleFileTests {
    private let folder = Folder()
    private var path: String { folder["tasks.json"] }

    private func diagnosis(_ daemon: DaemonProcess) throws -> Service.Diagnose.Reply {
        let reply = try #require(daemon.client().ask(call("Service.Diagnose")))
        return try Reply(frame: Array(reply.utf8)).decode(Service.Diagnose.Reply.self)
    }

    @Test func `a missing file is no fault`() {
        #expect(ScheduleFile.read(path) == .missing)
    }

    @Test func `a diagnosis tells a missing file from one with a fault`() throws {
        let household = Workload()
        let daemon = try household.started()
        let file = household.folder["config/daybreak/tasks.json"]
        unlink(file)
        let missing = try diagnosis(daemon)
        #expect(missing.schedule == "There is no file \(file)." && missing.isScheduleMissing == true)
        write("{}", to: file)
        #expect(missing.settings == household.folder["config/daybreak"])
        let faulty = try diagnosis(daemon)
        #expect(faulty.schedule == "\(file):1:1: A schedule is a JSON array of entries.")
        #expect(faulty.isScheduleMissing == nil)
    }

    @Test func `no file is missed where an import gave the schedule`() throws {
        let household = Workload()
        let daemon = try household.started()
        unlink(household.folder["config/daybreak/tasks.json"])
        #expect(try diagnosis(daemon).isScheduleMissing == true)
        let imported = daemon.client().ask(call("Homework.Import", #"{"schedule":"[[3,[\"calm\"],\"2099-01-01\"]]"}"#))
        #expect(imported?.hasPrefix(#"{"parameters""#) == true, "\(imported ?? "")")
        let found = try diagnosis(daemon)
        #expect((found.schedule, found.isScheduleMissing) == (nil, nil))
    }

    @Test func `a diagnosis tells that the file's text is not in force`() throws {
        let household = Workload()
        let daemon = try household.started()
        let file = household.folder["config/daybreak/tasks.json"]
        // Links are followed to their files. A folder on the way that gives its name to another one is not watched.
        for name in ["one", "two"] { must(mkdir(household.folder[name], 0o700)) }
        write(try #require(text(of: file)), to: household.folder["one/tasks.json"])
        write(#"[[7, ["calm"], "2027-03-05"]]"#, to: household.folder["two/tasks.json"])
        must(symlink("one", household.folder["dotfiles"]))
        must(symlink("../../dotfiles/tasks.json", file + ".new"))
        must(rename(file + ".new", file))
        #expect(try diagnosis(daemon).schedule == nil)
        must(symlink("two", household.folder["dotfiles.new"]))
        must(rename(household.folder["dotfiles.new"], household.folder["dotfiles"]))
        let unread = try diagnosis(daemon)
        #expect(unread.schedule == "\(file) has another text than the one that is in force.")
        #expect(unread.isScheduleUnread == true)
        #expect(daemon.client().ask(call("Service.Reload")) == #"{"parameters":{}}"#)
        #expect(try diagnosis(daemon).schedule == nil)
    }

    @Test func `a watch that could not be made is told, and so is the one that was made later`() throws {
        let household = Workload()
        let file = household.folder["config/daybreak/tasks.json"]
        let schedule = try #require(text(of: file))
        unlink(file)
        // No name is that long, so nothing can be watched there.
        must(symlink("/" + String(repeating: "a", count: 300) + "/tasks.json", file))
        let daemon = try household.started()
        let client = daemon.client()
        write(schedule, to: file + ".new")
        must(rename(file + ".new", file))
        func told() -> [Substring] { daemon.errors?.split(separator: "\n").filter { $0.contains(" leads is ") } ?? [] }
        let end = ContinuousClock.now + .microseconds(patience)
        while told().count < 2, ContinuousClock.now < end { _ = client.ask(call("Homework.GetStatus")) }
        #expect(
            told() == [
                "daybreakd: Where \(file) leads is not watched (sd_event_add_inotify: File name too long), carrying on",
                "daybreakd: Where \(file) leads is watched again.",
            ])
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `a diagnosis of a history that is gone tells that a backup can take its place`() throws {
        let household = Workload()
        let daemon = try household.started()
        must(rename(household.state, household.state + ".away"))
        let reply = try #require(daemon.client().ask(call("Service.Diagnose")))
        let diagnosis = try Reply(frame: Array(reply.utf8)).decode(Service.Diagnose.Reply.self)
        #expect(diagnosis.history == "The history \(household.state)/history.db has vanished: bring it back")
        #expect(diagnosis.restorable == [])
    }

    @Test func `a link to a missing file is unreadable, not missing`() {
        must(symlink("\(folder["elsewhere"])/tasks.json", path))
        let sentence = "\(path) is a link to where daybreakd sees no file (`daybreak doctor` says more)"
        #expect(ScheduleFile.read(path) == .unreadable(sentence))
    }

    @Test func `a link is broken while it leads to no file`() {
        let target = folder["target"]
        #expect(!WrittenFile.isBrokenLink(path))
        must(symlink(target, path))
        #expect(WrittenFile.isBrokenLink(path))
        write("[]", to: target)
        #expect(!WrittenFile.isBrokenLink(path))
        #expect(!WrittenFile.isBrokenLink(target))
    }

    @Test func `a sound file is read with its fingerprint`() {
        let text = #"[[5, ["calm", "tired", "hopeful"], "2027-03-05"]]"#
        write(text, to: path)
        #expect(ScheduleFile.read(path) == .sound(.of(.sample()), Fingerprint(of: Array(text.utf8))))
    }

    @Test func `a known text is not parsed again`() {
        write("no schedule at all", to: path)
        let known = Fingerprint(of: Array("no schedule at all".utf8))
        #expect(ScheduleFile.read(path, known: known) == .known)
        write("no schedule, either", to: path)
        let sentence = "\(path):1:1: A schedule is a JSON array of entries."
        #expect(ScheduleFile.read(path, known: known) == .faulty(sentence, Fingerprint("19-85f08da27b9ff93a")))
    }

    @Test func `a fault has its place, and does not quote the file`() {
        write("[\n  [5, [\"calm\", \"sad\", \"sad\"], \"2027-03-05\"]\n]\n", to: path)
        let sentence = "\(path):2:23: entry 1: Mood choice 3 repeats choice 2."
        #expect(ScheduleFile.read(path) == .faulty(sentence, Fingerprint("48-5fb1534f6705e0ce")))
    }

    @Test func `a file over the limit is refused`() {
        write(String(repeating: " ", count: Schedule.byteLimit + 1), to: path)
        let sentence =
            """
            \(path):1:1: The schedule has more than 16777216 bytes, which is the limit: leave out entries that are long over.
            """
        #expect(ScheduleFile.read(path) == .faulty(sentence, Fingerprint("16777217-a01244f80201817f")))
        // However long the file is, little more than the limit is read.
        must(truncate(path, 200 << 20))
        #expect(ScheduleFile.read(path) == .faulty(sentence, Fingerprint("16842752-42e0d98919362305")))
    }

    private func expectRefusal(_ reason: String) {
        let sentence = "\(path): \(reason)"
        #expect(ScheduleFile.read(path) == .faulty(sentence, Fingerprint(reason)))
    }

    @Test func `a folder in the file's place is refused`() {
        must(mkdir(path, 0o700))
        expectRefusal("It is a folder, where a file must be.")
    }

    @Test func `a pipe in the file's place is refused without waiting`() {
        must(mkfifo(path, 0o600))
        expectRefusal("It is a pipe, where a file must be.")
    }

    @Test func `a device in the file's place is not read`() {
        must(symlink("/dev/zero", path))
        expectRefusal("It is a device, where a file must be.")
    }

    @Test func `a loop of links is refused`() {
        must(symlink(folder["other"], path))
        must(symlink(path, folder["other"]))
        expectRefusal("Too many levels of symbolic links.")
    }
}

@Suite struct FingerprintTests {
    static let texts: [(String, String)] = [
        // FNV-1a's own test values (draft-eastlake-fnv), with the length before them.
        ("", "0-cbf29ce484222325"), ("a", "1-af63dc4c8601ec8c"), ("foobar", "6-85944171f73967e8"),
    ]

    @Test(arguments: texts) func `a text always has the same fingerprint`(text: String, expected: String) {
        #expect(Fingerprint(of: Array(text.utf8)) == Fingerprint(expected))
    }
}
