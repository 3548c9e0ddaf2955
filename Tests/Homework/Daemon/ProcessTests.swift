import DaybreakInterfaces
import Foundation
import Glibc
import HomeworkRules
import JSON
import TestSupport
import Testing
import TestingSupport
import Time
import Unix
import UnixTestSupport
import Varlink

@testable import HomeworkDaemon

/// The real program, from its start to its end.
@Suite(.hangGuard) struct ProcessTests {
    private let folder = Folder()
    private static let presence = #"{"parameters":{"online":false}}"#

    /// A schedule with one open task. It is due yesterday, so that no midnight changes it.
    init() {
        for name in ["config", "config/daybreak"] { must(mkdir(folder[name], 0o700)) }
        save(schedule(["calm"]))
        write("[breathing]\npattern = \"1-0-1-0\"\n", to: folder["config/daybreak/daybreak.toml"])
    }

    private func schedule(_ moods: [String]) -> String {
        "[[3, [\(moods.map { "\"\($0)\"" }.joined(separator: ", "))], \"\(Noon.yesterday)\"]]"
    }

    private func save(_ text: String) { write(text, to: folder["config/daybreak/tasks.json"]) }

    private func started(passing descriptors: [Int32] = []) throws -> DaemonProcess {
        let daemon = DaemonProcess(in: folder, passing: descriptors)
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        return daemon
    }

    private func decode<M: Method>(_ method: M.Type, _ message: String?) throws -> M.Reply {
        try Reply(frame: Array(#require(message).utf8)).decode(M.Reply.self)
    }

    @Test func `the daemon answers as soon as it reports that it is ready`() throws {
        let daemon = try started()
        #expect(daemon.client().ask(call("Provider.Presence")) == Self.presence)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: daemon.runtime).sorted() == ["control", "status.json"])
        #expect(["control", "status.json"].map { mode(of: "\(daemon.runtime)/\($0)") } == [0o600, 0o600])
        #expect([daemon.runtime, folder["state/daybreak"]].map { mode(of: $0) } == [0o700, 0o700])
    }

    @Test func `the daemon removes its socket and its status file at its end`() throws {
        let daemon = try started()
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.runtime) == [])
    }

    @Test func `a daemon whose socket was removed leaves that of the next one, and its status file`() throws {
        let first = try started()
        unlink(folder["runtime/daybreak/control"])
        let second = DaemonProcess(in: folder)
        try #require(second.isReady(), "\(second.errors ?? "")")
        #expect(first.end(SIGTERM) == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: second.runtime).sorted() == ["control", "status.json"])
        #expect(second.client().ask(call("Provider.Presence"))?.hasPrefix("{") == true)
        #expect(second.end(SIGTERM) == 0)
    }

    @Test func `the daemon reports its state to the service manager`() throws {
        let daemon = DaemonProcess(in: folder)
        #expect(daemon.nextNotification() == "STATUS=A task is open.")
        #expect(daemon.nextNotification() == "READY=1\nSTATUS=A task is open.")
        let client = daemon.client()
        _ = client.ask(call("Homework.Start"))
        #expect(daemon.nextNotification() == "STATUS=A task is in progress.")
        #expect(daemon.end(SIGTERM) == 0)
        #expect(daemon.nextNotification() == "STOPPING=1")
    }

    @Test func `the status file has the status of GetStatus`() throws {
        let daemon = try started()
        let client = daemon.client()
        for call in [call("Homework.Start"), call("Homework.Pause"), call("Homework.Cancel")] {
            _ = client.ask(call)
            let file = try #require(text(of: daemon.runtime + "/status.json"))
            #expect(
                client.ask(HomeworkDaemonTests.call("Homework.GetStatus"))
                    == ExpectedReply.reply("status", String(file.dropLast())))
        }
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `the daemon ends in order on SIGTERM and SIGINT`(signal: Int32)
        throws
    {
        let daemon = try started()
        let guide = daemon.client()
        _ = guide.ask(call("Homework.Start"))
        let watcher = daemon.client()
        _ = watcher.ask(call("Homework.GetStatus", more: true))
        _ = guide.ask(call("Homework.Breathe", more: true))
        #expect(daemon.end(signal) == 0)
        let errors = try #require(daemon.errors).split(separator: "\n").filter { !$0.contains("task") }
        #expect(errors == ["daybreakd: The schedule was taken in; it has 1 entry."])
        #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.runtime) == [])
    }

    @Test func `after a kill the exercise goes on after the last whole breath`() throws {
        let daemon = try started()
        let guide = daemon.client()
        _ = guide.ask(call("Homework.Start"))
        guide.send(call("Homework.Breathe", more: true))
        while try decode(Homework.Breathe.self, guide.wait()).flow.exercise?.breath == 1 {}
        #expect(daemon.end(SIGKILL) == -SIGKILL)
        let next = try started()
        let reply = next.client().ask(call("Homework.Start"))
        let exercise = try #require(try decode(Homework.Start.self, reply).flow.exercise)
        #expect(exercise.breath == 2)
        #expect(exercise.paused && !exercise.guided)
        #expect(exercise.phaseElapsed == 0)
        #expect(next.end(SIGTERM) == 0)
    }

    @Test func `while the daemon is stopped, no breath counts of a guide that leaves`() throws {
        let daemon = try started()
        let guide = daemon.client()
        _ = guide.ask(call("Homework.Start"))
        guide.send(call("Homework.Breathe", more: true))
        var told = try decode(Homework.Breathe.self, guide.wait()).flow.exercise?.breath
        kill(daemon.process, SIGSTOP)
        while let message = guide.message() { told = try decode(Homework.Breathe.self, message).flow.exercise?.breath }
        guide.leave()
        // Longer than a breath.
        usleep(3_000_000)
        kill(daemon.process, SIGCONT)
        let reply = daemon.client().ask(call("Homework.GetStatus"))
        let exercise = try #require(try decode(Homework.GetStatus.self, reply).status.flow?.exercise)
        #expect(exercise.breath == told)
        #expect(exercise.paused && !exercise.guided)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `a second daemon is refused, and the first goes on`() throws {
        let daemon = try started()
        let client = daemon.client()
        let second = DaemonProcess(in: folder, environment: ["NOTIFY_SOCKET": ""])
        #expect(second.end() == 1)
        #expect(second.errors == "daybreakd: \(daemon.runtime)/control: Another program answers there already\n")
        #expect(client.ask(call("Provider.Presence")) == Self.presence)
        #expect(daemon.client().ask(call("Provider.Presence")) == Self.presence)
        #expect(exists(daemon.runtime + "/status.json"))
    }

    @Test func `a daemon that does not hold the history erases nothing of it`() throws {
        let daemon = try started()
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"kept"}"#))
        let (state, night) = (folder["state/daybreak"], folder["state/daybreak/backups/night-2026-01-01.db"])
        mkdir(state + "/backups", 0o700)
        write("a copy", to: night)
        let second = DaemonProcess(in: Folder(), environment: ["XDG_STATE_HOME": folder["state"]])
        try #require(second.isReady())
        let refused = second.client().ask(call("Service.EraseEverything")) ?? ""
        #expect(
            refused.contains("CannotErase") && refused.contains("Another daybreakd holds the history"), "\(refused)")
        #expect(exists(night) && !exists(state + "/history.db.new"))
        #expect(daemon.client().ask(call("Homework.Notes"))?.contains("kept") == true)
        #expect(second.end(SIGTERM) == 0 && daemon.end(SIGTERM) == 0)
    }

    @Test func `the socket of a killed daemon is replaced`() throws {
        #expect(try started().end(SIGKILL) == -SIGKILL)
        #expect(exists(folder["runtime/daybreak/control"]))
        let daemon = try started()
        #expect(daemon.client().ask(call("Provider.Presence")) == Self.presence)
        #expect(daemon.end(SIGTERM) == 0)
    }

    private static let followReminders = call("Homework.Reminders", #"{"limit":0}"#, more: true)

    /// The kinds of the reminders that a client who follows them is told next.
    private func nextKinds(_ client: Client) throws -> [Homework.ReminderKind] {
        try decode(Homework.Reminders.self, client.wait()).reminders.map(\.kind)
    }

    @Test func `a schedule is taken in when the file is written or replaced`() throws {
        let daemon = try started()
        let client = daemon.client()
        client.send(Self.followReminders)
        #expect(try nextKinds(client) == [])
        save(schedule(["tired"]))
        #expect(try nextKinds(client) == [.scheduleTaken])
        write(schedule(["hopeful"]), to: folder["config/daybreak/tasks.json.new"])
        must(rename(folder["config/daybreak/tasks.json.new"], folder["config/daybreak/tasks.json"]))
        #expect(try nextKinds(client) == [.scheduleTaken])
        save("[")
        #expect(try nextKinds(client) == [.scheduleRefused])
        let list = try decode(Homework.List.self, daemon.client().ask(call("Homework.List")))
        #expect(list.assignments.map(\.moods) == [["hopeful"]])
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `a schedule behind a link is taken in when the file at the link's end is written or replaced`() throws {
        let (file, dotfiles) = (folder["config/daybreak/tasks.json"], folder["dotfiles/tasks.json"])
        must(mkdir(folder["dotfiles"], 0o700))
        must(rename(file, dotfiles))
        must(symlink("../../linked.json", file))
        must(symlink("dotfiles/tasks.json", folder["linked.json"]))
        let daemon = try started()
        let client = daemon.client()
        client.send(Self.followReminders)
        #expect(try nextKinds(client) == [])
        write(schedule(["tired"]), to: dotfiles)
        #expect(try nextKinds(client) == [.scheduleTaken])
        write(schedule(["hopeful"]), to: dotfiles + ".new")
        must(rename(dotfiles + ".new", dotfiles))
        #expect(try nextKinds(client) == [.scheduleTaken])
        write("[", to: dotfiles)
        #expect(try nextKinds(client) == [.scheduleRefused])
        write(schedule(["calm"]), to: folder["other.json"])
        must(symlink("other.json", folder["linked.json.new"]))
        must(rename(folder["linked.json.new"], folder["linked.json"]))
        #expect(try nextKinds(client) == [.scheduleTaken])
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `SIGHUP reloads the settings`() throws {
        let daemon = try started()
        let client = daemon.client()
        var status = try decode(Homework.GetStatus.self, client.ask(call("Homework.GetStatus", more: true))).status
        #expect(status.counts.open == 1)
        write("[day]\ngrace_days = 0\n", to: folder["config/daybreak/daybreak.toml"])
        must(kill(daemon.process, SIGHUP))
        // A midnight that passes meanwhile brings a status of its own.
        while status.counts.missed == 0 { status = try decode(Homework.GetStatus.self, client.wait()).status }
        #expect(status.counts.missed == 1)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `a reload with a fault is refused and logged`() throws {
        let daemon = try started()
        let file = folder["config/daybreak/daybreak.toml"]
        write("[nonsense]\n", to: file)
        let reply = try Reply(frame: Array(#require(daemon.client().ask(call("Service.Reload"))).utf8))
        let refusal = try #require(reply.decodeError(Service.InvalidConfiguration.self))
        #expect((refusal.file, refusal.line) == (file, 1))
        let last = try #require(daemon.errors).split(separator: "\n").last
        #expect(
            last.map(String.init) == "daybreakd: \(file):1: \(refusal.reason) The configuration before stays in force.")
    }

    @Test func `the daemon uses a listening socket of the service manager, and leaves it open`() throws {
        let listener = try LocalSocket.listen(at: folder["control"])
        defer { close(listener) }
        // A client calls before the daemon runs.
        let early = Client(to: folder["control"])
        early.send(call("Provider.Presence"))
        let passed = fcntl(listener, F_DUPFD_CLOEXEC, 100)
        defer { close(passed) }
        let daemon = try started(passing: [passed])
        #expect(early.wait() == Self.presence)
        #expect(Client(to: folder["control"]).ask(call("Provider.Presence")) == Self.presence)
        #expect(exists(daemon.runtime + "/control") == false)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(exists(folder["control"]))
        // A client that waits meanwhile is answered by the next daemon.
        let patient = Client(to: folder["control"])
        patient.send(call("Provider.Presence"))
        let next = try started(passing: [passed])
        #expect(patient.wait() == Self.presence)
        #expect(next.end(SIGTERM) == 0)
    }

    @Test func `the daemon uses a connection of the service manager`() throws {
        var pair: [Int32] = [-1, -1]
        must(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair))
        let client = Client(descriptor: pair[0])
        let passed = fcntl(pair[1], F_DUPFD_CLOEXEC, 100)
        must(close(pair[1]))
        client.send(call("Provider.Presence"))
        let daemon = try started(passing: [passed])
        must(close(passed))
        #expect(client.wait() == Self.presence)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(client.wait() == nil)
        #expect(client.becomesCutOff())
    }

    private func isAnswered(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        return withAddress(path) { connect(descriptor, $0, $1) } == 0
    }

    @Test func `of the passed descriptors only those named varlink are used`() throws {
        let (mine, other) = (try LocalSocket.listen(at: folder["control"]), try LocalSocket.listen(at: folder["other"]))
        let passed = [mine, other].map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        for descriptor in [mine, other] { must(close(descriptor)) }
        let daemon = DaemonProcess(in: folder, environment: ["LISTEN_FDNAMES": "varlink:else"], passing: passed)
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        for descriptor in passed { must(close(descriptor)) }
        #expect(Client(to: folder["control"]).ask(call("Provider.Presence")) == Self.presence)
        // The daemon was the last holder of the other socket, except for a process that another test is just starting: that
        // one closes it when it runs its program.
        let end = ContinuousClock.now + .microseconds(patience)
        while isAnswered(folder["other"]), ContinuousClock.now < end { sched_yield() }
        #expect(!isAnswered(folder["other"]))
        let first = try #require(daemon.errors).split(separator: "\n").first
        #expect(
            first.map(String.init)
                == "daybreakd: A descriptor named else was passed, which nothing here is for, carrying on")
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `the memory of a long call is freed`() throws {
        let daemon = try started()
        func pages() throws -> Int {
            let numbers = try #require(text(of: "/proc/\(daemon.process)/statm")).split(separator: " ")
            return try #require(Int(numbers[1]))
        }
        func importWithoutEnd() {
            let client = daemon.client()
            client.send(bytes: Array(#"{"method":"org.daybreak.Homework.Import","parameters":{"schedule":""#.utf8))
            let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 64 * 1_024)
            while client.message() == nil, !client.isCutOff {
                var room = pollfd(fd: client.descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, Int32(patience / 1_000))
                client.send(bytes: blanks)
            }
        }
        importWithoutEnd()
        #expect(daemon.client().ask(call("Provider.Presence")) == Self.presence)
        let before = try pages()
        for _ in 1...3 { importWithoutEnd() }
        #expect(daemon.client().ask(call("Provider.Presence")) == Self.presence)
        // Two megabytes in pages of 4 KiB.
        #expect(try pages() - before < 512)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `a file that is no history is left unchanged, and every reply names the problem`() throws {
        must(mkdir(folder["state"], 0o700))
        must(mkdir(folder["state/daybreak"], 0o700))
        let history = folder["state/daybreak/history.db"]
        write("no database", to: history)
        let daemon = try started()
        let client = daemon.client()
        let problem = "The file \(history) is no history: it does not begin as an SQLite database does"
        let refusal = error("org.daybreak.Homework.StorageUnavailable", "{\"reason\":\"\(problem)\",\"unread\":true}")
        for method in ["Homework.List", "Homework.Start", "Homework.Reminders", "Provider.Presence"] {
            #expect(client.ask(call(method)) == refusal)
        }
        let status = try decode(Homework.GetStatus.self, client.ask(call("Homework.GetStatus"))).status
        #expect(status.problem == problem)
        #expect(
            try JSONDecoder().decode(
                Homework.Status.self, from: Data(contentsOf: URL(filePath: daemon.runtime + "/status.json"))
            ).problem == problem)
        let help = "It is left as it is: `daybreak restore FILE` puts a backup in its place, and keeps it aside"
        #expect(daemon.errors == "daybreakd: \(problem). Daybreak carries on without recording. \(help)\n")
        #expect(text(of: history) == "no database")
    }
}
