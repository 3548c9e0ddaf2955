import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// Sets this process's zone. For exit tests alone, because all tests of a process share it.
func live(in zone: String) {
    setenv("TZ", zone, 1)
    tzset()
}

/// The instant of a text with its offset.
private func instant(_ text: String) -> Instant { DateTime(text)!.instant! }

/// A day that begins in an unusual way in some zone.
struct Daybreak: Codable, Sendable, CustomTestStringConvertible {
    let zone: String
    let day: String
    var startsAt = 0
    let begins: String

    var testDescription: String { "\(zone) \(day)" }
}

@Suite struct LocalClockTests {
    static let midnights = [
        // Midnight is skipped.
        Daybreak(zone: "Africa/Cairo", day: "2026-04-24", begins: "2026-04-24T01:00:00+03:00"),
        Daybreak(zone: "America/Havana", day: "2026-03-08", begins: "2026-03-08T01:00:00-04:00"),
        Daybreak(zone: "America/Santiago", day: "2026-09-06", begins: "2026-09-06T01:00:00-03:00"),
        Daybreak(zone: "Asia/Beirut", day: "2026-03-29", begins: "2026-03-29T01:00:00+03:00"),
        Daybreak(zone: "Atlantic/Azores", day: "2026-03-29", begins: "2026-03-29T01:00:00+00:00"),
        // Midnight comes twice.
        Daybreak(zone: "America/Havana", day: "2026-11-01", begins: "2026-11-01T00:00:00-04:00"),
        Daybreak(zone: "Atlantic/Azores", day: "2026-10-25", begins: "2026-10-25T00:00:00+00:00"),
        // An hour before midnight comes twice, and midnight once.
        Daybreak(zone: "Africa/Cairo", day: "2026-10-30", begins: "2026-10-30T00:00:00+02:00"),
        // A skipped day begins when the next one does.
        Daybreak(zone: "Pacific/Apia", day: "2011-12-30", begins: "2011-12-31T00:00:00+14:00"),
        Daybreak(zone: "Pacific/Apia", day: "2011-12-31", begins: "2011-12-31T00:00:00+14:00"),
        // The offsets farthest from UTC.
        Daybreak(zone: "Pacific/Kiritimati", day: "2027-03-05", begins: "2027-03-05T00:00:00+14:00"),
        Daybreak(zone: "Etc/GMT+12", day: "2027-03-05", begins: "2027-03-05T00:00:00-12:00"),
        Daybreak(zone: "XXX-24:30", day: "2027-03-05", begins: "2027-03-05T00:00:00+24:30"),
        Daybreak(zone: "XXX24", day: "2027-03-05", begins: "2027-03-05T00:00:00-24:00"),
        // Days that begin after midnight: at 04:00, and at 02:30 when that is skipped or comes twice.
        Daybreak(zone: "Europe/Berlin", day: "2027-03-05", startsAt: 240, begins: "2027-03-05T04:00:00+01:00"),
        Daybreak(zone: "Europe/Berlin", day: "2026-03-29", startsAt: 150, begins: "2026-03-29T03:00:00+02:00"),
        Daybreak(zone: "Europe/Berlin", day: "2026-10-25", startsAt: 150, begins: "2026-10-25T02:30:00+02:00"),
        Daybreak(zone: "Pacific/Apia", day: "2011-12-30", startsAt: 240, begins: "2011-12-31T00:00:00+14:00"),
    ]

    @Test(arguments: midnights) func `a day begins at the first instant at which the wall shows it or a later one`(
        day: Daybreak
    ) async {
        await #expect(processExitsWith: .success) { [day] in
            live(in: day.zone)
            let clock = LocalClock(dayStartsAt: day.startsAt)
            #expect(clock.rfc3339(clock.start(of: CalendarDay(day.day)!)) == day.begins)
        }
    }

    @Test func `the microsecond before a day belongs to the day before`() async {
        await #expect(processExitsWith: .success) {
            live(in: "America/Havana")
            for dayStartsAt in [0, 90, 360] {
                let clock = LocalClock(dayStartsAt: dayStartsAt)
                for day in ["2026-03-08", "2026-11-01", "2027-03-05"] as [CalendarDay] {
                    let start = clock.start(of: day)
                    #expect(clock.wall(at: start).day == day)
                    #expect(clock.wall(at: start + .microseconds(-1)).day == day - 1)
                }
            }
        }
    }

    @Test func `the hours after midnight count on from the day before if days begin at 04:00`() async {
        await #expect(processExitsWith: .success) {
            live(in: "Europe/Berlin")
            let clock = LocalClock(dayStartsAt: 240)
            #expect(clock.wall(at: instant("2027-03-05T23:59:59+01:00")) == WallTime(day: "2027-03-05", minute: 1_439))
            #expect(clock.wall(at: instant("2027-03-06T00:00:00+01:00")) == WallTime(day: "2027-03-05", minute: 1_440))
            #expect(clock.wall(at: instant("2027-03-06T03:59:59+01:00")) == WallTime(day: "2027-03-05", minute: 1_679))
            #expect(clock.wall(at: instant("2027-03-06T04:00:00+01:00")) == WallTime(day: "2027-03-06", minute: 240))
        }
    }

    @Test func `a day that began at 02:30 goes on while the half hour before that comes again`() async {
        await #expect(processExitsWith: .success) {
            live(in: "Europe/Berlin")
            let clock = LocalClock(dayStartsAt: 150)
            let ends: [(String, WallTime, String)] = [
                ("2026-10-25T02:29:59+02:00", WallTime(day: "2026-10-24", minute: 1_589), "2026-10-25T02:30:00+02:00"),
                ("2026-10-25T02:30:00+02:00", WallTime(day: "2026-10-25", minute: 150), "2026-10-26T02:30:00+01:00"),
                ("2026-10-25T02:10:00+01:00", WallTime(day: "2026-10-25", minute: 130), "2026-10-26T02:30:00+01:00"),
                ("2026-10-25T02:30:00+01:00", WallTime(day: "2026-10-25", minute: 150), "2026-10-26T02:30:00+01:00"),
                ("2026-03-29T01:59:59+01:00", WallTime(day: "2026-03-28", minute: 1_559), "2026-03-29T03:00:00+02:00"),
                ("2026-03-29T03:00:00+02:00", WallTime(day: "2026-03-29", minute: 180), "2026-03-30T02:30:00+02:00"),
            ]
            for (now, wall, end) in ends {
                let moment = clock.moment(at: instant(now), steady: SteadyInstant(microseconds: 0))
                #expect(moment.wall == wall)
                #expect(clock.rfc3339(moment.dayEnds) == end)
            }
        }
    }

    @Test func `a skipped time is the instant of the jump, and a repeated time is the first of the two`() async {
        await #expect(processExitsWith: .success) {
            live(in: "Europe/Berlin")
            let clock = LocalClock()
            func first(_ day: CalendarDay, _ minute: Int) -> String {
                clock.rfc3339(clock.first(WallTime(day: day, minute: minute)))
            }
            #expect(first("2026-03-29", 119) == "2026-03-29T01:59:00+01:00")
            #expect(first("2026-03-29", 120) == "2026-03-29T03:00:00+02:00")
            #expect(first("2026-03-29", 179) == "2026-03-29T03:00:00+02:00")
            #expect(first("2026-03-29", 180) == "2026-03-29T03:00:00+02:00")
            #expect(first("2026-10-25", 120) == "2026-10-25T02:00:00+02:00")
            #expect(first("2026-10-25", 179) == "2026-10-25T02:59:00+02:00")
            #expect(first("2026-10-25", 180) == "2026-10-25T03:00:00+01:00")
            // Hours after midnight of a day that begins later: minutes beyond 1,440.
            #expect(first("2026-10-24", 1_440 + 150) == "2026-10-25T02:30:00+02:00")
        }
    }

    static let offsets = [
        ("Asia/Kathmandu", "2027-03-05T05:45:00+05:45"),
        ("Pacific/Marquesas", "2027-03-04T14:30:00-09:30"),
        ("XXX0:30", "2027-03-04T23:30:00-00:30"),
        ("XXX-0:30", "2027-03-05T00:30:00+00:30"),
        // RFC 3339 has no seconds in an offset, so the time is moved by them and the text names the same instant.
        ("XXX0:30:20", "2027-03-04T23:30:00-00:30"),
        ("XXX0:00:20", "2027-03-05T00:00:00+00:00"),
        ("UTC0", "2027-03-05T00:00:00+00:00"),
    ]

    @Test(arguments: offsets) func `an instant is spelled with its offset`(
        zone: String, text: String
    ) async {
        await #expect(processExitsWith: .success) { [zone, text] in
            live(in: zone)
            let instant = VirtualClock.instant("2027-03-05", "00:00")
            #expect(LocalClock().rfc3339(instant) == text)
            #expect(DateTime(text)?.instant == instant)
        }
    }

    @Test func `fractions of a second are dropped, before 1970 as well`() async {
        await #expect(processExitsWith: .success) {
            live(in: "UTC0")
            #expect(LocalClock().rfc3339(Instant(microseconds: 999_999)) == "1970-01-01T00:00:00+00:00")
            #expect(LocalClock().rfc3339(Instant(microseconds: -1)) == "1969-12-31T23:59:59+00:00")
            #expect(LocalClock().wall(at: Instant(microseconds: -1)) == WallTime(day: "1969-12-31", minute: 1_439))
        }
    }

    @Test(.enabled(if: exists("/usr/share/zoneinfo/right/UTC"), "This machine has no zones that count leap seconds."))
    func `a leap second belongs to the day that it ends`() async {
        await #expect(processExitsWith: .success) {
            live(in: "right/UTC")
            let clock = LocalClock()
            let start = clock.start(of: "2017-01-01")
            #expect(start.microseconds == 1_483_228_827_000_000)
            #expect(clock.wall(at: start) == WallTime(day: "2017-01-01", minute: 0))
            #expect(clock.wall(at: start + .seconds(-1)) == WallTime(day: "2016-12-31", minute: 1_439))
            #expect(clock.rfc3339(start + .seconds(-1)) == "2016-12-31T23:59:60+00:00")
        }
    }

    static let names = [
        ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"), ("", "UTC"),
        ("CET-1CEST", "CET-1CEST"),
        ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
        (":/etc/../usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        // glibc takes UTC, and says nothing.
        ("Europe/Berln", "UTC"), ("/usr/share/zoneinfo/Nowhere", "UTC"),
        // No name to write into each event.
        ("\u{1B}[2J", "UTC"), (String(repeating: "A", count: 9_000), "UTC"),
    ]

    @Test(arguments: [
        ("Europe/Berln", false), ("Europe/Berlin", true), (":Europe/Berlin", true), ("UTC", true), ("", true),
        ("CET-1CEST", true), ("<+03>-3", true), ("UTC+", false), ("/usr/share/zoneinfo/UTC", true),
        ("/usr/share/zoneinfo/Nowhere", false), ("/usr/share/zoneinfo", false), (":/etc/passwd", false),
        ("../../../etc/passwd", false), ("A-24:59:59", false), ("<+3>-3", false), ("<abc-3", false),
    ])
    func `a zone that TZ names and glibc does not find is unknown`(set: String, isKnown: Bool) async {
        await #expect(processExitsWith: .success) { [set, isKnown] in
            live(in: set)
            #expect(LocalClock.unknownZone == (isKnown ? nil : set))
        }
    }

    @Test(arguments: names) func `the zone has the name that TZ gives it`(set: String, name: String) async {
        await #expect(processExitsWith: .success) { [set, name] in
            live(in: set)
            #expect(LocalClock().zone == name)
        }
    }

    @Test(
        arguments: [
            ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"), ("../usr/share/zoneinfo/Etc/UTC", "Etc/UTC"),
            ("/nowhere/Europe/Berlin", nil), ("/usr/share/zoneinfo/", nil),
        ] as [(String, String?)]) func `without TZ the zone has the name of the link's target`(
            target: String, name: String?
        )
    {
        let folder = Folder()
        must(symlink(target, folder["localtime"]))
        #expect(LocalClock.zone(linkedFrom: folder["localtime"]) == name)
    }

    @Test func `a zone file that is no link has no name`() {
        let folder = Folder()
        write("", to: folder["localtime"])
        #expect(LocalClock.zone(linkedFrom: folder["localtime"]) == nil)
        #expect(LocalClock.zone(linkedFrom: folder["nothing"]) == nil)
    }

    @Test func `now is the time of the machine's clocks`() async {
        await #expect(processExitsWith: .success) {
            live(in: "Asia/Tokyo")
            let before = time(nil)
            let now = LocalClock().now()
            let after = time(nil)
            #expect((Int64(before)...Int64(after)).contains(now.instant.microseconds / 1_000_000))
            #expect(now.zone == "Asia/Tokyo")
            #expect(now.wall == LocalClock().wall(at: now.instant))
            #expect(now.dayEnds == LocalClock().start(of: now.day.next))
        }
    }
}
