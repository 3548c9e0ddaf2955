import Foundation
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// A history as text, and out of it again.
struct ExportingTests {
    let place = TemporaryHistory()
    private var text: String { place.folder + "/export.jsonl" }

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

    @Test func `an export holds everything`() throws {
        let head = try lines(OneOfEach.events)[0]
        #expect(head == #"{"daybreak":"history","version":\#(Tables.version),"events":\#(OneOfEach.events.count)}"#)
        #expect(mode(text) == "600")
        #expect(try History.prepare(text) == OneOfEach.events.count)
        #expect(try History(at: text).events() == OneOfEach.events)
    }

    @Test(arguments: [
        "\0", "a\0b", "\0\0", "\u{1}", "\u{1}\u{2}", "\u{1}\0\u{3}\u{1}\u{3}", #"\u0000"#, #"\\u0000"#, "\\\0", #"\"#,
        "\u{7F}\u{85}\u{2028}", "\r\n\t", "🌅\0é",
    ])
    func `whatever a text holds, an export holds it`(name: String) throws {
        let now = Instant(microseconds: 1_804_233_600_000_000)
        let events = [
            OneOfEach.event(.presenceTold(Presence(online: true, name: name, since: now, until: now))),
            OneOfEach.event(.noteWritten(nil, Note(recorded: name)), number: 2),
        ]
        _ = try lines(events)
        #expect(try History.prepare(text) == 2)
        let read = try History(at: text).events()
        #expect(read.map(\.what) == events.map(\.what))
    }

    @Test func `an export without its end is refused`() throws {
        let lines = try lines(OneOfEach.events)
        let count = OneOfEach.events.count
        for kept in [count - 1, 1, 0] {
            write(Array(lines[...kept]))
            try expectNoHistory("It is not whole: it says that it holds \(count) events, and holds \(kept)")
        }
        // In the middle of a line.
        write(lines.dropLast() + [String(lines[count].dropLast(5))])
        try expectNoHistory("Line \(count + 1) is none that `daybreak export` writes")
    }

    @Test func `an export that does not say how many events it holds is taken`() throws {
        var lines = try lines(OneOfEach.events)
        lines[0] = #"{"daybreak":"history","version":4}"#
        write(lines)
        #expect(try History.prepare(text) == OneOfEach.events.count)
    }

    @Test func `the last line of an export need not be ended`() throws {
        let lines = try lines(OneOfEach.events)
        HomeworkHistoryTests.write(Array(lines.joined(separator: "\n").utf8), to: text)
        #expect(try History.prepare(text) == OneOfEach.events.count)
    }

    @Test(arguments: [
        (#"{"daybreak":"history"}"#, "It does not begin as `daybreak export` does"),
        ("{", "Line 1 is none that `daybreak export` writes"),
    ])
    func `what does not begin as an export is refused`(head: String, reason: String) throws {
        write([head])
        try expectNoHistory(reason)
    }

    @Test func `a number that no Daybreak wrote puts no history in the place of another`() throws {
        let lines = try lines([OneOfEach.event(.reminded(Reminder(id: "2027-03-05/missed/1", kind: .missed)))])
        write(lines.map { $0.replacing(#""minute":481"#, with: #""minute":9223372036854775807"#) })
        #expect(refusal { _ = try History.prepare(text) } == "The history is damaged: event 1 has no sound minute")
    }

    @Test func `a line longer than any is refused, and a long one is read`() throws {
        let note = Note(recorded: String(repeating: "\"", count: 500_000))
        _ = try lines([OneOfEach.event(.noteWritten(nil, note))])
        #expect(try History.prepare(text) == 1)
        write([#"{"daybreak":"history","version":4}"#, String(repeating: " ", count: Database.longestLine + 70_000)])
        try expectNoHistory("The file has a longer line than `daybreak export` writes")
    }

    /// Where files may grow no further, a write takes what has room, and the next one says why.
    @Test func `what the disk takes in part is written on, and what it does not take is told`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            let (file, copy) = (place.folder + "/file", place.folder + "/copy")
            HomeworkHistoryTests.write([UInt8](repeating: 7, count: 120_000), to: file)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            expectRefusal("Could not write \(copy): File too large") { try History.lay(file, at: copy) }
        }
    }
}
