internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

struct Moods: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "moods", abstract: "Show the moods over time: a calendar, a chart, or a page to take along.")

    @Option(help: ArgumentHelp("Only from that day on: 2026-11-20, yesterday or a weekday.", valueName: "day"))
    var since: String?
    @Flag(help: "A chart in place of the calendar.") var plot = false
    @Option(
        help: ArgumentHelp("Write the chart to FILE, a drawing; - is standard output.", valueName: "file"),
        completion: .file())
    var svg: String?
    @Option(
        help: ArgumentHelp(
            "Write calendar and chart to FILE, a page that needs nothing else; - is standard output.",
            valueName: "file"), completion: .file())
    var html: String?
    @Flag(help: "Write over a file that is there already.") var force = false
    @OptionGroup var pager: PagerOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws { try OutputForms.check(json: daemon.json, ("--svg", svg), ("--html", html)) }

    func run() throws {
        let connection = try daemon.connection()
        let first = try since.map { try day($0, over: connection) }
        let tasks = try connection.call(Homework.List(all: true)).assignments
        let log = DayLog(moodsOf: tasks, since: first)
        guard !daemon.json else { return Streams.output(object: ["moods": log.entries.map(LoggedMood.init)]) }
        let isAny = tasks.contains { $0.mood != nil }
        let none = first.flatMap { isAny ? Self.noMoods(since: $0) : nil } ?? Self.noMoods
        if let svg { try write(Self.drawing(log, orSaying: none), to: svg) }
        if let html { try write(Self.page(log, orSaying: none), to: html) }
        guard svg == nil, html == nil else { return }
        guard !log.entries.isEmpty else { return Streams.output(none + "\n") }
        pager.print(
            plot
                ? DotChart(log: log, columns: Pager.columns, ink: Streams.ink, isASCII: Streams.isASCII).text
                : MonthCalendar(log: log, columns: Pager.columns, ink: Streams.ink).text)
    }

    private func day(_ text: String, over connection: DaemonConnection) throws(Failure) -> CalendarDay {
        guard let day = try connection.day(text, weekdays: .last).flatMap({ CalendarDay($0) }) else {
            throw .misused("“\(text.shown)” is not a day; write it as 2026-11-20, or yesterday, or a weekday.")
        }
        return day
    }

    private func write(_ text: String, to file: String) throws(Failure) {
        guard file != "-" else { return Streams.output(verbatim: text) }
        let isThere = PrivateFile.existsUnlessForced(file)
        try PrivateFile.write(to: file, replacing: force, orSaying: isThere) { draft throws(Failure) in
            try draft.append(Array(text.utf8)[...])
        }
        Streams.output("Written to \(file.shown); only you can read it.\n")
    }

    private struct LoggedMood: Encodable {
        let day: String
        let mood: String

        init(_ entry: DayLog.Entry) {
            day = entry.day.description
            mood = entry.word
        }
    }

    static let noMoods = "No mood is logged yet."

    static func noMoods(since first: CalendarDay) -> String { "No mood is logged since \(Wording.shortDay(first))." }

    static func drawing(_ log: DayLog, orSaying none: String = noMoods) -> String {
        DotDrawing(log: log, title: title(log) ?? none).file
    }

    static func page(_ log: DayLog, orSaying none: String = noMoods) -> String {
        DayLogPage(
            log: log, title: title(log) ?? none,
            introduction: log.entries.isEmpty
                ? none : "The moods as they were logged, day by day, and nothing else.",
            column: "Mood"
        ).text
    }

    /// Nil if no mood is logged.
    private static func title(_ log: DayLog) -> String? {
        guard let (first, last) = log.span else { return nil }
        return first == last
            ? "Moods on \(Wording.shortDay(first))"
            : "Moods from \(Wording.shortDay(first)) to \(Wording.shortDay(last))"
    }
}

extension DayLog {
    /// The logged moods, each on the day on which it was logged. The words are in the order of the provider's choices.
    /// - Parameter first: leaves out the days before it.
    init(moodsOf assignments: [Homework.Assignment], since first: CalendarDay?) {
        let logged = assignments.compactMap { task in
            task.mood.flatMap { mood in
                CalendarDay(task.moodOn ?? task.completedOn ?? task.due).map { Entry(day: $0, word: mood) }
            }
        }
        .filter { entry in first.map { entry.day >= $0 } ?? true }
        self.init(logged, words: assignments.flatMap(\.moods))
    }
}
