internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Glibc
import JSON
import Time
import Varlink

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "status", abstract: "Show the task, the next reminder, the provider and the counts.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case waybar
        case i3StatusRust = "i3status-rust"
        case plain, json
    }

    @Flag(help: "Stay, and print every change.") var follow = false
    @Option(help: "For a bar or a prompt: waybar, i3status-rust, plain or json, on one line.") var format: Format?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard daemon.json, let format, format != .json else { return }
        throw ValidationError("--json and --format \(format.rawValue) name two forms: say one of them.")
    }

    func run() throws {
        guard let format = format ?? (daemon.json ? .json : nil) else { return try forPeople() }
        guard follow else { return try once(format) }
        var last = ""
        try ReplyStream(path: daemon.path, method: { Homework.GetStatus() }).follow(isPatient: format != .json) {
            update in
            let line = Self.line(update, format)
            if line != last { Self.tell(line, format) }
            last = line
        }
    }

    private func forPeople() throws {
        guard follow else {
            var isUnread = false
            try daemon.ask(Homework.GetStatus()) {
                isUnread = $0.status.unread == true
                return Wording.status($0.status, ink: Streams.ink)
            }
            if isUnread { throw ExitCode(Failure.refusedStatus) }
            return
        }
        var shown = false
        try ReplyStream(path: daemon.path, method: { Homework.GetStatus() }).follow(isPatient: false) { update in
            guard let update else { return Streams.output("\n" + Bar.away.tooltip + "\n") }
            Streams.output((shown ? "\n" : "") + Wording.status(update.reply.status, ink: Streams.ink))
            shown = true
        }
    }

    /// If no daemon answers, a bar or a prompt shows nothing, and only the exit status tells.
    private func once(_ format: Format) throws {
        do {
            let connection = try daemon.connection()
            let reply = try connection.reply(to: Homework.GetStatus())
            let found = try connection.decode(Homework.GetStatus.self, from: reply)
            Self.tell(Self.line((found, reply), format), format)
            // A bar that is told of a failure shows nothing.
            if format == .json, found.status.unread == true { Glibc.exit(Failure.refusedStatus) }
        } catch let failure as Failure where failure.status == Failure.noDaemonStatus && format != .json {
            Streams.output(verbatim: Self.line(nil, format) + "\n")
            Glibc.exit(failure.status)
        }
    }

    private static func tell(_ line: String, _ format: Format) {
        guard format == .json else { return Streams.output(verbatim: line + "\n") }
        Streams.output(json: Array(line.utf8))
    }

    /// One line; `update` is nil while the daemon does not answer.
    static func line(_ update: ReplyStream<Homework.GetStatus>.Update?, _ format: Format) -> String {
        let bar = update.map { Bar($0.reply.status) } ?? .away
        switch format {
        case .waybar: return String(decoding: JSONObject.text(of: bar.waybar), as: UTF8.self)
        case .i3StatusRust: return String(decoding: JSONObject.text(of: bar.i3StatusRust), as: UTF8.self)
        case .plain: return bar.text
        case .json: return update.map { String(decoding: $0.frame.parameters, as: UTF8.self) } ?? #"{"status":null}"#
        }
    }
}

extension Wording {
    /// The status as lines, for `status` and for the tooltip of a status bar.
    static func status(_ status: Homework.Status, wall: CalendarDay? = .onTheWall, ink: Ink) -> String {
        let head =
            ink.strong(heading(status.today, ends: status.dayEnds, wall: wall))
            + ink.faint(" · " + status.timeZone.shown)
        return head + "\n" + rows(status).map { "  \(ink.faint($0.0.padded(to: 10)))\($0.1)\n" }.joined()
    }

    private static func rows(_ status: Homework.Status) -> [(String, String)] {
        let today = status.today
        let problem = status.problem.map { [("Problem", sentence($0))] } ?? []
        guard status.unread != true else {
            return [
                ("Task", "not known"), ("Reminder", "not known"), ("Provider", "not known"), ("Tasks", "not known"),
            ]
                + problem
        }
        var rows: [(String, String)] = [("Task", task(status))]
        if let next = status.nextUnlock {
            // A task in progress that is done makes way sooner.
            let latest = status.flow == nil ? "" : " at the latest"
            rows.append(("Next", "unlocks \(time(next, today: today))\(latest)"))
        }
        if let snoozed = status.snoozedUntil, snoozed == status.nextReminder {
            rows.append(("Reminder", "\(clock(snoozed, today: today, dayEnds: status.dayEnds)), snoozed until then"))
        } else {
            let next = status.nextReminder.map { time($0, today: today, dayEnds: status.dayEnds) }
            let muted = status.snoozedUntil.map { "snoozed until \(clock($0, today: today, dayEnds: status.dayEnds))" }
            let words = [next, muted].compactMap(\.self)
            if !words.isEmpty { rows.append(("Reminder", words.joined(separator: "; "))) }
        }
        rows.append(("Provider", status.providerOnline ? "available" : "not available"))
        rows.append(("Tasks", counts(status.counts)))
        for (place, news) in news(status.news).enumerated() { rows.append((place == 0 ? "Practice" : "", news)) }
        return rows + problem
    }

    private static func task(_ status: Homework.Status) -> String {
        if let flow = status.flow { return standing(of: flow, today: status.today) }
        guard let eligible = status.eligible else {
            return status.nextUnlock == nil ? "none now, and nothing more is scheduled" : "none now"
        }
        return "the one of \(day(eligible.due, today: status.today)) is open: `daybreak start`"
    }

    /// The numbers of letters, messages, surveys, lessons and announcements that wait at the practice. Never a sender, a subject or a
    /// text.
    /// - Parameter announced: the announcements with their texts, which stand beside it and are not counted.
    static func news(
        _ news: Homework.News?, announced: Link.Announcements.Reply? = nil, today: String? = nil
    ) -> [String] {
        guard let news else { return [] }
        var lines: [String] = []
        func add(_ count: Int, _ line: @autoclosure () -> String) { if count > 0 { lines.append(line()) } }
        let urgent = news.urgentMail > 0 ? ", \(news.urgentMail) of them urgent" : ""
        add(news.unreadMail, "\(counted(news.unreadMail, "unread letter"))\(urgent): `daybreak mail`")
        add(news.unreadChat, "\(counted(news.unreadChat, "unread message")): `daybreak chat`")
        let until = announced?.surveys?.first.map { ", until \(SurveyWords.end($0.closes, today: today))" } ?? ""
        add(news.surveysDue, "\(counted(news.surveysDue, "survey")) to answer\(until): `daybreak survey`")
        let lessons = news.unreadLessons ?? 0
        add(lessons, "\(counted(lessons, "lesson")) to read: `daybreak course`")
        if announced?.announcements == nil {
            add(news.broadcasts, "\(counted(news.broadcasts, "announcement")): `daybreak announcements`")
        } else if let more = announced?.more {
            add(more, "\(counted(more, "more announcement")): `daybreak announcements`")
        }
        return lines
    }

    /// Nil without news.
    static func newsLine(
        _ news: Homework.News?, announced: Link.Announcements.Reply? = nil, today: String? = nil
    ) -> String? {
        let lines = Self.news(news, announced: announced, today: today)
        return lines.isEmpty ? nil : "From your practice: \(lines.joined(separator: " · "))"
    }

    private static func counts(_ counts: Homework.Counts) -> String {
        "\(counts.completed) completed, \(counts.missed) missed, \(counts.open) open, \(counts.locked) locked"
    }
}
