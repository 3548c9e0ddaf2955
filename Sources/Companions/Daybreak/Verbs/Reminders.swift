internal import ArgumentParser
import DaybreakInterfaces

struct Reminders: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "reminders", abstract: Wording.About.reminders)

    @Flag(help: ArgumentHelp(Wording.About.follow)) var follow = false
    @Option(help: ArgumentHelp(Wording.About.since, valueName: "when")) var since: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let method = Homework.Reminders(since: since)
        var day = ""
        if follow {
            try daemon.follow(method) { Wording.reminders($0.reminders, after: &day, ink: Standard.ink) }
        } else {
            try daemon.ask(method) { reply in
                reply.reminders.isEmpty
                    ? Wording.noReminders : Wording.reminders(reply.reminders, after: &day, ink: Standard.ink)
            }
        }
    }
}
