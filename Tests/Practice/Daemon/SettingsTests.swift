import Foundation
import PracticeRules
import TOML
import Testing

@testable import PracticeDaemon

@Suite struct `The settings that are delivered` {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../../Config").standardized

    private func file(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    private func spelled(_ settings: PracticeSettings) -> [String] {
        PracticeSettings.rows.map { "\($0.name) = \($0.spelled(settings))" }
    }

    @Test func `the delivered file has the defaults`() throws {
        let settings = try PracticeSettings.read(file("practice.toml"), file: "practice.toml")
        #expect(spelled(settings) == spelled(PracticeSettings()))
    }

    @Test func `the delivered file names every setting, with its default`() throws {
        let named = try file("practice.toml").matches(of: #/(?m)^#?([a-z_]+ = .*|\[[a-z]+\])$/#).map { String($0.1) }
        var expected: [String] = []
        for row in PracticeSettings.rows where row.name != "client.field" {
            let header = "[\(row.table ?? "")]"
            if !expected.contains(header) { expected.append(header) }
            expected.append("\(row.key ?? "") = \(row.spelled(PracticeSettings()))")
        }
        #expect(named == expected)
    }

    @Test func `the field in the delivered file is one, once the # before it is taken away`() throws {
        let lines = try file("practice.toml").split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "# [[client.field]]"))
        let text = lines[start...].map { $0.dropFirst(2) }.joined(separator: "\n")
        var field = ClientField()
        (field.name, field.label, field.pattern) = ("insurance", "Insurance number", "[A-Z][0-9]{9}")
        #expect(try PracticeSettings.read(text, file: "practice.toml").clientFields == [field])
    }

    /// The table in `Config/README.md` is written by this test: where it fails, copy what it expected.
    @Test func `the table of settings names each with what it takes and its default`() throws {
        let rows = PracticeSettings.rows.map { "| `\($0.name)` | \($0.takes) | `\($0.spelled(PracticeSettings()))` |" }
        let ofPractice = try file("README.md").components(separatedBy: "\n## The practice").last ?? ""
        #expect(ofPractice.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init) == rows)
    }
}
