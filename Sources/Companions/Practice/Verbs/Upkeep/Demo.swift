internal import ArgumentParser
import Companion
import PracticeInterfaces
import StaffInterfaces

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "demo", abstract: "Fill an empty practice with made-up people and three years of sessions.",
        discussion: "Refused where there is anybody or anything. A practice that is made up stays so; "
            + "`systemd/install --practice --demo` makes one beside the real one.")

    @Option(help: "A seed: each number makes another practice.") var seed = 1
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Upkeep.Fill(seed: seed)) { reply in
            "Made up: \(reply.staff) staff, \(reply.clients) clients, \(reply.sessions) sessions. `practice staff` lists who "
                + "works here; where the daemon runs with --demo, `practice --as NAME` plays anybody.\n"
        }
    }
}
