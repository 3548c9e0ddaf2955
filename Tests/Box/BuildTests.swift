import Foundation
import TestSupport
import Testing

/// The installer, run by a person who has only a clone and a toolchain.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot),
    .enabled(if: isThorough, "only --thorough builds, which takes minutes"), .boxed
)
struct BuildTests {
    /// A box with the toolchain.
    private static func box() async throws -> Box {
        let box = try await Box()
        // git may be set to fetch from folders on the machine, which belong to another user.
        try await box.run("git config --global safe.directory '*'")
        return box
    }

    /// Runs a clone's installer.
    private static func install(_ options: String = "", from clone: String, in box: Box) async throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        // `swift build` takes an empty variable for a path.
        return try await box.run("XDG_CONFIG_HOME= PATH=\(path) \(clone)/systemd/install \(options)")
    }

    @Test func `an ordinary user builds Daybreak and a made-up practice from a read-only clone`() async throws {
        let box = try await Self.box()
        let said = try await Self.install(from: Box.clone, in: box)
        // Advice follows after an empty line.
        #expect(
            said.components(separatedBy: "\n\n")[0] == """
                Daybreak, for client
                Building; the first time this takes some minutes
                Settings: /home/client/.config/daybreak/daybreak.toml
                A sample schedule, laid out around today: /home/client/.config/daybreak/tasks.json
                The journal's explanations need root to be installed; `daybreak explain` tells the same.
                The daemon runs: systemctl --user status daybreakd
                """)
        #expect(try await box.run("systemctl --user is-active daybreakd.service") == "active")
        try await tryMadeUpPractice(of: Box.clone, in: box)
        #expect(try await box.run("systemctl --user is-active daybreakd.service") == "active")
        _ = try await Self.install("--uninstall --purge", from: Box.clone, in: box)
        try await expectNothing(in: box)
    }

    @Test func `an ordinary user builds a made-up practice from a clone of their own`() async throws {
        let box = try await Self.box()
        try await box.run(
            "mkdir ~/daybreak && cp --recursive \(Box.clone)/{Package.swift,Sources,Tests,Config,systemd} ~/daybreak")
        try await tryMadeUpPractice(of: "~/daybreak", in: box)
        try await expectNothing(in: box)
    }

    private func tryMadeUpPractice(of clone: String, in box: Box) async throws {
        #expect(
            try await Self.install("--practice --demo", from: clone, in: box) == """
                A made-up practice, for client
                Building; the first time this takes some minutes
                The daemon runs: systemctl --user status practice-demo

                Everybody in it is invented. Be anybody, by a part of their name:
                    /home/client/.local/bin/practice staff
                    /home/client/.local/bin/practice --as NAME
                """)
        #expect(try await box.run("~/.local/bin/practice staff | head --lines 1") == "  Who works here · 6")
        // How many clients she has depends on the day: the three years end today.
        let clients = try await box.run("~/.local/bin/practice clients --as Ana | head --lines 1")
        #expect(clients.wholeMatch(of: /\ {2}My clients · [1-9][0-9]* open/) != nil, "\(clients)")
        #expect(
            try await Self.install("--practice --demo --uninstall --purge", from: clone, in: box)
                == "The made-up practice is gone.")
    }

    private func expectNothing(in box: Box) async throws {
        #expect(
            try await box.run(
                "find ~/.config ~/.local ~/.cache/daybreak -name '*practice*' -o -name daybreak 2>/dev/null || true")
                == "")
    }
}
