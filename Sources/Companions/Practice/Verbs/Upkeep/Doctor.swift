internal import ArgumentParser
import Companion
import PracticeInterfaces
import StaffInterfaces

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "doctor",
        abstract: "Look at the database, its backups and the rights to it, the settings, and access over SSH; say what "
            + "to do.",
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
        let gate =
            connection.path == PracticeSocket.ofMachine
            ? GateExamination(facts: .ofMachine(found)).findings : []
        if daemon.json {
            Streams.output(object: Report(found, gate))
        } else {
            Streams.output(Self.text(found) + gate.map(\.text).joined())
        }
        if !Self.faults(found).isEmpty || gate.contains(where: \.isFault) { throw ExitCode(1) }
    }

    /// The daemon's reply, with the findings about access over SSH; nil if that is another machine's.
    struct Report: Encodable {
        let storage, backups, settings, folder: String?
        let changedSettings, role: [String]?
        let ssh: [GateFinding]?

        init(_ found: Upkeep.Diagnose.Reply, _ gate: [GateFinding]) {
            (storage, backups, settings, folder) = (found.storage, found.backups, found.settings, found.folder)
            (changedSettings, role) = (found.changedSettings, found.role)
            ssh = gate.isEmpty ? nil : gate
        }
    }

    /// The sentence, with the advice.
    static func crowded(_ sentence: String) -> String {
        let lines = sentence.split(separator: "\n")
        return "  ✗ Daemon: " + lines.joined(separator: "\n    ") + "\n"
    }

    private static func faults(_ found: Upkeep.Diagnose.Reply) -> [String] {
        [found.storage, found.backups, found.settings, changed(found)].compactMap { $0 } + (found.role ?? [])
    }

    /// The settings that were written after the start, as a sentence; nil if there are none.
    private static func changed(_ found: Upkeep.Diagnose.Reply) -> String? {
        guard let names = found.changedSettings, !names.isEmpty else { return nil }
        return "The file was changed after the start, and the daemon has the old \(names.joined(separator: ", "))."
    }

    static func text(_ found: Upkeep.Diagnose.Reply) -> String {
        let isOnServer = found.folder?.isEmpty == true
        let ofDatabase =
            isOnServer
            ? "Look whether PostgreSQL runs, and what its log says; its own programs restore a backup."
            : "Where it is damaged, `practice restore FILE` puts a backup in its place; the last nights' copies are in "
                + "\(found.folder?.shown ?? "/var/lib/practice/backups")."
        let ofBackups = isOnServer ? [] : [("Backups", found.backups, "It is tried again every five minutes.")]
        let looks: [(String, String?, String)] =
            [("Database", found.storage, ofDatabase)] + ofBackups + [
                (
                    "Settings", found.settings ?? changed(found),
                    found.settings == nil
                        ? "`systemctl restart practiced` puts the file in force."
                        : "The settings in force stay; mend the file, then `systemctl restart practiced`."
                )
            ]
        return looks.map { name, fault, advice in
            fault.map { "  ✗ \(name): \($0.shown)\n    \(advice)\n" } ?? "  ✓ \(name)\n"
        }.joined() + role(found)
    }

    /// Nothing where the practice is kept in a file.
    private static func role(_ found: Upkeep.Diagnose.Reply) -> String {
        guard let faults = found.role else { return "" }
        guard !faults.isEmpty else { return "  ✓ The database's role\n" }
        return faults.map { "  ✗ The database's role: \($0.shown)\n" }.joined()
            + "    Config/README.md says which roles there are, and how to make them.\n"
    }
}
