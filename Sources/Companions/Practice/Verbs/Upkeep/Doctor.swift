internal import ArgumentParser
import Companion
import PracticeInterfaces

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look at the database, its backups and the settings; say what to do.",
        discussion: "The exit status is 0 where all is well, 1 where something is not.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let found = try connection.call(Upkeep.Diagnose())
        let faults = Self.faults(found)
        if daemon.json { Streams.output(object: found) } else { Streams.output(Self.text(found)) }
        if !faults.isEmpty { throw ExitCode(1) }
    }

    private static func faults(_ found: Upkeep.Diagnose.Reply) -> [String] {
        [found.storage, found.backups, found.settings].compactMap { $0 }
    }

    static func text(_ found: Upkeep.Diagnose.Reply) -> String {
        let looks: [(String, String?, String)] = [
            (
                "Database", found.storage,
                "Where it is damaged, `practice restore FILE` puts a backup in its place; the last nights' copies are in "
                    + "/var/lib/practice/backups."
            ),
            ("Backups", found.backups, "It is tried again every five minutes."),
            (
                "Settings", found.settings,
                "What is in force stays so; mend the file, and `systemctl restart practiced`."
            ),
        ]
        return looks.map { name, fault, advice in
            fault.map { "  ✗ \(name): \($0.shown)\n    \(advice)\n" } ?? "  ✓ \(name)\n"
        }.joined()
    }
}
