import Foundation
import Testing

/// The way through a task, with the real programs and a real service manager.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct FlowTests {
    @Test func `a task is completed verb by verb, and only the client can read its mood`() async throws {
        // The word is spelled backwards here, because the journal keeps the command lines of login sessions, and so of this
        // test.
        let (drow, word) = ("suoryhpez", "zephyrous")
        let client = try await Client(#"[[1, ["$(echo \#(drow) | rev)", "calm"], "$today"]]"#)
        #expect(try await client.answer("start").flow?.stage == "exercise")
        try await client.daybreak("breathe")
        #expect(try await client.stage() == "waiting")
        #expect(try await client.attempt("join").status == 1)
        try await client.daybreak("provider online")
        #expect(try await client.answer("join").flow?.stage == "session")
        #expect(try await client.answer("leave").flow?.stage == "mood")
        let done = try await client.answer("mood $(echo \(drow) | rev)")
        #expect(done.flow == nil)
        #expect(done.assignment?.state == "completed")
        #expect(done.assignment?.mood == word)

        let today = try await client.today()
        let kinds = try await client.reminders().map { $0["DAYBREAK_KIND"] }
        #expect(kinds == ["scheduleTaken", "unlocked", "providerAvailable", "completed"])
        var completed = try #require(try await client.reminders("completed").first)
        completed["at"] = nil
        #expect(
            completed == [
                "MESSAGE": "The task is completed.", "MESSAGE_ID": "9c706e2591e3466194cce0f7a62f554f", "PRIORITY": "6",
                "SYSLOG_IDENTIFIER": "daybreakd", "DAYBREAK_KIND": "completed", "DAYBREAK_TASK": today,
                "DAYBREAK_DUE": today, "DAYBREAK_REMINDER": "\(today)/completed/\(today)",
            ])

        let told = "grep --count --ignore-case \"$(echo \(drow) | rev)\" || true"
        #expect(try await client.box.run("journalctl --all --output export | \(told)", as: .root) == "0")
        #expect(try await client.box.run("cat $XDG_RUNTIME_DIR/daybreak/status.json | \(told)") == "0")
        #expect(try await client.box.run("systemctl --user status --full --lines 1000 daybreakd | \(told)") == "0")
        #expect(try await client.daybreak("list --json | \(told)") == "1")
    }

    @Test func `a restart in the exercise or in the wait room keeps the place and repeats no reminder`()
        async throws
    {
        let client = try await Client(settings: Self.slowerBreaths)
        try await client.answer("start")
        let led = try await breathe(client, until: "Breath 2 of 2")
        try await client.box.run("systemctl --user restart daybreakd")
        withExtendedLifetime(led) {}
        let waits = try await client.answer("status").status?.flow
        #expect(waits?.stage == "exercise")
        #expect(waits?.exercise == Answer.Exercise(breath: 2, breaths: 2, paused: true, guided: false))

        let lines = try await client.daybreak("breathe").split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("Breath ") } == ["Breath 2 of 2"])
        let before = try await client.answer("status").status?.flow
        try await client.box.run("systemctl --user restart daybreakd")
        #expect(try await client.answer("status").status?.flow == before)
        #expect(before?.stage == "waiting")
        #expect(try await client.reminders().map { $0["DAYBREAK_KIND"] } == ["scheduleTaken", "unlocked"])
    }

    @Test func `a daemon killed in the exercise is restarted and keeps every whole breath`() async throws {
        let client = try await Client(settings: Self.slowerBreaths)
        try await client.answer("start")
        let led = try await breathe(client, until: "Breath 2 of 2")
        try await client.box.run("kill -KILL $(\(Client.process))")
        withExtendedLifetime(led) {}
        let waits = try await client.answer("status").status?.flow
        #expect(waits?.exercise == Answer.Exercise(breath: 2, breaths: 2, paused: true, guided: false))
        #expect(try await client.box.run("systemctl --user show --property NRestarts --value daybreakd") == "1")
    }

    @Test func `stopping the service writes nothing to the journal and removes the status file`() async throws {
        let client = try await Client()
        try await client.answer("start")
        let before = try await client.journal()
        try await client.box.run("systemctl --user stop daybreakd.service")
        let after = try await client.journal()
        #expect(after == before)
        #expect(try await client.box.run("ls $XDG_RUNTIME_DIR/daybreak") == "control")
        #expect(try await client.box.run("systemctl --user show --property Result --value daybreakd") == "success")
    }

    @Test func `an upgrade in the middle of a session loses nothing`() async throws {
        let client = try await Client()
        try await client.daybreak("provider online")
        let before = try await client.answer("start").flow
        #expect(before?.stage == "session")
        let process = try await client.box.run(Client.process)
        try await client.box.run(Client.install)
        #expect(try await client.box.run(Client.process) != process)
        #expect(try await client.answer("status").status?.flow == before)
        #expect(try await client.answer("status").status?.providerOnline == true)
        try await client.daybreak("leave")
        #expect(try await client.answer("mood calm").assignment?.state == "completed")
    }

    /// Breaths that are long enough to be interrupted on a slow machine.
    private static let slowerBreaths = "[breathing]\npattern = \"1-0-5-0\""

    /// Leads the client through the exercise, at least until that line is printed.
    private func breathe(_ client: Client, until line: String) async throws -> Box.Following {
        let led = try client.box.follow("~/.local/bin/daybreak breathe 2>/dev/null")
        _ = try await led.line { $0 == line }
        return led
    }
}
