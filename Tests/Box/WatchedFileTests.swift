import Foundation
import Testing

/// The client's files, which are watched, read and refused on a real machine.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct WatchedFileTests {
    @Test func `a saved schedule is taken in, whether written in place or renamed, and a faulty one is refused`()
        async throws
    {
        let client = try await Client()
        let file = "/home/client/.config/daybreak/tasks.json"
        let journal = try client.followJournal()
        try await client.save(#"[[2, "calm", "$today"], [2, "calm", "$tomorrow"]]"#, as: "tasks.json")
        _ = try await journal.line { $0 == "The schedule was taken in; it has 2 entries." }

        let three = #"[[2, "calm", "$today"], [2, "calm", "$tomorrow"], [3, "calm", "2099-01-01"]]"#
        try await client.save(three, as: "draft")
        try await client.box.run("mv ~/.config/daybreak/draft \(file)")
        _ = try await journal.line { $0 == "The schedule was taken in; it has 3 entries." }

        try await client.save("[[2, \"calm\", \"$today\"],\n [2, \"calm\", \"2027-02-30\"]]", as: "tasks.json")
        let line = try await journal.line { $0.hasPrefix("The schedule was refused: ") }
        let reason = "The calendar has no day 2027-02-30. The schedule before stays in force."
        #expect(line == "The schedule was refused: \(file):2:14: entry 2: \(reason)")
        _ = try await journal.line { $0.hasPrefix("The schedule file was refused: nothing of it was taken in.") }
        #expect(try await client.answer("list --all").assignments?.count == 3)
        #expect(try await client.reminders("scheduleRefused").map { $0["PRIORITY"] } == ["4"])
    }

    @Test func `a faulty configuration is refused by a reload and by a start, with file, line and reason`() async throws
    {
        let client = try await Client()
        let place = "/home/client/.config/daybreak/daybreak.toml:2:"
        let reason = "\(place) There is no setting day.graze_days; did you mean day.grace_days?"
        try await client.save("[day]\ngraze_days = 3", as: "daybreak.toml")
        #expect(try await client.box.attempt(Client.reloads).status == 1)
        #expect(try await client.journal().last == "\(reason) The configuration before stays in force.")
        #expect(
            try await client.journal(of: "daybreak") == [
                "\(reason) The last good configuration stays in force, and the schedule was not read."
            ])
        #expect(try await client.attempt("status").status == 0)
        #expect(try await client.box.run("~/.local/bin/daybreakd --check 2>&1 >/dev/null || true") == reason)

        #expect(try await client.box.attempt("systemctl --user restart daybreakd").status == 1)
        #expect(try await client.journal().last == reason)
        let state = "systemctl --user show --property ActiveState --property ExecMainStatus --value daybreakd"
        #expect(try await client.box.run(state).split(separator: "\n").sorted() == ["1", "failed"])

        try await client.save("[day]\ngrace_days = 3", as: "daybreak.toml")
        try await client.box.run("systemctl --user restart daybreakd")
        #expect(try await client.attempt("status").status == 0)
    }
}
