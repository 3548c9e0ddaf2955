import Foundation
import PracticeStore
import Storage
import Testing
import Time

/// A database that an earlier release made. Its tables, and the text of its triggers, are compared before it is opened.
@Suite struct `A practice of an earlier version` {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    @Test(arguments: [2, 3, 4])
    func `is opened and brought up to date, with everybody in it`(version: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "version-\(version)-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "practice.db").path
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appending(path: "version-\(version).db").path, toPath: path)
        try Store.inspect(path)
        let store = try Store(path)
        #expect(
            try ["Vera", "Ana", "Cleo"].map { try store.people(named: $0).map(\.name) } == [
                ["Vera"], ["Ana"], ["Cleo"],
            ])
        try store.close()
        #expect(try SQLiteDatabase(path, .reading).number("PRAGMA user_version") ?? 0 > version)
        _ = try Store.verify(path)
        let cleo = try #require(try Store(path).people(named: "Cleo").first)
        // Three tasks were assigned in version 3, and one of them was done.
        let march = CalendarDay("2027-03-01")!...CalendarDay("2027-03-31")!
        let unended = try Store(path).unendedTasks(of: ID(2), due: march)
        #expect(
            unended.filter { $0.client == cleo.id }.map { "\($0.due)" }
                == (version < 3 ? [] : ["2027-03-05", "2027-03-07"]))
    }
}
