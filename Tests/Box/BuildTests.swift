import Foundation
import TestSupport
import Testing

/// The installer, run by a person who has only a clone and a toolchain.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot),
    .enabled(if: isThorough, "only --thorough builds, which takes minutes"), .boxed
)
struct BuildTests {
    private static let install = "\(Box.clone)/systemd/install"

    @Test func `an ordinary user builds and installs Daybreak from a read-only clone`() async throws {
        let box = try await Box()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        // git may be set to fetch from folders on the machine, which belong to another user.
        try await box.run("git config --global safe.directory '*'")
        #expect(
            try await box.run("PATH=\(path) \(Self.install) | sed '/^$/,$d'") == """
                Daybreak, for client
                Building; the first time this takes some minutes
                Settings: /home/client/.config/daybreak/daybreak.toml
                A sample schedule, laid out around today: /home/client/.config/daybreak/tasks.json
                The journal's explanations need root to be installed; `daybreak explain` tells the same.
                The daemon runs: systemctl --user status daybreakd
                """)
        #expect(try await box.run("systemctl --user is-active daybreakd.service") == "active")
        try await box.run("\(Self.install) --uninstall --purge")
        #expect(try await box.run("ls --almost-all ~/.cache/daybreak 2>/dev/null || echo gone") == "gone")
    }
}
