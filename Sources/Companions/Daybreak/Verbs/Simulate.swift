internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time
import Varlink

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "simulate",
        abstract: "Show the coming unlocks, reminders and missed tasks if nobody does anything.")

    @Option(help: ArgumentHelp("The first day: 2026-11-21, tomorrow or a weekday (left out: today).", valueName: "day"))
    var from: String?
    @Option(help: ArgumentHelp("How many days, 1 to 3660 (left out: 7).", valueName: "number")) var days: String?
    @Option(help: "In another time zone, such as Europe/Berlin.") var zone: String?
    @Option(help: ArgumentHelp("By these settings instead of the installed ones.", valueName: "file"))
    var config: String?
    @Option(
        help: ArgumentHelp(
            "That schedule alone, as if it were new, instead of what the history holds.", valueName: "file"))
    var schedule: String?
    @Flag(help: "Print it as one JSON object.") var json = false

    func run() throws {
        let given = [
            ("--from", from), ("--days", days), ("--zone", zone), ("--config", config), ("--schedule", schedule),
        ]
        let words = given.flatMap { option, value in value.map { [option, $0] } ?? [] }
        let sources = Self.sources(socket: Self.socket(), schedule: schedule)
        if let note = sources.note { Streams.error(note + "\n") }
        let document = try ChildProcess.output(of: "daybreakd", ["--simulate"] + words, with: sources.variables)
        guard !json else { return Streams.output(document) }
        let frame = Array("{\"parameters\":".utf8) + document.dropLast() + Array("}".utf8)
        Streams.output(Self.text(try Reply(frame: frame).decode(Homework.Simulation.self), ink: Streams.ink))
    }

    /// The socket of this user's daemon. Nil if its folder belongs to someone else, which is told: the simulation needs no
    /// daemon.
    private static func socket() -> String? {
        do throws(Failure) { return try DaemonSocket.path(explicit: nil, environment: Environment.variables) } catch {
            Streams.error("\(error.sentence) The simulation reads the files in your own folders.\n")
            return nil
        }
    }

    /// The environment by which `daybreakd --simulate` finds the files of the daemon at that socket; or a note that it reads
    /// others, because only that daemon knows its own.
    static func sources(
        socket: String?, schedule: String?, environment: [String: String] = Environment.variables
    ) -> (variables: [String], note: String?) {
        if let user = socket.flatMap(DaemonSocket.served) {
            let service = SystemService(of: user)
            return (["CONFIGURATION_DIRECTORY=\(service.configuration)", "STATE_DIRECTORY=\(service.state)"], nil)
        }
        guard schedule == nil, let named = DaemonSocket.named(nil, environment),
            !DaemonSocket.isUsual(named, environment)
        else { return ([], nil) }
        return (
            [],
            "This reads the settings, the schedule and the history in your own folders, perhaps not those of the daemon at "
                + "\(named.shown)."
        )
    }

    static func text(_ simulation: Homework.Simulation, ink: Ink) -> String {
        let days =
            simulation.from == simulation.through
            ? day(simulation.from) : "\(day(simulation.from)) to \(day(simulation.through))"
        var text =
            "The coming events if nobody does anything\n" + ink.faint("\(days) · \(simulation.timeZone.shown)") + "\n"
        if simulation.entries.isEmpty { return text + "\nNothing.\n" }
        var last = ""
        for entry in simulation.entries {
            if entry.day != last { text += "\n" + ink.strong(day(entry.day)) + "\n" }
            last = entry.day
            text += "  \(ink.faint(entry.at.shown))  \(verb(entry.kind).padded(to: 7))  \(line(entry))\n"
        }
        return text
    }

    private static func verb(_ kind: Homework.SimulatedEvent.Kind) -> String {
        switch kind {
        case .unlocked: "unlocks"
        case .reminded: "reminds"
        case .missed: "misses"
        }
    }

    private static func line(_ entry: Homework.SimulatedEvent) -> String {
        guard entry.kind != .reminded, let assignment = entry.assignment else { return entry.message.shown }
        return "\(assignment.shown): \(entry.message.shown)"
    }

    private static func day(_ text: String) -> String {
        CalendarDay(text).map { Wording.fullDay($0, today: nil) } ?? text.shown
    }
}
