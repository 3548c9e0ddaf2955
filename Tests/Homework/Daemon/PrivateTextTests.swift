import Foundation
import Glibc
import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// The client's private texts are in the history, and in the replies to the callers that ask for them, and nowhere else.
/// The test uses words that appear nowhere else, and then searches for them.
@Suite(.hangGuard) struct PrivateTextTests {
    private let folder = Folder()
    private static let words = [
        "Xanthous", "Zephyrine", "Ocelotish", "Quokkanote", "Wombatius", "narwhalroom", "Pangolinid",
    ]
    private static let settings = """
        [breathing]
        pattern = "1-0-1-0"
        [provider]
        name = "Dr. Wombatius"
        link = "https://meet.example.org/narwhalroom"

        """

    init() {
        for name in ["config", "config/daybreak"] { must(mkdir(folder[name], 0o700)) }
        save(Self.settings, "daybreak.toml")
        save(#"[[1, ["Xanthous", "Zephyrine"], "\#(Noon.yesterday)"]]"#, "tasks.json")
    }

    private func save(_ text: String, _ name: String) { write(text, to: folder["config/daybreak/\(name)"]) }

    /// Collects everything that a program other than the caller could read.
    private final class ExposureCollector {
        let daemon: DaemonProcess
        private(set) var seen: [String] = []

        init(in folder: Folder) throws {
            daemon = DaemonProcess(in: folder)
            try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        }

        /// Calls over a new connection, because a malformed call ends it. The status file is up to date before the answer
        /// comes.
        @discardableResult func ask(_ call: String) -> String? {
            let client = daemon.client()
            defer { look() }
            return client.ask(call)
        }

        func look() {
            if let status = text(of: daemon.runtime + "/status.json") { seen.append(status) }
            seen += daemon.forgetNotifications()
        }

        func breatheToTheEnd() {
            let guide = daemon.client()
            guide.send(call("Homework.Breathe", more: true))
            while let reply = guide.wait(), !reply.contains(#""stage":"waiting""#) { look() }
        }

        func end(_ signal: Int32) throws -> String {
            look()
            for name in ["cmdline", "environ", "comm", "status"] {
                seen.append(try #require(text(of: "/proc/\(daemon.process)/\(name)")))
            }
            _ = daemon.end(signal)
            return (seen + [daemon.output ?? "", daemon.errors ?? ""]).joined(separator: "\n")
        }
    }

    private func tryEverything(_ collector: ExposureCollector) {
        let long = String(repeating: "Quokkanote ", count: 3_000)
        for (method, parameters) in [
            ("Homework.Start", #"{"assignment":"Pangolinid"}"#), ("Homework.LogMood", #"{"mood":"Xanthous"}"#),
            ("Homework.AddNote", #"{"text":"Quokkanote before"}"#), ("Homework.Start", "{}"),
        ] { collector.ask(call(method, parameters)) }
        collector.breatheToTheEnd()
        for (method, parameters) in [
            ("Provider.SetPresence", #"{"online":true,"name":"Dr. Wombatius"}"#),
            ("Provider.SetPresence", #"{"online":true,"name":"Dr.\nWombatius"}"#),
            ("Homework.Join", "{}"), ("Homework.AddNote", #"{"text":"Quokkanote during"}"#),
            ("Homework.AddNote", #"{"text":"\#(long)"}"#), ("Homework.AddNote", #"{"text":"Quokkanote\u0000"}"#),
            ("Homework.Leave", "{}"), ("Homework.LogMood", #"{"mood":"Ocelotish"}"#),
            ("Homework.LogMood", #"{"mood":["Ocelotish"]}"#), ("Homework.LogMood", #"{"Ocelotish":1}"#),
            ("Homework.LogMood", #"{"mood":"Xanthous"}"#), ("Homework.CorrectMood", #"{"mood":"Ocelotish"}"#),
            ("Homework.CorrectMood", #"{"mood":"Zephyrine"}"#), ("Homework.Pangolinid", "{}"),
            ("Homework.AddNote", #"{"text":"Quokkanote after","nextSession":true}"#),
            ("Homework.Snooze", #"{"until":"Pangolinid"}"#), ("Homework.Get", #"{"assignment":"Pangolinid"}"#),
            ("Homework.Import", #"{"schedule":"[[1, [\"Ocelotish\", \"Ocelotish\"], \"Pangolinid\"]]"}"#),
            ("Homework.AddNote", #"{"text":"Quokkanote"#),
        ] { collector.ask(call(method, parameters)) }
    }

    private func spoilTheFiles(_ collector: ExposureCollector) {
        for schedule in [
            #"[[1, ["Ocelotish", "Ocelotish"], "2027-03-05"]]"#, #"[[1, "Ocelotish", "Pangolinid"]]"#,
            #"[{"breaths": 1, "Ocelotish": 2}]"#, "Ocelotish", #"["Ocelotish"#,
            #"[{"breaths": 1, "moods": ["a"], "due": "2027-03-05", "pattern": "Pangolinid"}]"#,
        ] {
            save(schedule, "tasks.json")
            collector.ask(call("Service.Reload"))
        }
        for fault in [
            "name = Dr. Wombatius", "name = \"Dr. Wombatius", "name = [\"Wombatius\"]", "link = \"narwhalroom\"",
            "link = https://narwhalroom", "name = \"Dr.\\u0007Wombatius\"", "name = 'a' Wombatius",
        ] {
            save("[provider]\n\(fault)\n", "daybreak.toml")
            collector.ask(call("Service.Reload"))
            must(kill(collector.daemon.process, SIGHUP))
        }
    }

    @Test func `no mood, no note and no name is found outside the history`() throws {
        let first = try ExposureCollector(in: folder)
        tryEverything(first)
        let list = try #require(first.ask(call("Homework.List", #"{"all":true}"#)))
        #expect(list.contains(#""mood":"Zephyrine""#), "the task was not completed: \(list)")
        spoilTheFiles(first)
        var told = try first.end(SIGKILL)
        save(Self.settings, "daybreak.toml")
        let second = try ExposureCollector(in: folder)
        second.ask(call("Homework.GetStatus"))
        told += try second.end(SIGTERM)
        #expect(Self.words.filter { told.contains($0) } == [])
        #expect(try holders() == ["state/daybreak/history.db"])
    }

    /// The files that contain one of the words, except those that the test wrote.
    private func holders() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { path in
            guard !path.hasPrefix("config/"), let bytes = FileManager.default.contents(atPath: folder[path]) else {
                return false
            }
            return Self.words.contains { bytes.range(of: Data($0.utf8)) != nil }
        }
    }

    @Test func `the daemon leaves no core dump`() throws {
        let daemon = DaemonProcess(in: folder)
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        let limits = try #require(text(of: "/proc/\(daemon.process)/limits")).split(separator: "\n")
        let core = limits.first { $0.hasPrefix("Max core file size") }?.split(separator: " ").dropFirst(4)
        var own = rlimit()
        must(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &own))
        let most = "\(min(1, own.rlim_max))"
        #expect(core.map { $0.map(String.init) } == [most, most, "bytes"])
        #expect(daemon.end(SIGTERM) == 0)
    }

    /// The kernel makes root the owner of such a process's files in /proc.
    @Test func `only root can read the daemon's memory`() throws {
        let user: uid_t = geteuid() == 0 ? 65_534 : geteuid()
        for name in try [""] + FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            must(chown(folder[name], user, gid_t.max))
        }
        for name in ["runtime", "state"] {
            must(mkdir(folder[name], 0o700))
            must(chown(folder[name], user, gid_t.max))
        }
        let daemon = DaemonProcess(in: folder, user: geteuid() == 0 ? user : nil)
        // Another user cannot ask whether it is ready. It is enough that its socket exists.
        var seen = stat()
        let end = ContinuousClock.now + .seconds(20)
        while stat(daemon.runtime + "/control", &seen) != 0, ContinuousClock.now < end { sched_yield() }
        #expect(seen.st_uid == user)
        #expect(stat("/proc/\(daemon.process)/environ", &seen) == 0 && seen.st_uid == 0)
        #expect(daemon.end(SIGKILL) == -SIGKILL)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `another user's runtime folder is refused`() throws {
        must(mkdir(folder["theirs"], 0o700))
        must(chown(folder["theirs"], 65_534, 65_534))
        let daemon = DaemonProcess(in: folder, environment: ["XDG_RUNTIME_DIR": folder["theirs"]])
        #expect(daemon.end() == 1)
        #expect(daemon.errors == "daybreakd: The folder \(folder["theirs"]) belongs to user 65534, not to user 0\n")
    }
}
