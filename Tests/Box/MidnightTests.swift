import Foundation
import Testing

/// Real midnights, in a real journal.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct MidnightTests {
    @Test func `in ten zones a second apart, each day unlocks its task once and at its own midnight`() async throws {
        let box = try await Box()
        let lines = try await box.run("\(Box.clone)/Tests/Box/midnights 10 \(Box.shown)/daybreakd").split(
            separator: "\n")
        #expect(lines.count == 10)
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            let (day, reminders) = (words[1], Array(words[4...]))
            #expect(reminders == ["\(day)/unlocked/\(day)"])
            let (midnight, sent) = (try #require(Int(words[0])), try #require(Int(words[3])))
            #expect(sent >= midnight)
            print("Midnight to sending: \(Double(sent - midnight) / 1_000) ms")
        }
    }

    @Test func `setting the clock again and again to its present time does not move midnight`() async throws {
        let client = try await Client(#"[[2, "calm, tired", "$tomorrow"]]"#, midnight: 10)
        let midnight = try #require(client.midnight)
        // Each setting makes the kernel cancel the daemon's timer (TFD_TIMER_CANCEL_ON_SET).
        let sets =
            "import time as t\nfor _ in range(20): t.clock_settime_ns(t.CLOCK_REALTIME, t.time_ns()); t.sleep(0.1)"
        try await client.box.run("/usr/bin/python3 -c '\(sets)'", as: .root)
        let journal = try client.followJournal()
        _ = try await journal.line { $0.hasPrefix("A task is open.") }
        let reminders = try await client.reminders("unlocked")
        #expect(reminders.map { $0["DAYBREAK_REMINDER"] } == ["\(midnight.tomorrow)/unlocked/\(midnight.tomorrow)"])
        #expect(try #require(reminders.first?["at"].flatMap { Int($0) }) >= midnight.begins)
    }
}
