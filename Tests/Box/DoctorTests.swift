import Foundation
import Testing

/// `daybreak doctor` on a real machine, with and without faults.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
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

    private static func report(_ client: Client, _ variables: String = "") async throws -> Report {
        let said = try await client.box.attempt("\(variables) ~/.local/bin/daybreak doctor --json")
        let report = try JSONDecoder().decode(Report.self, from: Data(said.output.utf8))
        #expect(said.status == (report.well ? 0 : 1))
        return report
    }

    /// The checks that failed.
    private static func wrong(
        _ client: Client, but ignored: [String] = ["clock"], _ variables: String = ""
    ) async throws -> [String] {
        try await report(client, variables).findings.filter { $0.state == "wrong" && !ignored.contains($0.check) }
            .map(\.check)
    }

    private static func said(
        of check: String, _ client: Client, _ variables: String = ""
    ) async throws -> String? {
        try await report(client, variables).findings.first { $0.check == check }.map { "\($0.state): \($0.finding)" }
    }

    /// Replaces timedatectl by a program that reports a synchronised clock, because nothing sets a box's clock.
    private static func layClock(_ client: Client) async throws -> String {
        try await client.box.run(
            "mkdir ~/tools; printf '#!/bin/sh\\necho yes\\n' >~/tools/timedatectl; chmod 0755 ~/tools/timedatectl")
        return "PATH=~/tools:$PATH"
    }

    @Test func `the doctor finds no fault on a sound machine and ends with 0`() async throws {
        let client = try await Client(#"[[2, "calm", "$today"], [2, "calm", "$tomorrow"]]"#)
        let tools = try await Self.layClock(client)
        try await client.box.run("ln --symbolic --force \(Box.noon) /etc/localtime", as: .root)
        try await client.box.run("systemctl --user restart daybreakd.service")
        let said = try await client.box.attempt("\(tools) ~/.local/bin/daybreak doctor")
        #expect(said.status == 0)
        let lines = said.output.split(separator: "\n")
        #expect(lines.last == "All is well.")
        // Without a desktop, the check of notifications is not good.
        #expect(lines.dropLast().map { $0.prefix(4) == "  ✓ " } == Array(repeating: true, count: 13) + [false, true])
        #expect(
            try await Self.said(of: "notifications", client)?.hasPrefix("unknown: There is no desktop here") == true)
    }

    @Test func `the doctor asks the session's bus for a notification service`() async throws {
        let client = try await Client()
        let file = "org.freedesktop.Notifications.service"
        let desktop = "DISPLAY=:0"
        #expect(
            try await Self.said(of: "notifications", client, desktop)
                == "wrong: Nothing shows notifications on your desktop.")
        try await client.box.run(
            """
            mkdir --parents ~/.local/share/dbus-1/services ~/tools
            printf '[D-BUS Service]\\nName=org.freedesktop.Notifications\\nExec=/bin/false\\n' \
                >~/.local/share/dbus-1/services/\(file)
            bus=org.freedesktop.DBus
            busctl --user call $bus /org/freedesktop/DBus $bus ReloadConfig
            printf '#!/bin/sh\\nexit 1\\n' >~/tools/busctl; chmod 0755 ~/tools/busctl
            """)
        #expect(try await Self.said(of: "notifications", client, desktop) == "good: Your desktop shows notifications.")
        #expect(
            try await Self.said(of: "notifications", client, "\(desktop) PATH=~/tools:$PATH")
                == "unknown: It is not known whether your desktop shows notifications: `busctl --user` gives no answer."
        )
    }

    @Test func `the doctor reports a volatile journal and an unreadable one`() async throws {
        let client = try await Client()
        func said() async throws -> String? { try await Self.said(of: "journal", client) }
        #expect(try await said() == "good: The journal can be read, and outlives a boot.")
        let settings = "/etc/systemd/journald.conf.d/late.conf"
        try await client.box.run("printf '[Journal]\\nStorage=volatile\\n' >\(settings)", as: .root)
        #expect(try await said() == "wrong: The journal is forgotten at each boot, as its settings want it.")
        try await client.box.run("rm \(settings); chmod 0700 /var/log/journal", as: .root)
        #expect(try await said() == "wrong: You cannot read the journal here.")
    }

    @Test func `the doctor checks an installation and names each broken part`() async throws {
        let client = try await Client()
        #expect(try await Self.wrong(client) == [])

        try await client.box.run("rm /var/lib/systemd/linger/client", as: .root)
        try await client.box.run(
            "chmod 0711 ~/.config/daybreak; systemctl --user --quiet disable daybreakd.service")
        try await client.save("[day]\ngraze_days = 3", as: "daybreak.toml")
        try await client.save("[[2, \"calm\"]]", as: "tasks.json")
        #expect(
            try await Self.wrong(client) == ["unit", "lingering", "folders", "configuration", "schedule"])

        try await client.box.run("systemctl --user stop daybreakd.socket daybreakd.service")
        #expect(
            try await Self.wrong(client)
                == ["daemon", "unit", "lingering", "folders", "configuration", "schedule"])
    }

    @Test func `the doctor finds each other fault that a machine can have`() async throws {
        let client = try await Client(#"[[2, "calm", "$today"]]"#)
        let tools = try await Self.layClock(client)
        #expect(try await Self.wrong(client, but: [], tools) == [])
        #expect(try await Self.wrong(client, but: [], "TZ=Asia/Kathmandu \(tools)") == ["zone"])
        #expect(
            try await Self.wrong(client, but: [], "\(tools) DISPLAY=:0") == ["notifications"])
        try await client.box.run("sed --in-place s/yes/no/ ~/tools/timedatectl")
        #expect(try await Self.wrong(client, but: [], tools) == ["clock"])

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
        // Without the history, the next unlock is unknown.
        #expect(try await Self.wrong(client) == ["journal", "history"])
        try await client.box.run("systemctl --user stop daybreakd.socket daybreakd.service")
        #expect(try await Self.wrong(client) == ["daemon", "unit", "journal", "history"])
    }

    @Test func `a schedule is checked without a daemon`() async throws {
        let client = try await Client()
        try await client.box.run("systemctl --user stop daybreakd.socket daybreakd.service")
        #expect(
            try await client.daybreak("schedule check ~/.config/daybreak/tasks.json")
                == "The schedule is good. Only a running daybreakd can say what it would change.")
        try await client.save("[[2, \"calm\", \"2027-02-30\"]]", as: "other.json")
        let said = try await client.attempt("schedule check ~/.config/daybreak/other.json")
        #expect(said.status == 1)
        #expect(
            said.errors
                == "/home/client/.config/daybreak/other.json:1:14: entry 1: The calendar has no day 2027-02-30.")
    }
}
