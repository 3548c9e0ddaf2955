internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "reload", abstract: "Have daybreakd read its configuration and schedule again.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Service.Reload()) { reply in
            reply.isScheduleImported == true
                ? "The configuration was read again. The schedule in force was imported, or came from a practice, and stays.\n"
                : "The configuration and the schedule were read again.\n"
        }
    }
}

extension Reload: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Service.InvalidConfiguration) in
            let line = error.line.map { ":\($0)" } ?? ""
            return "\(error.file.shown)\(line): \(error.reason.shown) The last good configuration stays in force, "
                + "and the schedule was not read."
        },
        Refusal.on { (error: Service.ScheduleNotTaken) in
            "The configuration was read again. \(Wording.sentence(error.reason))"
        },
    ]
}
