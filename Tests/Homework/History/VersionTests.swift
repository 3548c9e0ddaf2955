import Foundation
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// Histories of every version, written by the daemons of that version, are kept and can always be opened.
struct VersionTests {
    /// The first version with `daybreak export`.
    private static let firstExported = 3

    let place = TemporaryHistory()
    private var text: String { place.folder + "/export.jsonl" }

    private static func fixture(_ version: Int, _ ending: String = "db") -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version-\(version).\(ending)")
    }

    private func put(_ version: Int) throws {
        write(try Array(Data(contentsOf: Self.fixture(version))), to: place.path)
    }

    /// Fails for a new version, after writing its files. Commit them; they are never written again.
    @Test func `the present version has its sample files`() throws {
        guard access(Self.fixture(Tables.version, "jsonl").path(), F_OK) != 0 else { return }
        Issue.record("The version \(Tables.version) had no files of its own; it has now. Commit them.")
        let history = try place.open()
        try history.record(OneOfEach.events)
        try history.export(to: text)
        try history.close()
        for (path, ending) in [(place.path, "db"), (text, "jsonl")] {
            try Data(contentsOf: URL(filePath: path)).write(to: Self.fixture(Tables.version, ending))
        }
    }

    @Test(arguments: 1...Tables.version)
    func `a history of each version keeps all of its events when it is migrated`(version: Int) throws {
        try put(version)
        #expect(try place.shell("PRAGMA user_version") == "\(version)")
        let columns = try place.shell("SELECT name FROM pragma_table_info('event')").split(separator: "\n")
        let before = try place.shell("SELECT \(columns.joined(separator: ", ")) FROM event ORDER BY seq")
        let history = try place.open()
        #expect(try place.shell("PRAGMA user_version") == "\(Tables.version)")
        let now = columns.map { column in
            (Tables.shared + ["body"]).contains(String(column)) ? String(column) : "json_extract(body, '$.\(column)')"
        }
        #expect(try place.shell("SELECT \(now.joined(separator: ", ")) FROM event ORDER BY seq") == before)
        #expect(try history.events().count == history.eventCount && history.eventCount > 0)
        #expect(try History.verify(at: place.path) == history.eventCount)
    }

    @Test(arguments: firstExported...Tables.version)
    func `an export of each version is read as the history that it was made of`(version: Int) throws {
        try put(version)
        write(try Array(Data(contentsOf: Self.fixture(version, "jsonl"))), to: text)
        let events = try place.open().events()
        #expect(try History.prepare(text).eventCount == events.count)
        #expect(try History(at: text).events() == events)
        if version == Tables.version { #expect(events == OneOfEach.events) }
    }

    @Test(arguments: firstExported...Tables.version)
    func `a history of each version has every kind that the version knows`(version: Int) throws {
        try put(version)
        func names(_ column: String) throws -> Set<String> {
            Set(try place.shell("SELECT DISTINCT \(column) FROM event").split(separator: "\n").map(String.init))
        }
        #expect(try names("kind") == SpellingTests.known(SpellingTests.kinds, through: version))
        let reminderKind = version < 4 ? "reminder_kind" : "json_extract(body, '$.reminder_kind')"
        #expect(try names(reminderKind) == SpellingTests.known(SpellingTests.reminderKinds, through: version))
    }

    @Test func `a history of version 1 is migrated with all of its events`() throws {
        try put(1)
        let history = try place.open()
        #expect(history.eventCount == 37)
        let plan = try history.plan()
        #expect(plan.progress["before-the-exam"]?.mood == "zażółć")
        #expect(plan.progress["before-the-exam"]?.completedOn == "2026-11-21")
        #expect(plan.progress["2026-11-21"]?.breathsDone == 2)
        #expect(plan.flow?.assignment == "2026-11-20")
        #expect(plan.flow?.stage == .mood)
        #expect(plan.agenda["2026-11-22"]?.moods == ["calm", "tired"])
    }

    @Test func `a copy from before the migration is kept`() throws {
        try put(1)
        let before = try place.shell("SELECT * FROM event")
        _ = try place.open()
        let copy = TemporaryHistory()
        let kept = URL(filePath: place.folder + "/backups/before-version-\(Tables.version).db")
        write(try Array(Data(contentsOf: kept)), to: copy.path)
        #expect(mode(kept.path()) == "600")
        #expect(try copy.shell("PRAGMA user_version") == "1")
        #expect(try copy.shell("SELECT * FROM event") == before)
        #expect(try copy.open().eventCount == 37)
    }

    @Test func `a history of version 2 is migrated with its notes`() throws {
        try put(2)
        let history = try place.open()
        #expect(history.eventCount == 38)
        #expect(
            try history.reader.steps(of: "2026-11-20").last?.what
                == .noteWritten("2026-11-20", Note(recorded: "What I thought of")))
    }

    @Test(arguments: 1..<Tables.version)
    func `a migrated history has the tables of a new one`(version: Int) throws {
        try put(version)
        _ = try place.open()
        let new = TemporaryHistory()
        try new.record([])
        let tables = "SELECT sql FROM sqlite_master ORDER BY rowid"
        #expect(try place.shell(tables) == new.shell(tables))
    }

    @Test func `new events are recorded after the migrated ones`() throws {
        try put(1)
        let history = try place.open()
        let event = OneOfEach.event(.noteWritten("2026-11-20", Note(recorded: "A word")))
        try history.record([event])
        #expect(history.eventCount == 38)
        #expect(try history.events().last == event)
    }
}
