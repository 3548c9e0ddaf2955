import Foundation
import Testing

/// Reminders on a desktop: a session's bus, the sandbox of daybreak-notify.service, and the user's service manager.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct DesktopTests {
    private static let shows = "Notify 0 A task is open. `daybreak start` begins it. start snooze"

    private static let program = "\(Box.clone)/.build/tests-venv/bin/python \(Box.clone)/Tests/Box/desktop"

    /// A client with a desktop on which a notification's button is pressed as soon as it is shown; then a task for today is
    /// saved.
    private static func desktop(choosing action: String = "") async throws -> (Client, Box.Following) {
        let client = try await Client("[]")
        let desktop = try client.box.follow("exec \(program) \(action)")
        _ = try await desktop.line { $0 == "ready" }
        return (client, desktop)
    }

    @Test func `a reminder is shown, and closed when the task is begun`() async throws {
        let (client, desktop) = try await Self.desktop()
        try await client.save(Client.oneTask, as: "tasks.json")
        #expect(try await desktop.line { _ in true } == Self.shows)
        try await client.daybreak("provider online")
        #expect(
            try await desktop.line { _ in true }
                == "Notify 1 Your provider is available. `daybreak start` leads to the session. start")
        try await client.daybreak("start --json")
        #expect(try await desktop.line { _ in true } == "CloseNotification 1")
        // In /proc, root owns the files of a process whose memory only root can read.
        let environment = "stat --format %U /proc/$(pgrep --exact daybreak-notify)/environ"
        #expect(try await client.box.run(environment) == "root")
    }

    @Test func `a restarted daemon is called again, and a stopped one is not started`() async throws {
        let (client, desktop) = try await Self.desktop()
        try await client.box.run("systemctl --user restart daybreakd.service")
        try await client.save(Client.oneTask, as: "tasks.json")
        #expect(try await desktop.line { _ in true } == Self.shows)
        try await client.box.run("systemctl --user stop daybreakd.service")
        #expect(try await desktop.line { _ in true } == "CloseNotification 1")
        let units = "systemctl --user is-active daybreakd.service daybreak-notify.service"
        #expect(try await client.box.attempt(units).output == "inactive\ninactive")
        try await client.daybreak("list")
        // systemctl is content where one of the two is active.
        let both = #"until [ "$(\#(units))" = "$(printf 'active\nactive')" ]; do :; done"#
        try await client.box.run(both)
    }

    @Test func `with reminders.desktop = false nothing is shown`() async throws {
        let (client, desktop) = try await Self.desktop()
        try await client.save(Client.oneTask, as: "tasks.json")
        #expect(try await desktop.line { _ in true } == Self.shows)
        try await client.save("[reminders]\ndesktop = false", as: "daybreak.toml")
        try await client.box.run(Client.reloads)
        #expect(try await desktop.line { _ in true } == "CloseNotification 1")
    }

    @Test func `the button Snooze mutes the reminders and closes the notification`() async throws {
        let (client, desktop) = try await Self.desktop(choosing: "snooze")
        try await client.save(Client.oneTask, as: "tasks.json")
        #expect(try await desktop.line { _ in true } == Self.shows)
        #expect(try await desktop.line { _ in true } == "CloseNotification 1")
        #expect(try await client.answer("status").status?.snoozedUntil != nil)
    }

    @Test func `the button Start opens a terminal with the guided way`() async throws {
        let (client, desktop) = try await Self.desktop(choosing: "start")
        let terminal = "/usr/local/bin/xdg-terminal-exec"
        try await client.box.run(
            "printf '#!/bin/sh\\necho \"$@\" >/tmp/opened\\nmkfifo /tmp/done\\n' >\(terminal); chmod 0755 \(terminal)",
            as: .root)
        let units = try client.box.follow(
            "journalctl --user --follow --lines all --output cat --unit daybreak-start.service")
        try await client.save(Client.oneTask, as: "tasks.json")
        #expect(try await desktop.line { _ in true } == Self.shows)
        _ = try await units.line { $0.hasPrefix("Started daybreak-start.service") }
        #expect(
            try await client.box.run("until [[ -p /tmp/done ]]; do :; done; cat /tmp/opened")
                == "/home/client/.local/bin/daybreak start")
    }

    /// A message of the practice's, from the therapist's fingers to the client's desktop, and back.
    @Test(.enabled(if: TwoHouses.hasServer, "there is no OpenSSH server"))
    func `a message of the practice is told of in the journal and shown, without its words, until it is read`()
        async throws
    {
        let houses = try await TwoHouses()
        try await houses.link()
        try await houses.untilConnected()
        // The practice has written that a machine comes in.
        try await houses.until("daybreak | grep --quiet '1 unread letter'")
        try await houses.until("daybreak mail read 1 >/dev/null && ! daybreak | grep --quiet unread")
        let desktop = try houses.home.follow("exec \(Self.program)")
        _ = try await desktop.line { $0 == "ready" }
        try await houses.ana("practice chat send Cleo 'At ten?'")
        #expect(try await desktop.line { _ in true } == "Notify 0 A message of your practice is unread. ")
        #expect(try await houses.journal(of: "daybreakd").last == "A message of your practice is unread.")
        #expect(try await houses.client("daybreak").contains("1 unread message: `daybreak chat`"))
        #expect(try await houses.client("daybreak chat history Ana").contains("At ten?"))
        #expect(try await desktop.line { _ in true } == "CloseNotification 1")
        try await houses.until("! daybreak | grep --quiet unread")
        for program in ["daybreakd", "daybreak-link", "daybreak-notify"] {
            #expect(try await !houses.journal(of: program).contains { $0.contains("ten") || $0.contains("Ana") })
        }
    }
}
