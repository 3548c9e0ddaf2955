import DaybreakInterfaces
import Foundation
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport
import Varlink

@testable import HomeworkDaemon

/// `daybreakd --simulate` prints the events to come, and changes no file.
@Suite struct SimulateTests {
    private let folder = Folder()
    private let schedule: String

    init() {
        mkdir(folder["config"], 0o755)
        mkdir(folder["config/daybreak"], 0o755)
        schedule = folder["config/daybreak/tasks.json"]
        write(
            #"[[5, ["calm"], "2027-03-27"], {"breaths": 5, "moods": ["calm"], "due": "2027-03-28", "id": "second"}]"#,
            to: schedule)
    }

    private func simulate(_ words: [String], environment: [String: String] = [:]) throws -> Homework.Simulation {
        let program = DaemonProcess(in: folder, ["--simulate"] + words, environment: environment)
        #expect(program.end() == 0)
        #expect(program.errors == "")
        return try JSONDecoder().decode(Homework.Simulation.self, from: Data(try #require(program.output).utf8))
    }

    private func refusal(_ words: String...) -> String? {
        let program = DaemonProcess(in: folder, ["--simulate"] + words)
        #expect(program.end() == 1)
        #expect(program.output == "")
        return program.errors
    }

    private func lines(_ simulation: Homework.Simulation) -> [String] {
        simulation.entries.map {
            "\($0.day) \($0.at) \($0.kind) \($0.assignment ?? "-") \($0.reminder?.rawValue ?? "")"
        }
    }

    @Test func `a schedule is simulated in a zone whose clocks go forward`() throws {
        write("[day]\ngrace_days = 0\n[reminders]\nat = [\"02:30\"]\n", to: folder["settings"])
        let options = ["--schedule", schedule, "--config", folder["settings"], "--from", "2027-03-26", "--days", "4"]
        let berlin = try simulate(["--zone", "Europe/Berlin"] + options)
        #expect(berlin.timeZone == "Europe/Berlin")
        #expect([berlin.from, berlin.through] == ["2027-03-26", "2027-03-29"])
        #expect(
            lines(berlin) == [
                "2027-03-26 2027-03-26T00:00:00+01:00 reminded - scheduleTaken",
                "2027-03-27 2027-03-27T00:00:00+01:00 unlocked 2027-03-27 ",
                "2027-03-27 2027-03-27T00:00:00+01:00 reminded 2027-03-27 unlocked",
                "2027-03-27 2027-03-27T02:30:00+01:00 reminded 2027-03-27 stillOpen",
                "2027-03-28 2027-03-28T00:00:00+01:00 missed 2027-03-27 ",
                "2027-03-28 2027-03-28T00:00:00+01:00 reminded 2027-03-27 missed",
                "2027-03-28 2027-03-28T00:00:00+01:00 unlocked second ",
                "2027-03-28 2027-03-28T00:00:00+01:00 reminded second unlocked",
                "2027-03-28 2027-03-28T03:00:00+02:00 reminded second stillOpen",
                "2027-03-29 2027-03-29T00:00:00+02:00 missed second ",
                "2027-03-29 2027-03-29T00:00:00+02:00 reminded second missed",
            ])
    }

    @Test func `a day without a midnight begins at the jump`() throws {
        write(#"[[5, ["calm"], "2026-04-24"]]"#, to: schedule)
        let cairo = try simulate(
            ["--schedule", schedule, "--from", "2026-04-24", "--days", "1", "--zone", "Africa/Cairo"])
        #expect(
            lines(cairo) == [
                "2026-04-24 2026-04-24T01:00:00+03:00 reminded - scheduleTaken",
                "2026-04-24 2026-04-24T01:00:00+03:00 unlocked 2026-04-24 ",
                "2026-04-24 2026-04-24T01:00:00+03:00 reminded 2026-04-24 unlocked",
                "2026-04-24 2026-04-24T09:00:00+03:00 reminded 2026-04-24 stillOpen",
                "2026-04-24 2026-04-24T18:00:00+03:00 reminded 2026-04-24 stillOpen",
            ])
    }

    /// Days that begin at 02:30, before, during and after a change of the clocks.
    @Test(
        arguments: [
            ("2026-03-29", ["2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"]),
            ("2026-10-25", ["2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]),
        ] as [(CalendarDay, [String])])
    func `a day begins once if 02:30 is skipped or comes twice`(
        day: CalendarDay, begins: [String]
    ) throws {
        write("[day]\nstarts_at = \"02:30\"\ngrace_days = 0\n[reminders]\nat = []\n", to: folder["settings"])
        let days = [day - 1, day, day.next]
        write("[\(days.map { "[5, [\"calm\"], \"\($0)\"]" }.joined(separator: ", "))]", to: schedule)
        let options = ["--schedule", schedule, "--config", folder["settings"], "--from", "\(days[0])", "--days", "3"]
        let berlin = try simulate(["--zone", "Europe/Berlin"] + options)
        let unlocked = zip(days, begins).map { "\($0) \($1) unlocked \($0) " }
        #expect(lines(berlin).filter { $0.contains(" unlocked ") && $0.hasSuffix(" ") } == unlocked)
    }

    /// Checked by hand: on Sunday 25 October 2026 Berlin's clocks go back from 03:00 to 02:00.
    @Test func `quiet hours, reminder days and the day's limit hold in an hour that comes twice`() throws {
        write(
            """
            [day]
            grace_days = 2
            [reminders]
            at = ["02:15", "12:00", "18:00"]
            days = ["sunday", "monday", "wednesday"]
            quiet = "22:00-02:30"
            at_most = 2
            """, to: folder["settings"])
        write(#"[[5, ["calm"], "2026-10-25"]]"#, to: schedule)
        let berlin = try simulate([
            "--zone", "Europe/Berlin", "--schedule", schedule, "--config", folder["settings"], "--from", "2026-10-24",
            "--days", "5",
        ])
        #expect(
            lines(berlin) == [
                "2026-10-24 2026-10-24T02:30:00+02:00 reminded - scheduleTaken",
                "2026-10-25 2026-10-25T00:00:00+02:00 unlocked 2026-10-25 ",
                // The first 02:30 ends the quiet hours, for the held reminder and for the time 02:15.
                "2026-10-25 2026-10-25T02:30:00+02:00 reminded 2026-10-25 unlocked",
                "2026-10-25 2026-10-25T12:00:00+01:00 reminded 2026-10-25 stillOpen",
                // 18:00 would be the day's third. Tuesday is no reminder day.
                "2026-10-26 2026-10-26T02:30:00+01:00 reminded 2026-10-25 overdue",
                "2026-10-26 2026-10-26T12:00:00+01:00 reminded 2026-10-25 overdue",
                "2026-10-28 2026-10-28T00:00:00+01:00 missed 2026-10-25 ",
                "2026-10-28 2026-10-28T02:30:00+01:00 reminded 2026-10-25 missed",
            ])
    }

    @Test func `a task of a skipped day unlocks late, with the next day`() throws {
        write(#"[[5, ["calm"], "2011-12-30"]]"#, to: schedule)
        write("[reminders]\nat = []\n", to: folder["config/daybreak/daybreak.toml"])
        let apia = try simulate(
            ["--schedule", schedule, "--from", "2011-12-29", "--days", "3", "--zone", "Pacific/Apia"])
        #expect(
            lines(apia) == [
                "2011-12-29 2011-12-29T00:00:00-10:00 reminded - scheduleTaken",
                "2011-12-31 2011-12-31T00:00:00+14:00 unlocked 2011-12-30 ",
                "2011-12-31 2011-12-31T00:00:00+14:00 reminded 2011-12-30 overdue",
            ])
    }

    @Test(arguments: [("Etc/GMT-14", "+14:00"), ("Etc/GMT+12", "-12:00")])
    func `in the zones farthest from UTC a day begins at its own midnight`(zone: String, offset: String) throws {
        let edge = try simulate(["--schedule", schedule, "--from", "2027-03-27", "--days", "1", "--zone", zone])
        #expect(edge.entries.first?.at == "2027-03-27T00:00:00\(offset)")
        #expect(edge.entries.last?.at == "2027-03-27T18:00:00\(offset)")
    }

    @Test func `days before the first one asked for are simulated and not printed`() throws {
        let later = try simulate(["--schedule", schedule, "--from", "2027-03-27", "--days", "1"])
        #expect(later.entries.map(\.kind) == [.reminded, .unlocked, .reminded, .reminded, .reminded])
        write(#"[[5, ["calm"], "\#(Noon.today + 1)"], [5, ["calm"], "\#(Noon.today + 3)"]]"#, to: schedule)
        for day in ["\(Noon.today + 3)", (Noon.today + 3).weekday.name] {
            let simulation = try simulate(["--from", day, "--days", "1"])
            #expect(
                lines(simulation).first
                    == "\(Noon.today + 3) \(Noon.today + 3)T00:00:00\(Noon.offset) unlocked \(Noon.today + 3) ")
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a history is read in place and left unchanged`(signal: Int32) throws {
        let (today, tomorrow) = (Noon.today, Noon.today.next)
        write(#"[[5, ["calm"], "\#(today)"], [5, ["calm"], "\#(tomorrow)"]]"#, to: schedule)
        let daemon = DaemonProcess(in: folder)
        #expect(daemon.isReady())
        let running = try untouched { try simulate(["--days", "2"]) }
        // It knows that today's task is unlocked already.
        let unlocked = running.entries.count { $0.kind == .unlocked }
        #expect(unlocked == 1)
        _ = daemon.end(signal)
        #expect(exists(folder["state/daybreak/history.db-wal"]) == (signal == SIGKILL))
        let ended = try untouched { try simulate(["--days", "2"]) }
        #expect(lines(ended) == lines(running))
    }

    /// A client who paused half an hour ago counts as gone, as in the daemon.
    @Test func `a reminder that a pause keeps back comes when its client counts as gone`() throws {
        write(#"[[5, ["calm"], "\#(Noon.today)"]]"#, to: schedule)
        let daemon = DaemonProcess(in: folder)
        #expect(daemon.isReady())
        let (guide, client) = (daemon.client(), daemon.client())
        _ = client.ask(call("Homework.Start"))
        guide.send(call("Homework.Breathe", more: true))
        _ = guide.wait()
        let paused = try #require(client.ask(call("Homework.Pause")))
        #expect(!paused.contains("error"), "\(paused)")
        let status = try #require(client.ask(call("Homework.GetStatus")))
        let foreseen = try Reply(frame: Array(status.utf8)).decode(Homework.GetStatus.Reply.self).status.nextReminder
        let next = try simulate(["--days", "2"]).entries.first { $0.kind == .reminded && $0.reminder == .stillOpen }
        #expect(next != nil && next?.at == foreseen, "\(status) \(String(describing: next))")
        _ = daemon.end(SIGTERM)
    }

    @Test func `without a history or a schedule nothing is printed`() throws {
        unlink(schedule)
        let nothing = try untouched { try simulate([]) }
        #expect(nothing.entries == [])
    }

    @Test func `a past day needs a schedule of its own`() {
        #expect(
            refusal("--from", "2026-01-01") == """
                It is \(Noon.today.spoken) already, and the history is not undone. With --schedule FILE any day can be the \
                first: that schedule alone, as if it were new.

                """)
    }

    @Test(arguments: ["Europe/Bern", "/etc/passwd", "../zoneinfo/UTC", "Europe", ""])
    func `an unknown zone is refused`(zone: String) {
        #expect(
            refusal("--zone", zone) == """
                There is no time zone \(zone): those that there are stand in /usr/share/zoneinfo, such as Europe/Berlin.

                """)
    }

    @Test func `no day is simulated beyond the end of the calendar`() throws {
        for (first, days) in [("9999-12-31", "1"), ("9999-12-25", "7")] {
            #expect(
                refusal("--schedule", schedule, "--from", first, "--days", days)
                    == "The calendar ends with Friday 31 December 9999: ask for an earlier day, or fewer.\n")
        }
        let last = try simulate(["--schedule", schedule, "--from", "9999-12-30", "--days", "1"])
        #expect(last.through == "9999-12-30")
    }

    @Test func `a missing or faulty file is refused with the reason`() {
        let (none, bad) = (folder["none"], folder["bad"])
        write("[day]\ngrace_days = -1\n", to: bad)
        #expect(refusal("--schedule", none) == "\(none) cannot be read: No such file or directory.\n")
        #expect(refusal("--config", none) == "\(none) cannot be read: No such file or directory.\n")
        #expect(refusal("--config", bad)?.hasPrefix("\(bad):2: day.grace_days must be ") == true)
        let reason = "entry 1: expected a value, found 'd'."
        #expect(refusal("--schedule", bad) == "\(bad):1:2: \(reason)\n")
    }

    @Test(arguments: [
        (["--from", "soon"], "--from takes a day such as 2026-11-21, or today, tomorrow or a weekday."),
        (["--days", "0"], "--days takes a number from 1 to 3660."),
        (["--days", "3661"], "--days takes a number from 1 to 3660."),
        (["--zone"], "--zone needs a value."), (["--until", "x"], "--simulate has no option --until."),
    ]) func `impossible arguments end with 64`(words: [String], sentence: String) {
        let program = DaemonProcess(in: folder, ["--simulate"] + words)
        #expect(program.end() == 64)
        #expect(program.errors == sentence + "\n")
    }

    /// Expects that `body` changes no file and no folder, except those that the test itself writes.
    private func untouched<Result>(_ body: () throws -> Result) throws -> Result {
        func seen() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
                .filter { !["notify", "output", "errors", "runtime"].contains($0) }
                .map { name in
                    var status = stat()
                    lstat(folder[name], &status)
                    let contents = FileManager.default.contents(atPath: folder[name])?.hashValue ?? 0
                    return "\(name) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_mode) \(contents)"
                }
        }
        let before = try seen()
        let result = try body()
        #expect(try seen() == before)
        return result
    }
}
