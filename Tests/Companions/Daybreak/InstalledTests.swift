import Foundation
import Testing

private let programs = ProcessInfo.processInfo.environment["DAYBREAK_BIN"]

/// The programs as the installer builds them.
@Suite(.enabled(if: programs != nil, "DAYBREAK_BIN does not name their folder")) struct InstalledTests {
    // Lessons and surveys, with the reader of Markdown, took `daybreak` from 19 to 20.2 MB.
    @Test(arguments: [("daybreak", 21), ("daybreakd", 60)])
    func `no program is larger than promised`(name: String, megabytes: Int) throws {
        let folder = try #require(programs)
        let file = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        #expect(try #require(file[.size] as? Int) <= megabytes * 1_000_000)
    }
}
