internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time
import Varlink

struct Reminders: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "reminders", abstract: "Show the reminders that were given, the newest 2,000 at most.")

    @Flag(help: "Stay, and print every new reminder.") var follow = false
    @Option(
        help: ArgumentHelp(
            "Only from then on: a day (2026-11-20, yesterday, a weekday), a length up to now (1h30m), or an instant with its "
                + "offset.",
            valueName: "when"))
    var since: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        if follow { return try stay(since.map { try daemon.connection().day($0, weekdays: .last) ?? $0 }) }
        let connection = try daemon.connection()
        let since = try since.map { try connection.day($0, weekdays: .last) ?? $0 }
        var day = ""
        try daemon.ask(Homework.Reminders(since: since), over: connection) { reply in
            reply.reminders.isEmpty
                ? "No reminder was given \(since.map(Self.period) ?? "yet").\n"
                : Self.text(reply.reminders, after: &day, ink: Streams.ink)
        }
    }

    /// Prints each reminder once, across restarts of the daemon.
    private func stay(_ since: String?) throws {
        var (day, last, told) = ("", since, Set<String>())
        let stream = ReplyStream(path: try daemon.path) { Homework.Reminders(since: last) }
        try stream.follow(isPatient: false) { update in
            guard let update else {
                if !daemon.json { Streams.error(Bar.away.tooltip + "\n") }
                return
            }
            var reply = update.reply
            // A history that was replaced gives the same identifiers anew.
            let isRepeated = reply.reminders.contains { told.contains("\($0.id) \($0.at)") }
            reply.reminders.removeAll { !told.insert("\($0.id) \($0.at)").inserted }
            last = reply.reminders.last?.at ?? last
            guard daemon.json else {
                return Streams.output(Self.text(reply.reminders, after: &day, ink: Streams.ink))
            }
            if isRepeated { return Streams.output(object: reply) }
            Streams.output(json: update.frame.parameters)
        }
    }

    private static func period(_ since: String) -> String {
        Length(since) == nil ? "since \(Wording.day(since, today: nil))" : "in the last \(since.shown)"
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
