public import ArgumentParser
public import Companion
public import PracticeInterfaces
import Time

/// The practice's announcements, the same in both companions.
public struct AnnouncementsVerb<Options: PracticeOptions>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "announcements", abstract: "Show what the practice announces to everybody.",
            subcommands: [AnnouncementsList<Options>.self, AnnouncementsDismiss<Options>.self],
            defaultSubcommand: AnnouncementsList<Options>.self)
    }

    public init() {}
}

struct AnnouncementsList<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("list", abstract: "Show the announcements of now.")
    }

    @Flag(help: "Those that you dismissed, too; administrators see those to come.") var all = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let today = try connection.call(Practice.WhoAmI()).today
        let reply = try connection.call(Mail.ListBroadcasts(all: all ? true : nil))
        guard !daemon.json else { return Streams.output(object: reply) }
        guard !reply.broadcasts.isEmpty else { return output.print("  The practice announces nothing now.\n") }
        output.print(
            Announcements(reply.broadcasts, today: today, columns: output.columns, ink: output.ink)
                .text(numbered: true) + "\n  "
                + output.ink.faint("`\(Options.companion) announcements dismiss ID` takes one away.") + "\n")
    }
}

struct AnnouncementsDismiss<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "dismiss", abstract: "See an announcement no more, unless the practice changes it.")
    }

    @Argument(help: "The announcement's identifier, such as b3.") var announcement: String
    @OptionGroup var daemon: Options

    func run() throws {
        try daemon.ask(Mail.Dismiss(broadcast: announcement), over: daemon.practice()) { _ in
            "The announcement is shown to you no more.\n"
        }
        daemon.noteDismissed(announcement)
    }
}

/// Announcements, as lines.
public struct Announcements {
    private let broadcasts: [Mail.Broadcast]
    private let today: String
    private let columns: Int?
    private let ink: Ink

    public init(_ broadcasts: [Mail.Broadcast], today: String, columns: Int?, ink: Ink) {
        (self.broadcasts, self.today, self.columns, self.ink) = (broadcasts, today, columns, ink)
    }

    /// Empty if there are none.
    public func text(numbered: Bool = false) -> String { broadcasts.map { text($0, numbered) }.joined() }

    private func text(_ broadcast: Mail.Broadcast, _ isNumbered: Bool) -> String {
        let mark = broadcast.level == .important ? "Important: " : ""
        let lines = (mark + broadcast.text).paragraphs(columns: columns.map { max(1, $0 - 4) })
        let body = lines.enumerated().map { place, line in
            "  \(place == 0 ? "•" : " ") \(broadcast.level == .important ? ink.warm(line) : line)\n"
        }
        guard isNumbered else { return body.joined() }
        let facts = [
            broadcast.id.shown, broadcast.to.map { "to \($0.shown)" }, from(broadcast),
            broadcast.until.map { "until \(Self.end($0, today: today))" },
            broadcast.dismissable ? nil : "stays until its end", broadcast.dismissed == true ? "dismissed" : nil,
        ]
        return body.joined() + "    " + ink.faint(facts.compactMap { $0 }.joined(separator: " · ")) + "\n"
    }

    /// "the end of Monday 8 March", or an instant within a day.
    public static func end(_ instant: String, today: String) -> String {
        guard let read = DateTime(instant), read.time.hour == 0, read.time.minute == 0 else {
            return Wording.time(instant, today: today)
        }
        return "the end of \(Wording.day(read.day - 1, today: CalendarDay(today)))"
    }

    private func from(_ broadcast: Mail.Broadcast) -> String { "from \(Wording.time(broadcast.from, today: today))" }
}
