import Foundation
import Testing

/// `Tests/Benchmarks/instructions` with given counts, so that nothing is counted.
@Suite struct InstructionGuardTests {
    private static let script = URL(filePath: #filePath).appending(path: "../../Benchmarks/instructions").standardized
    private static let kept = script.deletingLastPathComponent().appending(path: "instructions.json")

    @Test(arguments: [
        (1.11, "+11.0%", "MORE than is allowed", 1), (1.09, "+9.0%", "ok", 0), (1.0, "+0.0%", "ok", 0),
        (0.91, "-9.0%", "ok", 0), (0.89, "-11.0%", "less: write it down", 0),
    ])
    func `a count more than ten per cent above the recorded one fails`(
        factor: Double, change: String, verdict: String, status: Int32
    ) throws {
        let written = try written("daybreak: list")
        let counted = Int(Double(written) * factor)
        let run = try compare(#"{"daybreak: list": \#(counted)}"#)
        let counts = "\(spelled(counted)) instructions, \(change) of \(spelled(written))"
        #expect(run.said == "daybreak: list: \(counts): \(verdict)\n")
        #expect(run.status == status)
    }

    @Test func `one count over the limit fails the whole comparison`() throws {
        let list = try written("daybreak: list")
        let status = try written("daybreak: status")
        #expect(try compare(#"{"daybreak: list": \#(list * 2), "daybreak: status": \#(status)}"#).status == 1)
    }

    @Test func `a count that is not recorded fails`() throws {
        let run = try compare(#"{"daybreak: dance": 5}"#)
        #expect(run.said == "daybreak: dance: 5 instructions, and none are written down\n")
        #expect(run.status == 1)
    }

    private struct Row: Decodable { let instructions: Int }

    private func written(_ what: String) throws -> Int {
        let rows = try JSONDecoder().decode([String: Row].self, from: Data(contentsOf: Self.kept))
        return try #require(rows[what]).instructions
    }

    private func spelled(_ number: Int) -> String {
        let digits = Array("\(number)")
        let spelled = digits.indices.map { place in
            place > 0 && (digits.count - place) % 3 == 0 ? ",\(digits[place])" : "\(digits[place])"
        }
        return spelled.joined()
    }

    private func compare(_ counts: String) throws -> (said: String, status: Int32) {
        let file = URL(filePath: "/tmp/daybreak-counts-\(UUID().uuidString).json")
        try Data(counts.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Self.script.path(), "--counted", file.path()]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: said, as: UTF8.self), process.terminationStatus)
    }
}
