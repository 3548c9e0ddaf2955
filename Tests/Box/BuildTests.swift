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
        // `swift build` takes an empty variable for a path.
        #expect(
            try await box.run("XDG_CONFIG_HOME= PATH=\(path) \(Self.install) | sed '/^$/,$d'") == """
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

    @Test(arguments: [Box.clone, "~/daybreak"])
    func `an ordinary user builds a made-up practice, from a read-only clone or their own, tries it and removes it`(
        clone: String
    ) async throws {
        let box = try await Box()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        try await box.run("git config --global safe.directory '*'")
        if clone != Box.clone {
            try await box.run(
                "mkdir \(clone) && cp --recursive \(Box.clone)/{Package.swift,Sources,Tests,Config,systemd} \(clone)")
        }
        let install = "\(clone)/systemd/install --practice --demo"
        #expect(
            try await box.run("PATH=\(path) \(install)") == """
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
        #expect(try await box.run("\(install) --uninstall --purge") == "The made-up practice is gone.")
        #expect(
            try await box.run(
                "find ~/.config ~/.local ~/.cache/daybreak -name '*practice*' -o -name daybreak 2>/dev/null || true")
                == "")
    }
}
