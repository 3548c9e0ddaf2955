import Foundation
import Testing

/// The reminders in a real journal.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct ReminderTests {
    @Test func `a reminder is in the journal with every field, and is explained if root has the catalog`() async throws
    {
        let client = try await Client()
        let today = try await client.today()
        var unlocked = try #require(try await client.reminders("unlocked").first)
        unlocked["at"] = nil
        #expect(
            unlocked == [
                "MESSAGE": "A task is open. `daybreak start` begins it.",
                "MESSAGE_ID": "bb39912e6c7349b6bf553d68c16f2e4c", "PRIORITY": "5", "SYSLOG_IDENTIFIER": "daybreakd",
                "DAYBREAK_KIND": "unlocked", "DAYBREAK_TASK": today, "DAYBREAK_DUE": today,
                "DAYBREAK_REMINDER": "\(today)/unlocked/\(today)",
            ])
        try await client.box.run(
            """
            install -D --mode 0644 \(Box.clone)/systemd/daybreak.catalog /usr/local/lib/systemd/catalog/daybreak.catalog
            journalctl --update-catalog
            """, as: .root)
        #expect(
            try await client.box.run("journalctl --user --quiet --catalog DAYBREAK_KIND=unlocked | tail --lines +2")
                == """
                ░░ Subject: A task is open
                ░░ Defined-By: Daybreak
                ░░ Support: daybreak --help
                ░░\u{20}
                ░░ The day of a task has begun, or an open task became the next one to do.
                ░░ `daybreak start` leads through it: slow breaths, the wait room, the session,
                ░░ a word for the mood. `daybreak` alone shows the task.
                """)
    }

    @Test func `at midnight the next task unlocks, and the earlier one is late`() async throws {
        let client = try await Client(#"[[2, "calm, tired", "$today"], [2, "calm, tired", "$tomorrow"]]"#, midnight: 15)
        let midnight = try #require(client.midnight)
        let journal = try client.followJournal()
        _ = try await journal.line { $0.hasPrefix("A task is open.") }
        _ = try await journal.line { $0.hasPrefix("A task is open.") }

        let reminder = try #require(try await client.reminders("unlocked").last)
        #expect(reminder["DAYBREAK_TASK"] == midnight.tomorrow)
        let at = try #require(reminder["at"].flatMap { Int($0) })
        #expect(at >= midnight.begins)
        print("Midnight to journal entry: \(Double(at - midnight.begins) / 1_000) ms")

        let list = try #require(try await client.answer("list --all").assignments)
        #expect(list.map(\.due) == [midnight.today, midnight.tomorrow])
        #expect(list.map(\.state) == ["locked", "eligible"])
        let last = try await client.box.run("date -d '\(midnight.today) + 7 days' '+%A %-d %B %Y'")
        #expect(list[0].reason == "Task \(midnight.tomorrow) comes first; this one can be done through \(last).")
    }

    @Test func `another zone is noticed at once`() async throws {
        let client = try await Client()
        let statuses = try client.box.follow("~/.local/bin/daybreak status --follow --json")
        #expect(try await Self.status(statuses) { _ in true }.asOf.hasSuffix("+05:45") == false)
        try await client.box.run("ln -sf /usr/share/zoneinfo/Asia/Kathmandu /etc/localtime", as: .root)
        let there = try await Self.status(statuses) { $0.timeZone == "Asia/Kathmandu" }
        #expect(there.asOf.hasSuffix("+05:45"))
    }

    @Test func `changed rules of the zone are noticed at once, and its name is kept`() async throws {
        let client = try await Client()
        let zones = "/usr/share/zoneinfo/Asia"
        try await client.box.run("ln -sf \(zones)/Kathmandu /etc/localtime", as: .root)
        let statuses = try client.box.follow("~/.local/bin/daybreak status --follow --json")
        _ = try await Self.status(statuses) { $0.timeZone == "Asia/Kathmandu" && $0.asOf.hasSuffix("+05:45") }
        // A package's update does it in this way.
        try await client.box.run("cp \(zones)/Tokyo \(zones)/new && mv \(zones)/new \(zones)/Kathmandu", as: .root)
        _ = try await Self.status(statuses) { $0.timeZone == "Asia/Kathmandu" && $0.asOf.hasSuffix("+09:00") }
    }

    private static func status(
        _ statuses: Box.Following, where matches: (Answer.Status) -> Bool
    ) async throws -> Answer.Status {
        func read(_ line: String) -> Answer.Status? {
            try? JSONDecoder().decode(Answer.self, from: Data(line.utf8)).status  // Another line comes first.
        }
        let line = try await statuses.line { read($0).map(matches) ?? false }
        return try #require(read(line))
    }
}
