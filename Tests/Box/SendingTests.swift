import Foundation
import Testing

/// The daemon is killed around the sending of a reminder, and the journal has the reminder once.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct SendingTests {
    /// The system call at which the daemon is killed. The reminder is sent with the first message after the transaction,
    /// and the status file is renamed right after that.
    enum KillPoint: String, CaseIterable {
        case beforeSending = "sendmsg"
        case afterSending = "/^rename"
    }

    @Test(arguments: KillPoint.allCases)
    func `a reminder is in the journal once when the daemon is killed before or after sending it`(killPoint: KillPoint)
        async throws
    {
        let client = try await Client()
        // Without the watchdog, because its messages would come first.
        try await client.box.run(
            """
            mkdir --parents ~/.config/systemd/user/daybreakd.service.d
            printf '[Service]\\nWatchdogSec=0\\n' >~/.config/systemd/user/daybreakd.service.d/quiet.conf
            systemctl --user daemon-reload && systemctl --user restart daybreakd.service
            """)
        let process = try await client.box.run(Client.process)
        let killer = try client.box.follow(
            "exec strace -f -p \(process) -e trace='\(killPoint.rawValue)' -e inject='\(killPoint.rawValue)':signal=KILL 2>&1",
            as: .root)
        _ = try await killer.line { $0.contains("attached") }
        #expect(try await client.attempt("provider online").status == 69)
        _ = try await killer.line { $0.contains("killed by SIGKILL") }
        try await expectOnce(client, newDaemonThan: process)
    }

    @Test func `a reminder is in the journal once when the daemon is killed after recording that it was sent`()
        async throws
    {
        let client = try await Client()
        let process = try await client.box.run(Client.process)
        try await client.daybreak("provider online")
        try await client.daybreak("start")  // This transaction also records what was sent before.
        try await client.box.run("kill -KILL \(process)")
        try await expectOnce(client, newDaemonThan: process)
    }

    /// Waits for the answer of another daemon, which has sent everything by then.
    private func expectOnce(_ client: Client, newDaemonThan process: String) async throws {
        try await client.box.run("systemctl --user start daybreakd")
        _ = try await client.answer("status")
        #expect(try await client.box.run(Client.process) != process)
        let given = try await client.reminders().map { $0["DAYBREAK_REMINDER"] ?? "" }
        #expect(Set(given).count == given.count)
        #expect(given.filter { $0.hasSuffix("/providerAvailable/1") }.count == 1)
    }
}
