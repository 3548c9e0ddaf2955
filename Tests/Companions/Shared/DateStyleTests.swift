import DaybreakInterfaces
import Foundation
import Testing
import Time
import Varlink

@testable import Companion
@testable import DaybreakCompanion

@Suite struct DateStyleTests {
    private static let german = DateStyle(date: "%d.%m.%Y", time: "%T")
    private static let american = DateStyle(date: "%m/%d/%Y", time: "%r")
    private static let swedish = DateStyle(date: "%Y-%m-%d", time: "%H:%M:%S")

    @Test func `the order of a date is the locale's, and its words are English`() throws {
        let day: CalendarDay = "2026-11-20"
        let said = [Self.german, Self.american, Self.swedish].map { style in
            [CalendarDay("2026-01-01"), nil].map { Wording.fullDay(day, today: $0, style: style) }
        }
        #expect(
            said == [
                ["Friday 20 November", "Friday 20 November 2026"],
                ["Friday, November 20", "Friday, November 20, 2026"],
                ["November 20, Friday", "2026 November 20, Friday"],
            ])
    }

    @Test func `the clock has twelve hours if the locale's has`() {
        let times = [(0, 0), (9, 5), (12, 0), (18, 30)]
        #expect(times.map(Self.german.clock) == ["00:00", "09:05", "12:00", "18:30"])
        #expect(times.map(Self.american.clock) == ["12:00 am", "9:05 am", "12:00 pm", "6:30 pm"])
    }

    @Test func `formats with flags and modifiers are understood`() {
        #expect(DateStyle(date: "%-e/%-m/%Ey", time: "%OI:%M %p") == DateStyle(date: "%d.%m.%Y", time: "%r"))
        #expect(DateStyle(date: "%F", time: "%R") == Self.swedish)
        #expect(DateStyle(date: "", time: "") == DateStyle())
    }

    @Test func `the day in a task's cause has that order too`() {
        let cause = Homework.Cause(kind: .today, day: "2026-11-28")
        #expect(
            Wording.reason(cause, else: "", style: Self.german)
                == "It is today's task; it can be done through Saturday 28 November 2026.")
        #expect(
            Wording.reason(cause, else: "", style: Self.american)
                == "It is today's task; it can be done through Saturday, November 28, 2026.")
    }

    @Test func `a reason without a known cause is quoted`() {
        let reason = Wording.reason(nil, else: "it unlocks on Monday", style: Self.american)
        #expect(reason == "It unlocks on Monday.")
    }

    @Test(arguments: [
        ([:], true), (["LANG": "de_DE.UTF-8"], true), (["LANG": "C"], false),
        (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
        (["LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"], true), (["LANG": "nowhere"], false),
    ])
    func `the locale decides whether the terminal has UTF-8`(environment: [String: String], isUTF8: Bool) {
        #expect(TerminalEncoding(environment: environment) == (isUTF8 ? .utf8 : .ascii))
    }

    @Test func `in ASCII signs are written as words, and wide letters keep their columns`() {
        #expect("“calm” · ● Today … 穏やか é ↑".ascii == "\"calm\" - * Today ... ?????? ? up")
        // An x would say of a thing that is well that it is not.
        #expect("✓ well, ✗ wrong, · unknown".ascii == "+ well, ! wrong, - unknown")
    }
}

/// With a locale that the test makes (man 1 localedef).
@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/en_US"),
        "there are no sources of locales here: install Debian's package locales")
) struct LocaleTests {
    @Test(arguments: [
        ("en_US", "Friday, November 20, 2026", "6:05 pm"), ("de_DE", "Friday 20 November 2026", "18:05"),
        ("sv_SE", "2026 November 20, Friday", "18:05"),
    ])
    func `the program uses the locale's order`(locale: String, day: String, time: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-locale-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try Process.run(
            URL(filePath: "/usr/bin/localedef"),
            arguments: ["-i", locale, "-f", "UTF-8", folder.appending(path: "\(locale).UTF-8").path()])
        made.waitUntilExit()
        let listener = Listener()
        let run = try ProgramTests.run(
            ["reminders"], socket: listener.path,
            environment: ["LOCPATH": folder.path(), "LC_TIME": "\(locale).UTF-8"]
        ) {
            let peer = listener.accept()
            _ = peer.call()
            let reminder: Homework.Reminder = Sample.decode(
                #"{"id":"a","kind":"unlocked","at":"2026-11-20T18:05:00+01:00","message":"A task is open."}"#)
            peer.send(Reply.frame(Homework.Reminders.Reply(reminders: [reminder])))
        }
        let width = time.hasSuffix("pm") ? 8 : 5
        #expect(run == ProgramTests.Run(output: "\(day)\n  \(time.padded(to: width))  A task is open.\n"))
    }
}
