import Foundation
import Testing

/// `daybreak doctor` on a real machine: what it looks at is there, and what is broken is seen.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .timeLimit(.minutes(20))
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
    private static func wrong(_ client: Client, but ignored: [String] = ["clock", "zone"], _ variables: String = "")
        async throws -> [String]
    {
        let said = try await client.box.attempt("\(variables) ~/.local/bin/daybreak doctor --json")
        let report = try JSONDecoder().decode(Report.self, from: Data(said.output.utf8))
        #expect(said.status == (report.well ? 0 : 1))
        return report.findings.filter { $0.state == "wrong" && !ignored.contains($0.check) }.map(\.check)
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

    @Test func `what else can be wrong on a machine is seen there, one after the other`() async throws {
        let client = try await Client(#"[[2, "calm", "$today"]]"#)
        // Nobody sets a box's clock; a program of that name says what a machine's would.
        try await client.box.run(
            "mkdir ~/tools; printf '#!/bin/sh\\necho yes\\n' >~/tools/timedatectl; chmod 0755 ~/tools/timedatectl")
        let usual = "TZ=$(cat /etc/timezone 2>/dev/null || echo UTC) PATH=~/tools:$PATH"
        #expect(try await Self.wrong(client, but: ["zone"], usual) == [])
        #expect(try await Self.wrong(client, but: [], "TZ=Asia/Kathmandu PATH=~/tools:$PATH") == ["zone"])
        #expect(try await Self.wrong(client, but: ["zone"], "DISPLAY=:0 \(usual)") == ["notifications"])
        try await client.box.run("sed --in-place s/yes/no/ ~/tools/timedatectl")
        #expect(try await Self.wrong(client, but: ["zone"], usual) == ["clock"])

        try await client.box.run("rm -r /var/log/journal", as: .root)
        #expect(try await Self.wrong(client) == ["journal"])
        try await client.save("[]", as: "tasks.json")
        try await client.daybreak("reload")
        #expect(try await Self.wrong(client) == ["journal", "nextUnlock"])
        try await client.box.run(
            "mount --types tmpfs --options size=1m,mode=0700,uid=client tmpfs ~client/.local/state/daybreak", as: .root)
        #expect(try await Self.wrong(client) == ["journal", "disk", "nextUnlock"])
        try await client.box.run("umount ~client/.local/state/daybreak", as: .root)
        try await client.box.run(
            """
            systemctl --user stop daybreakd.service
            printf '%0256d' 0 | dd of=~/.local/state/daybreak/history.db bs=4096 seek=1 conv=notrunc status=none
            systemctl --user start daybreakd.service
            """)
        #expect(try await Self.wrong(client) == ["journal", "history", "nextUnlock"])
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
