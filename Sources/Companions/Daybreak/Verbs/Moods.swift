internal import ArgumentParser
import DaybreakInterfaces
import Varlink

struct Moods: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "moods", abstract: Wording.About.moods)

    @Option(help: ArgumentHelp(Wording.About.moodsSince, valueName: "day")) var since: String?
    @Flag(help: ArgumentHelp(Wording.About.plot)) var plot = false
    @Option(help: ArgumentHelp(Wording.About.svg, valueName: "file")) var svg: String?
    @Option(help: ArgumentHelp(Wording.About.html, valueName: "file")) var html: String?
    @Flag(help: ArgumentHelp(Wording.About.force)) var force = false
    @OptionGroup var pager: PagerOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if let since, Day(since)?.text != since { throw ValidationError(Wording.notADay(since)) }
    }

    func run() throws {
        let tasks = try daemon.connection().call(Homework.List(all: true)).assignments
        let log = MoodLog(tasks, since: since.flatMap { Day($0) })
        guard !daemon.json else { return Standard.output(object: ["moods": log.entries.map(Logged.init)]) }
        guard !log.entries.isEmpty else { return Standard.output(Wording.noMoods + "\n") }
        if let svg { try hand(MoodDrawing(log: log).text(isWhole: true), to: svg) }
        if let html { try hand(MoodPage(log: log).text, to: html) }
        guard svg == nil, html == nil else { return }
        pager.print(
            plot
                ? MoodChart(log: log, columns: Pager.columns, ink: Standard.ink).text
                : MoodCalendar(log: log, ink: Standard.ink).text)
    }

    private func hand(_ text: String, to file: String) throws(Failure) {
        guard file != "-" else { return Standard.output(text) }
        try PrivateFile.write(to: file, replacing: force, orSaying: Wording.standsThere(file)) { kept throws(Failure) in
            try kept.append(Array(text.utf8)[...])
        }
        Standard.output(Wording.written(file))
    }

    private struct Logged: Encodable {
        let day: String
        let mood: String

        init(_ entry: MoodLog.Entry) {
            day = entry.day.text
            mood = entry.word
        }
    }
}
