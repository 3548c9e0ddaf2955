import DaybreakInterfaces
import Foundation
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

@Suite struct NotesTests {
    private let station: ControlServerFixture
    private var machine: Machine { station.machine }

    init() throws { station = try ControlServerFixture() }

    private func note(_ text: String, at time: String, _ id: String? = nil) -> String {
        let kept = id.map { "\"assignment\":\"\($0)\"," } ?? ""
        return "{\(kept)\"at\":\"2027-03-05T\(time)+00:00\",\"text\":\"\(text)\"}"
    }

    private func add(_ text: String, _ more: String = "") throws -> String? {
        try station.ask(call("Homework.AddNote", "{\"text\":\"\(text)\"\(more)}"))
    }

    private func notes(_ id: String? = nil) throws -> String? {
        try station.ask(call("Homework.Notes", id.map { "{\"assignment\":\"\($0)\"}" } ?? "{}"))
    }

    @Test func `the next session's notes are shown in the wait room, and stay with that session's task`() throws {
        #expect(try add("Ask about sleep") == ExpectedReply.reply("note", note("Ask about sleep", at: "00:00:00")))
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(50))
        #expect(try add("It was quiet") == ExpectedReply.reply("note", note("It was quiet", at: "00:00:50", "1")))
        #expect(
            try add("And dreams", #","nextSession":true"#)
                == ExpectedReply.reply("note", note("And dreams", at: "00:00:50")))
        let first = note("Ask about sleep", at: "00:00:00")
        let then = [note("It was quiet", at: "00:00:50", "1"), note("And dreams", at: "00:00:50")]
        let all = ExpectedReply.reply("notes", "[\(([first] + then).joined(separator: ","))]")
        #expect(try notes() == all)
        #expect(try notes("1") == all)
        machine.ask(.online(), .join, .leave, .logMood("calm"))
        #expect(try notes("1") == all)
        #expect(try notes() == ExpectedReply.reply("notes", "[]"))
        machine.clock.advance(by: .seconds(10))
        let after = note("Good", at: "00:01:00", "1")
        #expect(try add("Good") == ExpectedReply.reply("note", after))
        #expect(
            try notes("1") == ExpectedReply.reply("notes", "[\(([first] + then + [after]).joined(separator: ","))]"))
    }

    /// Between the session and its last question, the task is still open.
    @Test func `erasing the open task after its session leaves the notes for the next session`() throws {
        #expect(try add("For this one") != nil)
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(50))
        machine.ask(.online(), .join, .leave)
        #expect(try add("For the next", #","nextSession":true"#) != nil)
        machine.hasThread = false
        #expect(try station.ask(call("Service.Erase", #"{"assignment":"1"}"#)) == #"{"parameters":{}}"#)
        #expect(try notes("1") == ExpectedReply.reply("notes", "[]"))
        machine.ask(.logMood("calm"))
        #expect(try notes() == ExpectedReply.reply("notes", "[\(note("For the next", at: "00:00:50"))]"))
    }

    @Test func `a note is found by a call in the same turn`() throws {
        let client = station.client()
        client.send(call("Homework.AddNote", #"{"text":"One"}"#))
        client.send(call("Homework.Notes"))
        #expect(try station.message(for: client) == ExpectedReply.reply("note", note("One", at: "00:00:00")))
        #expect(try station.message(for: client) == ExpectedReply.reply("notes", "[\(note("One", at: "00:00:00"))]"))
    }

    @Test func `a note of a task is found by a call in the same turn`() throws {
        machine.ask(.start(nil))
        let client = station.client()
        client.send(call("Homework.AddNote", #"{"text":"One"}"#))
        client.send(call("Homework.Notes"))
        let one = note("One", at: "00:00:00", "1")
        #expect(try station.message(for: client) == ExpectedReply.reply("note", one))
        #expect(try station.message(for: client) == ExpectedReply.reply("notes", "[\(one)]"))
    }

    @Test func `notes can be asked for in the turn that leaves the session`() throws {
        machine.ask(.addNote(Note(recorded: "One"), .here), .online(), .start(nil))
        let client = station.client()
        client.send(call("Homework.Leave"))
        client.send(call("Homework.Notes", #"{"assignment":"1"}"#))
        client.send(call("Homework.LogMood", #"{"mood":"calm"}"#))
        client.send(call("Homework.Notes"))
        _ = try station.message(for: client)
        #expect(try station.message(for: client) == ExpectedReply.reply("notes", "[\(note("One", at: "00:00:00"))]"))
        _ = try station.message(for: client)
        #expect(try station.message(for: client) == ExpectedReply.reply("notes", "[]"))
    }

    @Test func `a watcher of a task's notes gets each new one, and nothing else`() throws {
        machine.schedule = .sound(.of(.sample("1"), .sample("2")), Fingerprint("two"))
        machine.daemon.scheduleFileChanged()
        machine.ask(.start("1"))
        let (watcher, other) = (station.client(), station.client())
        let first = [note("One", at: "00:00:00", "1")]
        _ = try add("One")
        watcher.send(call("Homework.Notes", more: true))
        other.send(call("Homework.Notes", #"{"assignment":"2"}"#, more: true))
        func notesReply(_ notes: [String]) -> String {
            "{\"continues\":true,\"parameters\":{\"notes\":[\(notes.joined(separator: ","))]}}"
        }
        #expect(try station.message(for: watcher) == notesReply(first))
        #expect(try station.message(for: other) == notesReply([]))
        machine.ask(.online(), .snooze(until: machine.clock.moment.instant + .seconds(60)))
        try station.settle()
        #expect(watcher.message() == nil)
        _ = try add("Two")
        #expect(try station.message(for: watcher) == notesReply(first + [note("Two", at: "00:00:00", "1")]))
        machine.hasThread = false
        #expect(try station.ask(call("Service.Erase", #"{"assignment":"1"}"#)) != nil)
        #expect(try station.message(for: watcher) == notesReply([]))
        #expect(other.message() == nil)
    }

    @Test func `a task that the schedule has dropped is still found with its notes, by its name and by its day`() throws
    {
        machine.schedule = .sound(.of(.sample("own")), Fingerprint("own"))
        machine.daemon.scheduleFileChanged()
        let kept = try #require(try add("Kept", #","assignment":"own""#))
        machine.schedule = .sound(.of(.sample("2", due: "2027-04-05")), Fingerprint("other"))
        machine.daemon.scheduleFileChanged()
        let written = kept.dropFirst(#"{"parameters":{"note":"#.count).dropLast(2)
        let reply = #"{"parameters":{"notes":[\#(written)],"withdrawn":true}}"#
        for name in ["own", "2027-03-05"] {
            #expect(try station.ask(call("Homework.Notes", "{\"assignment\":\"\(name)\"}")) == reply)
            let shown = try #require(try station.ask(call("Homework.Show", "{\"assignment\":\"\(name)\"}")))
            #expect(shown.contains(#""reason":"It was withdrawn from the schedule.""#) && shown.contains(written))
            #expect(shown.hasSuffix(#","withdrawn":true}}"#), "\(shown)")
        }
        #expect(
            try station.ask(call("Homework.Notes", #"{"assignment":"2027-03-06"}"#))
                == error("org.daybreak.Homework.NoSuchAssignment", #"{"assignment":"2027-03-06"}"#))
    }

    @Test func `while the history cannot be opened a watcher gets no change of the notes`() throws {
        machine.ask(.start(nil))
        _ = try add("One")
        let watcher = station.client()
        watcher.send(call("Homework.Notes", more: true))
        _ = try station.message(for: watcher)
        machine.hideHistory()
        mkdir(machine.databaseFile, 0o700)
        // The erasure fails because the history is missing. The daemon opens it again, and fails.
        let refused = try #require(try station.ask(call("Service.Erase", #"{"assignment":"1"}"#)))
        #expect(refused.hasPrefix(#"{"error":"org.daybreak.Homework.StorageUnavailable""#))
        try station.settle()
        #expect(watcher.message() == nil)
    }

    @Test func `a note is kept when the daemon ends`() throws {
        _ = try add("Ask about sleep")
        let plan = try machine.history?.plan()
        #expect(plan?.talkingPoints == 1)
        #expect(try machine.history?.reader.talkingPoints(for: nil).count == 1)
    }

    @Test func `a note for a task and for the next session is refused`() throws {
        #expect(
            try add("One", #","assignment":"1","nextSession":true"#)
                == error("org.varlink.service.InvalidParameter", #"{"parameter":"nextSession"}"#))
    }

    @Test func `a note is only sent to callers that ask for notes`() throws {
        machine.ask(.start(nil))
        let watchers = ["Homework.GetStatus", "Homework.Reminders", "Provider.Presence"].map { method in
            let watcher = station.client()
            watcher.send(call(method, more: true))
            return watcher
        }
        for watcher in watchers { _ = try station.message(for: watcher) }
        let before = machine.status
        _ = machine.take()
        _ = try add("Xylophone")
        try station.settle()
        #expect(machine.log == [])
        #expect(machine.said == [])
        #expect(machine.status == before)
        #expect(watchers.map { $0.message() } == [nil, nil, nil])
        #expect(!String(decoding: try #require(machine.status?.text), as: UTF8.self).contains("Xylophone"))
    }

    @Test func `a note is in the history, and in no other file`() throws {
        let daemon = DaemonProcess()
        #expect(daemon.isReady())
        let client = daemon.client()
        #expect(client.ask(call("Homework.AddNote", #"{"text":"Xylophone"}"#)) != nil)
        #expect(client.ask(call("Homework.GetStatus")) != nil)
        let process = "/proc/\(daemon.process)"
        let places =
            try FileManager.default.subpathsOfDirectory(atPath: daemon.folder.path).map { daemon.folder[$0] }
            + ["\(process)/cmdline", "\(process)/environ", "\(process)/comm"]
        let word = Data("Xylophone".utf8)
        let found = places.filter { FileManager.default.contents(atPath: $0)?.range(of: word) != nil }
        #expect(found == [daemon.folder["state/daybreak/history.db-wal"]])
        #expect(daemon.end(SIGTERM) == 0)
        let left = try FileManager.default.subpathsOfDirectory(atPath: daemon.folder.path).filter { path in
            FileManager.default.contents(atPath: daemon.folder[path])?.range(of: word) != nil
        }
        #expect(left == ["state/daybreak/history.db"])
        #expect(daemon.output == "")
        #expect(daemon.errors == "")
    }
}
