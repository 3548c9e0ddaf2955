import Foundation
import Homework
import TestSupport
import Testing

@testable import History

/// Histories of every version that was released, as the daemons of then wrote them: kept, and opened for ever.
struct VersionTests {
    let place = TemporaryHistory()

    private func put(_ version: Int) throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/version-\(version).db")
        write(try Array(Data(contentsOf: fixture)), to: place.path)
    }

    @Test func `version 1 is opened and brought up to date, and all that happened is there`() throws {
        try put(1)
        #expect(try place.shell("PRAGMA user_version") == "1")
        let before = try place.shell("SELECT * FROM event").split(separator: "\n").map { "\($0)|" }
        let history = try place.open()
        #expect(history.eventCount == 37)
        #expect(try place.shell("PRAGMA user_version") == "3")
        #expect(try place.shell("SELECT * FROM event").split(separator: "\n").map { String($0) } == before)
        let plan = try history.plan()
        #expect(plan.progress["before-the-exam"]?.mood == "zażółć")
        #expect(plan.progress["before-the-exam"]?.completedOn == "2026-11-21")
        #expect(plan.progress["2026-11-21"]?.breathsDone == 2)
        #expect(plan.flow?.assignment == "2026-11-20")
        #expect(plan.flow?.stage == .mood)
        #expect(plan.agenda["2026-11-22"]?.moods == ["calm", "tired"])
    }

    @Test func `before it is brought up to date, a copy of it is kept as it was`() throws {
        try put(1)
        let before = try place.shell("SELECT * FROM event")
        _ = try place.open()
        let copy = TemporaryHistory()
        let kept = URL(filePath: place.folder + "/backups/before-version-3.db")
        write(try Array(Data(contentsOf: kept)), to: copy.path)
        #expect(mode(kept.path()) == "600")
        #expect(try copy.shell("PRAGMA user_version") == "1")
        #expect(try copy.shell("SELECT * FROM event") == before)
        #expect(try copy.open().eventCount == 37)
    }

    @Test func `version 2 is opened and brought up to date, and its notes are there`() throws {
        try put(2)
        #expect(try place.shell("PRAGMA user_version") == "2")
        let before = try place.shell("SELECT * FROM event")
        let history = try place.open()
        #expect(history.eventCount == 38)
        #expect(try place.shell("PRAGMA user_version") == "3")
        #expect(try place.shell("SELECT * FROM event") == before)
        #expect(
            try history.steps(of: "2026-11-20").last?.what
                == .noteWritten("2026-11-20", Note(recorded: "What I thought of")))
    }

    @Test(arguments: [1, 2]) func `a history brought up to date has the tables of one that is new`(version: Int) throws
    {
        try put(version)
        _ = try place.open()
        let new = TemporaryHistory()
        try new.record([])
        let tables = "SELECT sql FROM sqlite_master ORDER BY rowid"
        #expect(try place.shell(tables) == new.shell(tables))
    }

    @Test func `what happens after it is written behind it`() throws {
        try put(1)
        let history = try place.open()
        let event = OneOfEach.event(.noteWritten("2026-11-20", Note(recorded: "A word")))
        try history.record([event])
        #expect(history.eventCount == 38)
        #expect(try history.events().last == event)
    }
}
