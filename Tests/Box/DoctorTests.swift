import Foundation
import Testing

/// `daybreak doctor` on a real machine: what it looks at is there, and what is broken is seen.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms), .timeLimit(.minutes(5))
)
struct DoctorTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            var check: String
            var state: String
            var finding: String
        }

        var well: Bool
        var findings: [Finding]
    }

    /// The checks that failed, without the clock's: that is the machine's own.
    private static func wrong(_ client: Client) async throws -> [String] {
        let said = try await client.attempt("doctor --json")
        let report = try JSONDecoder().decode(Report.self, from: Data(said.output.utf8))
        #expect(said.status == (report.well ? 0 : 1))
        return report.findings.filter { $0.state == "wrong" && $0.check != "clock" && $0.check != "zone" }.map(\.check)
    }

    @Test func `what is installed is well, and what is broken is named`() async throws {
        let client = try await Client()
        #expect(try await Self.wrong(client) == [])

        try await client.box.run("rm /var/lib/systemd/linger/client", as: .root)
        try await client.box.run(
            "chmod 0711 ~/.local/state/daybreak; systemctl --user --quiet disable daybreakd.service")
        try await client.save("[day]\ngraze_days = 3", as: "daybreak.toml")
        try await client.save("[[2, \"calm\"]]", as: "tasks.json")
        #expect(
            try await Self.wrong(client) == ["unit", "lingering", "folders", "configuration", "schedule"])

        try await client.box.run("systemctl --user stop daybreakd.socket daybreakd.service")
        #expect(
            try await Self.wrong(client)
                == ["daemon", "unit", "lingering", "folders", "configuration", "schedule"])
    }

    @Test func `a schedule is checked where no daemon runs`() async throws {
        let client = try await Client()
        try await client.box.run("systemctl --user stop daybreakd.socket daybreakd.service")
        #expect(
            try await client.daybreak("schedule check ~/.config/daybreak/tasks.json")
                == "The schedule is good. What it would change, only a running daybreakd can say.")
        try await client.save("[[2, \"calm\", \"2027-02-30\"]]", as: "other.json")
        let said = try await client.attempt("schedule check ~/.config/daybreak/other.json")
        #expect(said.status == 1)
        #expect(
            said.errors
                == "/home/client/.config/daybreak/other.json:1:14: entry 1: The calendar has no day 2027-02-30.")
    }
}
