import Foundation
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// Every day of every zone, compared with Python's reading of the same zone files. Unless the run is thorough, a quarter of the
/// zones, by the seed.
@Suite struct ZonesTests {
    private static let parts = 4

    private static let some = isThorough ? Array(0..<parts) : [Int(testSeed % UInt64(parts))]

    @Test(arguments: some) func `in every zone every day from 2020 to 2037 begins at the right instant`(
        part: Int
    ) async throws {
        let folder = Folder()
        let all = try distinctZones()
        let zones = all.zones.enumerated().filter { $0.offset % Self.parts == part }.map(\.element)
        if part == Self.some[0] { print("days of \(all.zones.count) zones, which have \(all.names) names") }
        write(zones.joined(separator: "\n"), to: folder["zones"])
        let oracle = Process()
        oracle.executableURL = URL(filePath: "/usr/bin/env")
        oracle.arguments = ["python3", "-c", Self.oracle, folder["zones"], folder["expected"]]
        try oracle.run()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            writeDays(of: try #require(text(of: "\(path)/zones")), to: "\(path)/found")
        }
        oracle.waitUntilExit()
        #expect(oracle.terminationStatus == 0)
        let expected = try #require(text(of: folder["expected"])).split(separator: "\n")
        let found = try #require(text(of: folder["found"])).split(separator: "\n")
        #expect(expected.count > zones.count)
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) where found != expected {
            Issue.record("\(found), but should be \(expected)")
        }
    }

    /// Looks at the wall second by second where an offset changes near midnight, and computes the other days.
    private static let oracle = """
        import sys, zoneinfo, datetime
        DAY = 86400
        def lines(name):
            zone = zoneinfo.ZoneInfo(name)
            def offset(second):
                return int(datetime.datetime.fromtimestamp(second, zone).utcoffset().total_seconds())
            def first(midnight, start, end, step):
                return next(t for t in range(start, end + 1, step) if t + offset(t) >= midnight)
            first_day, last_day = 18262, 24836
            daily = {d: offset(d * DAY) for d in range(first_day - 3, last_day + 4)}
            before = None
            for d in range(first_day, last_day + 1):
                midnight = d * DAY
                if len({daily[d + k] for k in (-2, -1, 0, 1, 2)}) == 1:
                    start = midnight - daily[d]
                else:
                    start = midnight - 2 * DAY
                    for step in (900, 60, 1):
                        start = first(midnight, max(midnight - 2 * DAY, start - 15 * 60 if step < 900 else start),
                                      midnight + 2 * DAY, step)
                if before is None or start - before != DAY:
                    yield f"{name} {d} {start}"
                before = start
        with open(sys.argv[2], "w") as out:
            for name in open(sys.argv[1]).read().split("\\n"):
                for line in lines(name):
                    print(line, file=out)
        """
}

/// The zones of this machine, without those that equal another zone under another name; and the number of all names.
private func distinctZones() throws -> (zones: [String], names: Int) {
    let root = "/usr/share/zoneinfo"
    var seen: Set<[UInt8]> = []
    var count = 0
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    let zones = names.filter { name in
        guard !name.hasPrefix("posix/"), !name.hasPrefix("right/"), !name.hasSuffix("localtime") else { return false }
        guard let contents = FileManager.default.contents(atPath: "\(root)/\(name)") else { return false }
        guard contents.starts(with: Array("TZif".utf8)) else { return false }
        count += 1
        return seen.insert(Array(contents)).inserted
    }
    return (zones, count)
}

/// One line for each day that does not begin 24 hours after the one before.
private func writeDays(of zones: String, to path: String) {
    var lines: [String] = []
    let first = "2020-01-01" as CalendarDay
    let last = "2037-12-31" as CalendarDay
    let clock = LocalClock()
    for zone in zones.split(separator: "\n") {
        live(in: String(zone))
        var before: Int64 = 0
        for ordinal in first.ordinal...last.ordinal {
            let start = clock.start(of: CalendarDay(ordinal: ordinal)).microseconds / 1_000_000
            if start - before != 86_400 { lines.append("\(zone) \(ordinal) \(start)\n") }
            before = start
        }
    }
    write(lines.joined(), to: path)
}
