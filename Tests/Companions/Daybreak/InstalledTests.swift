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

    /// `Sources/Platform/Text/Searching.swift` tells why. `practiced` checks a clinic's own fields by regular expressions, and
    /// ArgumentParser's Foundation has them in `daybreak` and `practice`.
    @Test(arguments: [
        ("daybreakd", false), ("daybreak-link", false), ("daybreak-notify", false), ("practice-gate", false),
        ("practiced", true),
    ])
    func `a program without regular expressions is not linked with their library`(name: String, has: Bool) throws {
        let program = try Data(contentsOf: URL(filePath: "\(try #require(programs))/\(name)"))
        #expect((program.firstRange(of: Data("_RegexParser".utf8)) != nil) == has)
    }
}
