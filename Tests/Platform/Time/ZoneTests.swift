import Foundation
import Glibc
import Testing

@testable import Time

/// Zones as values, compared with glibc's answers.
@Suite struct ZoneTests {
    static let folder = "/usr/share/zoneinfo"

    static func zone(_ name: String) throws -> Zone {
        try Zone(name: name, file: Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
    }

    /// Every zone of the system, except copies of others and zones that count leap seconds.
    static let names: [String] = {
        let table = (try? String(contentsOfFile: "\(folder)/tzdata.zi", encoding: .utf8)) ?? ""
        let words = table.split(separator: "\n").map { $0.split(separator: " ") }
        return words.compactMap { $0.first == "Z" ? String($0[1]) : nil }.sorted()
    }()

    static func instant(_ text: String) -> Instant {
        let date = try? Date(text, strategy: .iso8601)
        return Instant(microseconds: Int64(date?.timeIntervalSince1970 ?? 0) * 1_000_000)
    }

    @Test(arguments: [
        // In Havana midnight comes twice, and the first counts; in spring it is skipped.
        ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
        ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"),
        ("Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00Z"),
        // Samoa had no 30 December 2011.
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"), ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
        // Long after the last transition in the file.
        ("Europe/Berlin", "2187-07-01", "2187-06-30T22:00:00Z"), ("UTC", "2026-01-01", "2026-01-01T00:00:00Z"),
    ]) func `a day starts at the first instant at which the wall shows it`(name: String, day: String, start: String)
        throws
    {
        let found = try Self.zone(name).start(of: #require(CalendarDay(day)))
        #expect(found == Self.instant(start))
    }

    @Test func `every zone of the system agrees with glibc`() async throws {
        try #require(Self.names.count > 300)
        await #expect(processExitsWith: .success) {
            var generator = SystemRandomNumberGenerator()
            for name in ZoneTests.names {
                let zone = try ZoneTests.zone(name)
                setenv("TZ", name, 1)
                tzset()
                for _ in 0..<400 {
                    // The years 1850 to 2500.
                    var second = time_t.random(in: -3_786_912_000...16_725_225_600, using: &generator)
                    for _ in 0..<2 {
                        var local = tm()
                        localtime_r(&second, &local)
                        let instant = Instant(microseconds: Int64(second) * 1_000_000)
                        precondition(zone.offset(at: instant) == local.tm_gmtoff, "\(name) at \(second)")
                        // Also around the start of a day.
                        second = time_t(zone.start(of: zone.day(at: instant)).microseconds / 1_000_000)
                        var (before, at) = (tm(), tm())
                        var earlier = second - 1
                        localtime_r(&second, &at)
                        localtime_r(&earlier, &before)
                        precondition(at.tm_mday != before.tm_mday, "\(name): no day starts at \(second)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ([], "it ends in the middle of its header"), (Array(repeating: 0, count: 44), "it does not begin with TZif"),
        (Array("TZif".utf8) + Array(repeating: 0, count: 40), "it is of version 1, which ends in 2038"),
    ]) func `bytes that are no zone file are refused with the reason`(bytes: [UInt8], reason: String) {
        #expect(throws: ZoneFileError(reason: reason)) { try Zone(name: "x", file: bytes) }
    }

    @Test func `no damaged file traps`() throws {
        let sound = Array(try Data(contentsOf: URL(filePath: "\(Self.folder)/Europe/Berlin")))
        for place in sound.indices {
            var bytes = sound
            bytes[place] ^= 0xFF
            if let zone = try? Zone(name: "x", file: bytes) { _ = zone.start(of: CalendarDay(ordinal: 20_000)) }
            _ = try? Zone(name: "x", file: Array(sound[..<place]))
        }
    }
}
