import Foundation
import Glibc
import Systemd
import Testing

struct FileWatchTests {
    private let folder = Folder()
    private let calls = Calls<String?>()
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    private func watch() throws -> FileWatch {
        try FileWatch(loop, directory: folder.path) { [calls] in calls.add($0) }
    }

    /// The names that the watch reports for a change.
    private func reported(_ change: () -> Void) throws -> [String?] {
        let watch = try watch()
        change()
        try settle(loop)
        #expect(watch.isWatching)
        return calls.take()
    }

    @Test func `an unchanged folder reports nothing`() throws {
        write("{}", to: folder["tasks.json"])
        #expect(try reported {} == [])
    }

    @Test func `a file written in place is reported when it is closed`() throws {
        write("{}", to: folder["tasks.json"])
        let watch = try watch()
        let descriptor = open(folder["tasks.json"], O_WRONLY | O_TRUNC | O_CLOEXEC)
        must(ftruncate(descriptor, 100))
        try settle(loop)
        #expect(calls.values == [])
        must(close(descriptor))
        try settle(loop)
        #expect(calls.values == ["tasks.json"])
        #expect(watch.isWatching)
    }

    @Test func `a new file is reported when it is closed, not while it is empty`() throws {
        let watch = try watch()
        let descriptor = open(folder["tasks.json"], O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try settle(loop)
        #expect(calls.values == [])
        must(close(descriptor))
        try settle(loop)
        #expect(calls.values == ["tasks.json"])
        #expect(watch.isWatching)
    }

    @Test func `a file renamed over another is reported under its new name`() throws {
        let elsewhere = Folder()
        write("{}", to: folder["tasks.json"])
        write("{ }", to: elsewhere["new"])
        #expect(try reported { must(rename(elsewhere["new"], folder["tasks.json"])) } == ["tasks.json"])
    }

    @Test func `both names of an editor's write and rename are reported`() throws {
        let names = try reported {
            write("{}", to: folder["tasks.json.new"])
            must(rename(folder["tasks.json.new"], folder["tasks.json"]))
        }
        #expect(Set(names) == ["tasks.json.new", "tasks.json"])
        #expect(names.last == "tasks.json")
    }

    @Test func `a new link is reported, symbolic or hard`() throws {
        let elsewhere = Folder()
        write("{}", to: elsewhere["file"])
        #expect(try reported { must(symlink("nowhere", folder["tasks.json"])) } == ["tasks.json"])
        #expect(try reported { must(link(elsewhere["file"], folder["linked.json"])) } == ["linked.json"])
    }

    @Test func `a new folder is reported`() throws {
        #expect(try reported { must(mkdir(folder["inner"], 0o755)) } == ["inner"])
    }

    @Test func `a deleted file is reported`() throws {
        write("{}", to: folder["tasks.json"])
        #expect(try reported { must(unlink(folder["tasks.json"])) } == ["tasks.json"])
    }

    @Test func `a file moved away is reported`() throws {
        let elsewhere = Folder()
        write("{}", to: folder["tasks.json"])
        #expect(try reported { must(rename(folder["tasks.json"], elsewhere["tasks.json"])) } == ["tasks.json"])
    }

    @Test func `reading a file reports nothing`() throws {
        write("{}", to: folder["tasks.json"])
        #expect(try reported { _ = FileManager.default.contents(atPath: folder["tasks.json"]) } == [])
    }

    @Test func `a removed folder is reported as nil, and ends the watch`() throws {
        let watch = try watch()
        try settle(loop)  // The loop holds the folder open until its first turn.
        must(rmdir(folder.path))
        try settle(loop)
        #expect(calls.values == [nil])
        #expect(!watch.isWatching)
    }

    @Test func `a folder moved away is reported as nil, and ends the watch`() throws {
        let elsewhere = Folder()
        let watch = try watch()
        must(rename(folder.path, elsewhere["moved"]))
        write("{}", to: elsewhere["moved/tasks.json"])
        try settle(loop)
        #expect(calls.values == [nil])
        #expect(!watch.isWatching)
    }

    @Test func `lost events are reported as nil, and the watch goes on`() throws {
        let limit = try #require(
            Int(String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8).dropLast()))
        let watch = try watch()
        for _ in 0...limit / 2 {
            must(symlink("nowhere", folder["link"]))
            must(unlink(folder["link"]))
        }
        try settle(loop)
        #expect(calls.take().last == .some(nil))
        #expect(watch.isWatching)
        must(mkdir(folder["inner"], 0o755))
        try settle(loop)
        #expect(calls.values == ["inner"])
    }

    @Test func `two watches on one folder both report, and one may end`() throws {
        let one = try watch()
        var two: FileWatch? = try watch()
        must(mkdir(folder["a"], 0o755))
        try settle(loop)
        #expect(calls.take() == ["a", "a"])
        #expect(two != nil)
        two = nil
        must(mkdir(folder["b"], 0o755))
        try settle(loop)
        #expect(calls.take() == ["b"])
        #expect(one.isWatching)
    }

    @Test func `a dropped watch reports nothing`() throws {
        var watch: FileWatch? = try watch()
        write("{}", to: folder["a"])
        #expect(watch != nil)
        watch = nil
        try settle(loop)
        #expect(calls.values == [])
    }

    @Test func `a watch may be dropped from its own handler`() throws {
        var watch: FileWatch?
        watch = try FileWatch(loop, directory: folder.path) { [calls] in
            watch = nil
            calls.add($0)
        }
        #expect(watch != nil)
        write("{}", to: folder["a"])
        write("{}", to: folder["b"])
        try settle(loop)
        #expect(calls.values == ["a"])
    }

    @Test func `a path that is no folder is refused`() throws {
        write("{}", to: folder["file"])
        #expect(throws: SystemdError(call: "sd_event_add_inotify", errno: ENOENT)) {
            try FileWatch(loop, directory: folder["missing"]) { _ in }
        }
        #expect(throws: SystemdError(call: "sd_event_add_inotify", errno: ENOTDIR)) {
            try FileWatch(loop, directory: folder["file"]) { _ in }
        }
    }
}
