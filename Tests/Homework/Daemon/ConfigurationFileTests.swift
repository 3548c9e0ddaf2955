import Foundation
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

@Suite struct ConfigurationFileTests {
    @Test func `a missing file gives the defaults`() throws {
        try TemporaryFolder.with { folder in
            let loaded = try Configuration.load("\(folder)/daybreak.toml")
            #expect(loaded == Configuration())
        }
    }

    @Test func `settings are read from the file`() throws {
        try TemporaryFolder.with { folder in
            let path = "\(folder)/daybreak.toml"
            try Data("day.grace_days = 5".utf8).write(to: URL(filePath: path))
            #expect(try Configuration.load(path).settings.graceDays == 5)
        }
    }

    @Test func `a file of the greatest size is read, and one byte more is refused`() throws {
        try TemporaryFolder.with { folder in
            let path = "\(folder)/daybreak.toml"
            try Data(repeating: UInt8(ascii: "#"), count: 65_536).write(to: URL(filePath: path))
            #expect(try Configuration.load(path) == Configuration())
            try Data(repeating: UInt8(ascii: "#"), count: 65_537).write(to: URL(filePath: path))
            expectFailure(at: path, "It has more than 65536 bytes.")
        }
    }

    @Test func `a file that is not text is refused`() throws {
        try TemporaryFolder.with { folder in
            let path = "\(folder)/daybreak.toml"
            try Data([0x23, 0xFF]).write(to: URL(filePath: path))
            expectFailure(at: path, "It is not UTF-8 text.")
        }
    }

    @Test func `a folder in the file's place is refused`() throws {
        try TemporaryFolder.with { expectFailure(at: $0, "It is a folder, where a file must be.") }
    }

    @Test func `a pipe in the file's place is refused without waiting`() throws {
        try TemporaryFolder.with { folder in
            let path = "\(folder)/daybreak.toml"
            must(mkfifo(path, 0o600))
            expectFailure(at: path, "It is a pipe, where a file must be.")
        }
    }

    @Test func `a link to a missing file is a fault, and does not give the defaults`() throws {
        try TemporaryFolder.with { folder in
            let path = "\(folder)/daybreak.toml"
            must(symlink("\(folder)/dotfiles/daybreak.toml", path))
            let reason = "It is a link to where daybreakd sees no file (`daybreak doctor` says more)."
            expectFailure(at: path, reason)
        }
    }

    @Test func `a path through a file is refused`() throws {
        try TemporaryFolder.with { folder in
            try Data().write(to: URL(filePath: "\(folder)/file"))
            expectFailure(at: "\(folder)/file/daybreak.toml", "It cannot be read: Not a directory.")
        }
    }

    private func expectFailure(at path: String, _ reason: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path) }
        #expect(error == ConfigurationError(file: path, line: nil, reason: reason))
        #expect(error?.description == "\(path): \(reason)")
    }

    // MARK: The file that is delivered

    private static let folder = URL(filePath: #filePath).appending(path: "../../../../Config").standardized

    private var delivered: String { get throws { try file("daybreak.toml") } }

    private func file(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    @Test func `the installed file has the defaults`() throws {
        #expect(try Configuration.read(delivered, file: "daybreak.toml") == Configuration())
    }

    @Test func `the installed file names every setting with its default`() throws {
        let named = try delivered.matches(of: #/(?m)^#?([a-z_]+ = .*|\[[a-z]+\])$/#).map { String($0.1) }
        var expected: [String] = []
        for row in Configuration.rows {
            let header = "[\(row.table ?? "")]"
            if !expected.contains(header) { expected.append(header) }
            if let key = row.key { expected.append("\(key) = \(row.spelled(Configuration()))") }
        }
        #expect(named == expected)
    }

    /// This test checks the table of settings in `Config/README.md`. If it fails, copy the expected table.
    @Test func `the table of settings names each setting, its values and its default`() throws {
        let text = try file("README.md")
        let rows = Configuration.rows.map { row in
            row.key == nil
                ? "| `[\(row.table ?? "")]` | \(row.takes) | none |"
                : "| `\(row.name)` | \(row.takes) | `\(row.spelled(Configuration()))` |"
        }
        let ofClient = text.components(separatedBy: "\n## The practice")[0]
        #expect(ofClient.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init) == rows)
    }

    @Test func `every installed file is explained`() throws {
        let text = try file("README.md")
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path()).filter { $0 != "README.md" }
        #expect(names.filter { !text.contains("- `\($0)`") } == [])
    }
}

private enum TemporaryFolder {
    static func with(_ use: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try use(folder.path())
    }
}
