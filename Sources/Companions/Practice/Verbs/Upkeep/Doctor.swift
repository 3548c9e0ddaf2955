internal import ArgumentParser
import Companion
import Glibc
import PracticeInterfaces

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look at the database, its backups and the settings; say what to do.",
        discussion: """
            It does not count the sessions: `practiced --verify` reads all that is kept, and says whether the tallies that \
            reports are made of are those of the sessions. A restore counts them anew.

            The exit status is 0 where all is well, 1 where something is not.
            """)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection: DaemonConnection
        let found: Upkeep.Diagnose.Reply
        do {
            connection = try daemon.connection()
            found = try connection.call(Upkeep.Diagnose())
        } catch let failure as Failure
            where failure.name == Practice.TooManyConnections.name && !daemon.json
        {
            Streams.output(Self.crowded(failure.sentence))
            throw ExitCode(1)
        }
        let gate = connection.path == PracticeSocket.ofMachine ? GateCheck.ofMachine() : nil
        let faults = Self.faults(found) + (gate?.faults ?? [])
        if daemon.json {
            Streams.output(object: found)
        } else {
            Streams.output(Self.text(found) + (gate?.text ?? ""))
        }
        if !faults.isEmpty { throw ExitCode(1) }
    }

    /// The sentence, with the advice.
    static func crowded(_ sentence: String) -> String {
        let lines = sentence.split(separator: "\n")
        return "  ✗ Daemon: " + lines.joined(separator: "\n    ") + "\n"
    }

    private static func faults(_ found: Upkeep.Diagnose.Reply) -> [String] {
        [found.storage, found.backups, found.settings].compactMap { $0 }
    }

    static func text(_ found: Upkeep.Diagnose.Reply) -> String {
        let looks: [(String, String?, String)] = [
            (
                "Database", found.storage,
                "Where it is damaged, `practice restore FILE` puts a backup in its place; the last nights' copies are in "
                    + "\(found.folder?.shown ?? "/var/lib/practice/backups")."
            ),
            ("Backups", found.backups, "It is tried again every five minutes."),
            (
                "Settings", found.settings,
                "The settings in force stay; mend the file, then `systemctl restart practiced`."
            ),
        ]
        return looks.map { name, fault, advice in
            fault.map { "  ✗ \(name): \($0.shown)\n    \(advice)\n" } ?? "  ✓ \(name)\n"
        }.joined()
    }
}

/// The state of access over SSH, from the machine's files.
struct GateCheck {
    /// True if an OpenSSH server is installed. Without one, access over SSH is not wanted.
    let hasServer: Bool
    let faults: [String]

    static func ofMachine(_ exists: (String) -> Bool = { access($0, F_OK) == 0 }) -> GateCheck {
        guard exists("/usr/sbin/sshd") else { return GateCheck(hasServer: false, faults: []) }
        let needed = [
            ("/etc/ssh/sshd_config.d/practice.conf", "sshd does not know the practice"),
            ("/usr/local/bin/practice-gate", "sshd has no program to ask for keys"),
            ("/usr/bin/ssh-keygen", "no key can be looked at: install openssh-client"),
        ]
        return GateCheck(
            hasServer: true, faults: needed.filter { !exists($0.0) }.map { "\($0.1) (\($0.0) is missing)" })
    }

    var text: String {
        guard hasServer else { return "  · SSH: no OpenSSH server is installed, so nobody comes in from elsewhere.\n" }
        guard !faults.isEmpty else { return "  ✓ SSH\n" }
        let advice = "    `systemd/install --practice` sets it up.\n"
        return faults.map { "  ✗ SSH: \($0).\n" }.joined() + advice
    }
}
