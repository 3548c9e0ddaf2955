internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

struct Reminders: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders", abstract: "Show the reminders that were given.")

    @Flag(help: "Stay, and print every new reminder.") var follow = false
    @Option(
        help: ArgumentHelp(
            "Only from then on: a day (2026-11-20, yesterday, a weekday), or an instant with its offset.",
            valueName: "when"))
    var since: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let since = try since.map { try connection.day($0, weekdays: .last) ?? $0 }
        let method = Homework.Reminders(since: since)
        var day = ""
        if follow {
            try daemon.follow(method, over: connection) { Self.text($0.reminders, after: &day, ink: Streams.ink) }
        } else {
            try daemon.ask(method, over: connection) { reply in
                reply.reminders.isEmpty
                    ? "No reminder was given \(since.map { "since \(Wording.day($0, today: nil))" } ?? "yet").\n"
                    : Self.text(reply.reminders, after: &day, ink: Streams.ink)
            }
        }
    }

    /// The reminders of one reply, under a heading for each new day.
    /// - Parameter lastDay: the heading that was printed last.
    static func text(_ reminders: [Homework.Reminder], after lastDay: inout String, ink: Ink) -> String {
        var text = ""
        for reminder in reminders {
            let day = CalendarDay(of: reminder.at).map { Wording.fullDay($0, today: nil) } ?? reminder.at.shown
            if day != lastDay { text += (lastDay.isEmpty ? "" : "\n") + ink.strong(day) + "\n" }
            lastDay = day
            let clock = DateTime(reminder.at)?.time.clock ?? ""
            text += "  \(ink.faint(clock.padded(to: DateStyle.current.clockWidth)))  \(reminder.message.shown)\n"
        }
        return text
    }
}
