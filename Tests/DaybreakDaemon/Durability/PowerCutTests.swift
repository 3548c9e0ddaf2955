import Foundation
import Glibc
import Testing

@testable import DaybreakDaemon

/// Nothing that was acknowledged is lost when the power goes.
@Suite(.timeLimit(.minutes(30))) struct PowerCutTests {
    @Test func `when the power goes at any instant, what was acknowledged is there, once, and nothing else`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let account = try cuts(isThorough ? 1_000 : 50, seed: seed, failingSyncs: false)
        print("power cuts \(account.ends), \(account.figures) (seed \(seed))")
        expectSound(account)
    }

    /// The kernel forgets what it could not write, and says that once: what comes after must not build on it.
    @Test func `a sync that failed shortly before the power goes takes nothing acknowledged with it`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let account = try cuts(isThorough ? 500 : 25, seed: seed, failingSyncs: true)
        print("power cuts after a failed sync \(account.ends), \(account.figures) (seed \(seed))")
        expectSound(account)
    }

    private func cuts(_ count: Int, seed: UInt64, failingSyncs: Bool) throws -> Account {
        var dice = Dice(seed: seed)
        var account = Account()
        var household = Household()
        for cut in 0..<count {
            if cut % 50 == 0 {
                household = Household()
                account.forget()
            }
            let senders = try cutOff(household, &dice, failingSyncs)
            try account.settle(senders, in: household.state, "cut \(cut), seed \(seed)")
        }
        return account
    }

    private func cutOff(_ household: Household, _ dice: inout Dice, _ failingSyncs: Bool) throws -> [Sender] {
        let log = household.folder["disk.log"]
        unlink(log)
        var disk = try ForgetfulDisk(household.state, seed: dice.next())
        let faults = DiskFaults(household)
        let daemon = DaemonProcess(
            in: household.folder,
            environment: faults.environment.merging(["TZ": household.zone, "DISK_LOG": log]) { $1 })
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        let senders = household.senders(
            to: daemon, failingSyncs ? [.presence, .schedule, .snooze] : Sender.Kind.allCases)
        if failingSyncs { faults.fail(.syncs, .random(in: 1...(dice.flip() ? 3 : 30), using: &dice), error: EIO) }
        kill(daemon.process, after: .random(in: 10_000..<60_000, using: &dice))
        sendUntilItEnds(senders, daemon)
        #expect(daemon.end() == -SIGKILL)
        let done = try DiskLog(log)
        // The failure is one among thousands of steps: most cuts come soon after it.
        let failure = dice.flip() ? nil : done.records.firstIndex { $0.kind == .syncFailed }
        let end = min(done.records.count, (failure ?? done.records.count) + 30)
        let cut = Int.random(in: (failure ?? 0)...end, using: &dice)
        disk.play(done.records[..<cut])
        try disk.cut(into: household.state)
        let replies = done.replies(before: cut)
        for (index, sender) in senders.enumerated() {
            sender.heard(only: index < replies.count ? replies[index] : [])
        }
        return senders
    }
}
