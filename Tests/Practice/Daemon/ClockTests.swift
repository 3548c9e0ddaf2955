import Foundation
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Systemd
import Testing
import Time
import UnixTestSupport

@testable import PracticeDaemon

/// The machine's clock is wrong, or was wrong before.
@Suite struct `A wrong clock` {
    private let day: Clinic.Day

    init() throws { day = try Clinic.Day() }

    private var ana: Clinic.TestCaller { day.clinic.as(day.ana) }

    private func move(days: Int64) { day.clinic.clock.advance(by: .seconds(days * 86_400)) }

    private func session(on day: String, key: String? = nil) -> Records.AddSession {
        Records.AddSession(
            client: self.day.cleo, on: day, minutes: 50, service: self.day.offers.talk, motives: [], tools: [],
            notes: "", key: key)
    }

    private func refused(_ reason: String) -> Practice.Invalid {
        Practice.Invalid(faults: [.init(field: "on", reason: reason)])
    }

    @Test func `set back by a year, it refuses sessions before the record's first day, and all data is kept`() throws {
        try ana.call(session(on: "2027-03-05"))
        move(days: -365)
        #expect(try day.clinic.root.call(Practice.WhoAmI()).today == "2026-03-05")
        #expect(throws: refused("must not be to come: today is 2026-03-05.")) {
            try ana.call(session(on: "2027-03-05"))
        }
        #expect(throws: refused("must not be before the record, which begins on 2027-03-05.")) {
            try ana.call(session(on: "2026-03-05"))
        }
        let kept = try ana.call(Records.GetSession(session: "s1")).session
        #expect(kept.on == "2027-03-05" && kept.recorded == "2027-03-05T09:00:00+01:00")
        move(days: 365)
        #expect(try ana.call(session(on: "2027-03-05")).session.number == 2)
    }

    @Test func `set forward by a year, it records that day; after the correction the session can be voided`()
        throws
    {
        move(days: 365)
        try ana.call(session(on: "2028-03-04"))
        move(days: -365)
        let wrong = try ana.call(Records.VoidSession(session: "s1", reason: "The clock was wrong.")).session
        #expect(wrong.on == "2028-03-04" && wrong.voided == "2027-03-05T09:00:00+01:00")
        #expect(try ana.call(session(on: "2027-03-05")).session.number == 2)
    }

    @Test func `turns and news keep the order of their recording`() throws {
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "1"))
        move(days: -365)
        try ana.call(Records.ReopenRecord(client: day.cleo, why: .mistake, reason: "2"))
        move(days: 730)
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "3"))
        move(days: -365)
        let turns = try ana.call(Records.ListTurns(client: day.cleo)).turns
        #expect(turns.map(\.reason).suffix(3) == ["1", "2", "3"])
        #expect(turns.map(\.at).suffix(3).map { $0.prefix(4) } == ["2027", "2026", "2028"])
        let news = try day.clinic.as(day.ana).outcome(Practice.Watch(since: "0"), more: true).watchFrom?.missed
        #expect(news?.map(\.number) == Array(1...(news?.count ?? 0)))
    }

    @Test func `the pages of the audit have each entry once after the clock was set back and forth`() throws {
        for shift in [-365, 730, -365, -1, 1] as [Int64] {
            try ana.call(Records.GetClient(client: day.cleo))
            move(days: shift)
        }
        var (found, after) = ([String](), String?.none)
        repeat {
            let page = try ana.call(Practice.Audit(client: day.cleo, after: after, limit: 2))
            found += page.entries.map(\.id)
            after = page.next
        } while after != nil
        // Reading the audit adds an entry, which is newer than those on the page.
        #expect(Set(found).count == found.count)
        let read = try ana.call(Practice.Audit(client: day.cleo, limit: 200)).entries.filter { $0.did == "GetClient" }
        #expect(read.count == 5 && Set(read.map(\.id)).isSubset(of: found))
    }

    @Test(arguments: [-365, -1, 0, 29] as [Int64])
    func `a repeated call with a key has no effect, even after the clock was set`(shift: Int64) throws {
        move(days: 1)
        let first = try ana.call(session(on: "2027-03-05", key: "k"))
        move(days: shift)
        // Removes the expired keys.
        try ana.call(Records.AddClient(name: "Dora", key: "dora"))
        #expect(try ana.call(session(on: "2027-03-05", key: "k")) == first)
    }

    @Test(.ofFile) func `the newest night is always kept`() throws {
        func backUp(_ nights: Int) throws {
            for _ in 0..<nights {
                try day.clinic.root.call(Upkeep.BackUpNight())
                move(days: 1)
            }
        }
        func nights() throws -> [String] {
            let folder = day.clinic.folder.path + "/backups"
            return try FileManager.default.contentsOfDirectory(atPath: folder).map {
                String($0.dropFirst("night-".count).dropLast(".db".count))
            }.sorted()
        }
        try backUp(7)
        move(days: 365)
        try backUp(2)
        move(days: -367)
        try backUp(1)
        // By their names, the two backups of the wrong clock would be the newest. One of them was removed.
        #expect(
            try nights()
                == [
                    "2027-03-07", "2027-03-08", "2027-03-09", "2027-03-10", "2027-03-11", "2027-03-12", "2028-03-12",
                ].map { $0 })
        try backUp(6)
        #expect(try nights().last == "2027-03-18")
        move(days: -365)
        try backUp(8)
        #expect(try nights() == (20...26).map { "2026-03-\($0)" })
    }

    @Test func `with a clock before 2026 nothing is recorded`() throws {
        let clinic = day.clinic
        let back = Duration.microseconds(-clinic.clock.now.microseconds)
        clinic.clock.advance(by: back)
        let reason = "The clock of this machine shows 1970-01-01, and nothing is recorded: set it."
        for call in [session(on: "1970-01-01"), session(on: "2027-03-05")] {
            #expect(throws: Practice.StorageUnavailable(reason: reason)) { try ana.call(call) }
        }
        let outcome = try ana.outcome(session(on: "1970-01-01"))
        #expect(outcome.storage == .failed(.unavailable(reason)))
        // Calls that only read are answered.
        #expect(try clinic.visitor.call(Practice.WhoAmI()).today == "1970-01-01")
        clinic.clock.advance(by: .microseconds(Clinic.morning.microseconds))
        #expect(try ana.outcome(session(on: "2027-03-05")).storage == .written)
    }

    @Test func `the next backup is due at midnight, or at once if the last one is not of today`() {
        let now = Clinic.morning
        let zone = Clinic.settings.zone
        func hours(_ count: Int64) -> Instant { now + .seconds(count * 3_600) }
        #expect(NightlyBackups.due(at: now, last: nil, in: zone) == now)
        #expect(NightlyBackups.due(at: now, last: hours(-8), in: zone) == hours(15))
        #expect(NightlyBackups.due(at: now, last: hours(-10), in: zone) == now)
        #expect(NightlyBackups.due(at: hours(-24 * 365), last: now, in: zone) == hours(-24 * 365))
    }

    @Test func `a backup that failed is made again after five minutes`() throws {
        let loop = try EventLoop()
        var made = 0
        // Five minutes behind the clock of the loop, so that they are over at once.
        let nights = try NightlyBackups(
            loop, zone: Clinic.settings.zone, now: { SystemClock.now() + .seconds(-300) }, last: { nil },
            backUp: { hear in
                made += 1
                hear(true)
            }, say: { _, _ in })
        nights.again()
        while made == 0 { try #require(try loop.step(timeoutMicroseconds: patience)) }
        // The next one comes after midnight.
        while try loop.step(timeoutMicroseconds: 0) {}
        #expect(made == 1)
        withExtendedLifetime(nights) {}
    }
}
