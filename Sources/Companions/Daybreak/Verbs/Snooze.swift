internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

struct Snooze: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "snooze",
        abstract: "Mute today's reminders for a while; one comes at the end, if any may come then.")

    /// Also takes `until 18:00` and `for 30m`.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "A length (30m, 30min, 1h 30m) or a time of today (18:00, 6pm, noon); off ends the snooze.",
            valueName: "when"))
    var words: [String]
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard let until else { throw Self.unclear }
        if let sentence = Wording.noUnit(until) { throw ValidationError(sentence) }
    }

    private static var unclear: ValidationError {
        ValidationError(
            "Say until when: `daybreak snooze 30m`, `daybreak snooze until 18:00`, or `daybreak snooze off`.")
    }

    func run() throws {
        guard let until, until != "off" else {
            let connection = try daemon.connection()
            let isMuted = try connection.call(Homework.GetStatus()).status.snoozedUntil != nil
            return try daemon.ask(Homework.EndSnooze(), over: connection) { _ in
                isMuted
                    ? "The snooze is over: reminders come at their times again.\n"
                    : "The reminders were not muted: they come at their times.\n"
            }
        }
        try daemon.ask(Homework.Snooze(until: until)) { Self.text($0.status) + "\n" }
    }

    static func text(_ status: Homework.Status) -> String {
        guard let until = status.snoozedUntil else { return "Today's reminders are not muted." }
        let muted =
            "Today's reminders are muted until \(Wording.clock(until, today: status.today, dayEnds: status.dayEnds))"
        guard let next = status.nextReminder else {
            return "\(muted); none comes afterwards, as reminders.at_most in the settings says."
        }
        if next == until { return "\(muted); one comes then." }
        // Quiet hours, or the day's limit, hold the one that would come then.
        return "\(muted); the next one comes \(Wording.time(next, today: status.today, dayEnds: status.dayEnds))."
    }

    /// The time as the daemon reads it; nil for a text that cannot be a length or a time.
    private var until: String? {
        let said = words.first == "until" || words.first == "for" ? words.dropFirst() : words[...]
        let text = said.joined(separator: " ")
        return text == "off" || text.first?.isNumber == true || TimeOfDay(text) != nil ? text : nil
    }
}

extension Snooze: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (error: Homework.CannotSnooze) in "The reminders were not muted. \(Wording.sentence(error.reason))"
        }
    ]
}
