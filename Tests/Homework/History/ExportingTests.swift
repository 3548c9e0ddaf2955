import Files
import Foundation
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// A history as text, and back.
struct ExportingTests {
    let place = TemporaryHistory()
    private var text: String { place.folder + "/export.jsonl" }
    private static let now = Instant(microseconds: 1_804_233_600_000_000)

    /// The lines of an export of these events.
    private func lines(_ events: [Event]) throws -> [String] {
        let history = try place.open()
        try history.record(events)
        try history.export(to: text)
        return try String(contentsOfFile: text, encoding: .utf8).split(separator: "\n").map { String($0) }
    }

    private func write(_ lines: [String]) {
        HomeworkHistoryTests.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: text)
    }

    private func expectNoHistory(_ reason: String, _ location: SourceLocation = #_sourceLocation) throws {
        let before = contents(text)
        expectRefusal(reason, location) { _ = try History.prepare(text) }
        #expect(contents(text) == before, sourceLocation: location)
        let left = try FileManager.default.contentsOfDirectory(atPath: place.folder).filter { $0.hasPrefix("export") }
        #expect(left == ["export.jsonl"], sourceLocation: location)
    }

    @Test func `an export has every event`() throws {
        let head = try lines(OneOfEach.events)[0]
        #expect(head == #"{"daybreak":"history","version":\#(Tables.version),"events":\#(OneOfEach.events.count)}"#)
        #expect(mode(text) == "600")
        #expect(try History.prepare(text).eventCount == OneOfEach.events.count)
        #expect(try History(at: text).events() == OneOfEach.events)
    }

    @Test(arguments: [#"\u0000"#, #"\\u0000"#, #"\"#, "\"", "a\u{2028}b", "🌅é", "e\u{301}", "\u{FEFF}", "\u{10FFFF}"])
    func `any text of the client is exported and read again`(name: String) throws {
        let events = [
            OneOfEach.event(.presenceTold(Presence(online: true, name: name, since: Self.now, until: Self.now))),
            OneOfEach.event(.noteWritten(nil, Note(recorded: name)), number: 2),
        ]
        _ = try lines(events)
        #expect(try History.prepare(text).eventCount == 2)
        let read = try History(at: text).events()
        #expect(read.map(\.what) == events.map(\.what))
    }

    @Test func `a log that an earlier attempt left beside a file is not taken for its own`() throws {
        let other = TemporaryHistory()
        let history = try other.open()
        try history.record(OneOfEach.events)
        // While the history is open, its events stand in the log.
        for suffix in ["-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: other.path + suffix, toPath: text + suffix)
        }
        let own = try place.open()
        try own.record([OneOfEach.events[0]])
        try own.closeAsOneFile()
        try FileManager.default.copyItem(atPath: place.path, toPath: text)
        #expect(try History.prepare(text).eventCount == 1)
        #expect(try History(at: text).events() == [OneOfEach.events[0]])
    }

    /// Such a character in a line of JSON is spelled as six others, and an export can be edited.
    @Test(arguments: [
        (Happening.noteWritten(nil, Note(recorded: "a\u{1B}[2Jb")), "note"),
        (.noteWritten("1", Note(recorded: "\0")), "note"), (.noteWritten(nil, Note(recorded: "a\r\nb")), "note"),
        (.moodLogged("1", Mood("calm\u{7}")), "mood"), (.moodCorrected("1", Mood("\u{9B}2J")), "mood"),
        (.moodLogged("1", Mood("two\nlines")), "mood"),
        (.assigned(.sample(moods: ["calm", "\u{7F}"])), "moods"), (.revised(.sample(moods: ["\u{1}"])), "moods"),
        (.presenceTold(Presence(online: true, name: "\u{1B}c", since: Self.now, until: Self.now)), "provider"),
    ])
    func `a control character puts no history in the place of another`(what: Happening, field: String) throws {
        let history = try place.open()
        try history.record([OneOfEach.event(.snoozeEnded), OneOfEach.event(what)])
        try history.export(to: text)
        let reason = "Event 2 has a control character in its \(field), which a terminal would obey"
        expectRefusal(reason) { _ = try History.prepare(text) }
        try history.backUp(to: text)
        expectRefusal(reason) { _ = try History.prepare(text) }
    }

    @Test(arguments: [
        (String(repeating: "x", count: Note.byteLimit + 1), "Event 1 has a note of more than 4096 bytes"),
        (" \n ", "Event 1 has a note without a word"),
    ])
    func `a history with an impossible note does not replace another one`(
        note: String, reason: String
    ) throws {
        _ = try lines([OneOfEach.event(.noteWritten(nil, Note(recorded: note)))])
        expectRefusal(reason) { _ = try History.prepare(text) }
    }

    @Test func `an erased note and mood, and a note of several lines, are restored`() throws {
        let events = [
            OneOfEach.event(.noteWritten(nil, Note(recorded: "two\nlines"))),
            OneOfEach.event(.noteWritten("1", Note(recorded: "")), number: 2),
            OneOfEach.event(.moodLogged("1", .erased), number: 3),
        ]
        _ = try lines(events)
        #expect(try History.prepare(text).eventCount == 3)
    }

    @Test func `an export without its end is refused`() throws {
        let lines = try lines(OneOfEach.events)
        let count = OneOfEach.events.count
        for kept in [count - 1, 1, 0] {
            write(Array(lines[...kept]))
            try expectNoHistory("It is not whole: it says that it holds \(count) events, and holds \(kept)")
        }
        // Ends in the middle of a line.
        write(lines.dropLast() + [String(lines[count].dropLast(5))])
        try expectNoHistory("Line \(count + 1) is none that `daybreak export` writes")
    }

    @Test func `an export without its number of events is accepted`() throws {
        var lines = try lines(OneOfEach.events)
        lines[0] = #"{"daybreak":"history","version":4}"#
        write(lines)
        #expect(try History.prepare(text).eventCount == OneOfEach.events.count)
    }

    @Test func `the last line of an export may lack its line feed`() throws {
        let lines = try lines(OneOfEach.events)
        HomeworkHistoryTests.write(Array(lines.joined(separator: "\n").utf8), to: text)
        #expect(try History.prepare(text).eventCount == OneOfEach.events.count)
    }

    @Test(arguments: [
        (#"{"daybreak":"history"}"#, "It does not begin as `daybreak export` does"),
        ("{", "Line 1 is none that `daybreak export` writes"),
    ])
    func `a file that does not begin as an export is refused`(head: String, reason: String) throws {
        write([head])
        try expectNoHistory(reason)
    }

    @Test func `an export with a number out of bounds is refused`() throws {
        let lines = try lines([OneOfEach.event(.reminded(Reminder(id: "2027-03-05/missed/1", kind: .missed)))])
        write(lines.map { $0.replacing(#""minute":481"#, with: #""minute":9223372036854775807"#) })
        #expect(refusal { _ = try History.prepare(text) } == "The history is damaged: event 1 has no sound minute")
    }

    @Test func `a line over the limit is refused, and a long line is read`() throws {
        let moods = (1...50).map { "\($0)" + String(repeating: "\"", count: 9_000) }
        _ = try lines([OneOfEach.event(.assigned(.sample(moods: moods.map { Mood($0) })))])
        #expect(try File.size(of: text) > 900_000)
        #expect(try History.prepare(text).eventCount == 1)
        write([
            #"{"daybreak":"history","version":4}"#, String(repeating: " ", count: SQLiteDatabase.longestLine + 70_000),
        ])
        try expectNoHistory("The file has a longer line than `daybreak export` writes")
    }

    /// At the limit of a file's size, a write takes the bytes that fit, and the next one fails.
    @Test func `a copy that the disk takes only in part is an error`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            let (file, copy) = (place.folder + "/file", place.folder + "/copy")
            HomeworkHistoryTests.write([UInt8](repeating: 7, count: 120_000), to: file)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            expectRefusal("Could not write \(copy): File too large") { try File.copy(file, to: copy) }
        }
    }
}
