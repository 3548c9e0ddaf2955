internal import ArgumentParser
import DaybreakInterfaces

struct Snooze: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "snooze", abstract: Wording.About.snooze)

    /// `30m`, `18:00`, or with the little word before it: `until 18:00`, `for 30m`.
    @Argument(help: ArgumentHelp(Wording.About.until, valueName: "when")) var words: [String]
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard until.map(Self.isTime) ?? false else { throw ValidationError(Wording.snoozeWhat) }
    }

    func run() throws {
        guard until != "off" else {
            return try daemon.ask(Homework.EndSnooze()) { Wording.snoozed($0.status) + "\n" }
        }
        try daemon.ask(Homework.Snooze(until: until ?? "")) { Wording.snoozed($0.status) + "\n" }
    }

    /// Lengths, times and instants begin with a digit; which of them can be, the daemon says.
    private static func isTime(_ text: String) -> Bool { text == "off" || text.first?.isNumber == true }

    private var until: String? {
        let rest = words.first == "until" || words.first == "for" ? Array(words.dropFirst()) : words
        return rest.count == 1 ? rest[0] : nil
    }
}
