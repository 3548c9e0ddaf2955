import Foundation
import PracticeInterfaces
import Testing

@testable import Companion
@testable import PracticeCompanion

@Suite struct `The doctor's findings about access over SSH` {
    private static let asks = GateFacts.Options.text(
        "port 22\nauthorizedkeyscommand /usr/local/bin/practice-gate keys %t %k\npermittty no\n")

    private func text(_ change: (inout GateFacts) -> Void) -> String {
        var facts = GateFacts()
        facts.options = Self.asks
        change(&facts)
        return GateExamination(facts: facts).findings.map(\.text).joined()
    }

    @Test func `a gate without faults`() {
        #expect(text { _ in } == "  ✓ SSH: sshd asks the practice for keys.\n")
    }

    @Test func `a machine without a server needs none`() {
        #expect(
            text { ($0.hasServer, $0.isRunning, $0.hasOptionsFile) = (false, false, false) }
                == "  · SSH: no OpenSSH server is installed, so nobody comes in from elsewhere.\n")
    }

    @Test func `missing files and accounts`() {
        let text = text {
            ($0.hasOptionsFile, $0.hasKeygen) = (false, false)
            ($0.programPath, $0.options) = ([], .text("port 22\n"))
            $0.missingAccounts = ["practice", "practice-keys"]
        }
        #expect(
            text == """
                  ✗ SSH: sshd does not know the practice (/etc/ssh/sshd_config.d/practice.conf is missing).
                    `systemd/install --practice` sets it up.
                  ✗ SSH: sshd has no program to ask for keys (/usr/local/bin/practice-gate is missing).
                    `systemd/install --practice` sets it up.
                  ✗ SSH: no key can be looked at (/usr/bin/ssh-keygen is missing).
                    Install openssh-client.
                  ✗ SSH: the account practice is missing, so sshd lets nobody in.
                    `systemd/install --practice` sets it up.
                  ✗ SSH: the account practice-keys is missing, so sshd lets nobody in.
                    `systemd/install --practice` sets it up.

                """)
    }

    @Test func `a server that does not run, reads no options, or refuses them`() {
        #expect(
            text { ($0.isRunning, $0.options) = (false, .refused("Missing privilege separation directory")) } == """
                  ✗ SSH: sshd is not running.
                    `systemctl enable --now ssh` starts it.

                """)
        #expect(
            text { $0.options = .text("port 22\nauthorizedkeyscommand none\n") } == """
                  ✗ SSH: sshd does not read /etc/ssh/sshd_config.d/practice.conf, so it does not ask the practice for keys.
                    Begin /etc/ssh/sshd_config with `Include /etc/ssh/sshd_config.d/*.conf`, then `systemctl reload ssh`.

                """)
        #expect(
            text { $0.options = .refused("line 7: Bad configuration option: Prot") } == """
                  ✗ SSH: sshd refuses its settings: line 7: Bad configuration option: Prot
                    Mend them; `sshd -t` says whether they are sound.

                """)
    }

    @Test func `a program that others can change`() {
        let text = text {
            $0.programPath = [
                .init(path: GateFacts.program, owner: 1_000), .init(path: "/usr/local/bin", group: 50, mode: 0o2775),
                .init(path: "/usr/local"), .init(path: "/", mode: 0o755),
            ]
        }
        #expect(
            text == """
                  ✗ SSH: /usr/local/bin/practice-gate is not root's, so sshd does not run the program that it asks for keys.
                    `chown root /usr/local/bin/practice-gate`
                  ✗ SSH: others than root can write to /usr/local/bin, so sshd does not run the program that it asks for keys.
                    `chmod go-w /usr/local/bin`

                """)
    }

    @Test func `a host without a key, and an address that no setting names`() {
        let text = text {
            $0.hostKeyFault = "/etc/ssh/x.pub holds no key of this host: is openssh-server installed?"
            ($0.address, $0.isAddressNamed, $0.options) = ("practice@cellar", false, .unasked)
        }
        #expect(
            text == """
                  ✗ SSH: nobody can be invited: /etc/ssh/x.pub holds no key of this host: is openssh-server installed?
                    `ssh-keygen -A` makes the keys of a host; `gate.host_key` in the settings names another file.
                  · SSH: only root can ask sshd whether it reads the practice's options.
                  · SSH: gate.address is empty, so invitations name practice@cellar.
                    If clients' machines know this one by another name, set it in /etc/practice/practice.toml.

                """)
    }

    @Test func `an obstacle is the first fault, or that there is no server`() {
        func obstacle(_ change: (inout GateFacts) -> Void) -> String? {
            var facts = GateFacts()
            facts.options = Self.asks
            change(&facts)
            return GateExamination(facts: facts).obstacle
        }
        #expect(obstacle { _ in } == nil)
        #expect(obstacle { $0.isAddressNamed = false } == nil)
        #expect(obstacle { $0.hasServer = false } == "no OpenSSH server is installed.")
        #expect(obstacle { $0.isRunning = false } == "sshd is not running.")
    }

    @Test func `programs get the faults as well`() throws {
        let findings = GateExamination(facts: GateFacts(isRunning: false)).findings
        let form = JSONEncoder()
        form.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let report = Doctor.Report(.init(backups: "The disk is full.", folder: "/b"), findings)
        #expect(
            try String(decoding: form.encode(report), as: UTF8.self)
                == #"{"backups":"The disk is full.","folder":"/b","ssh":[{"advice":"`systemctl enable --now ssh` starts it.","#
                + #""fault":true,"finding":"sshd is not running."}]}"#)
        let elsewhere = try form.encode(Doctor.Report(.init(), []))
        #expect(String(decoding: elsewhere, as: UTF8.self) == "{}")
    }

    @Test func `the program's path is looked at up to the root, through links`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(FileManager.default.createFile(atPath: folder + "/gate", contents: nil))
        chmod(folder + "/gate", 0o775)
        chmod(folder, 0o750)
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "gate")
        let paths = GateFacts.checkedPaths(to: folder + "/link")
        #expect(paths.first == .init(path: folder + "/gate", owner: geteuid(), group: getegid(), mode: 0o775))
        #expect(paths.dropFirst().first == .init(path: folder, owner: geteuid(), group: getegid(), mode: 0o750))
        #expect(paths.last?.path == "/" && GateFacts.checkedPaths(to: folder + "/none") == [])
    }
}
