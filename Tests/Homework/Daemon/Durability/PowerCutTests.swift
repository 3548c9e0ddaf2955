import DiskSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport

@testable import HomeworkDaemon

/// No acknowledged command is lost in a power cut.
@Suite(.hangGuard) struct PowerCutTests {
    @Test func `after a power cut at any instant the acknowledged commands are kept, once each, and no others`() throws
    {
        let seed = testSeed
        let (account, _) = try cuts(isThorough ? 400 : 50, seed: seed, failingSyncs: false)
        print("power cuts \(account.ends), \(account.figures) (seed \(seed))")
        expectSound(account)
    }

    /// The kernel drops bytes that it could not write, and reports that once. Later writes must not depend on them.
    @Test func `a failed sync shortly before a power cut loses no acknowledged command`() throws {
        let seed = testSeed
        let (account, failures) = try cuts(isThorough ? 200 : 25, seed: seed, failingSyncs: true)
        print("power cuts \(account.ends), \(failures) of them after a failed sync, \(account.figures) (seed \(seed))")
        expectSound(account)
        #expect(failures > account.ends / 2)
    }

    /// SQLite syncs the folder of a new log, and does not check whether that succeeded.
    @Test func `a log whose folder could not be synced survives a power cut`() throws {
        let household = Workload()
        let first = DaemonProcess(in: household.folder, environment: ["TZ": household.zone])
        try #require(first.isReady(), "\(first.errors ?? "")")
        #expect(first.end(SIGTERM) == 0)
        let before = try ForgetfulDisk(household.state, seed: 0)
        let log = household.folder["disk.log"]
        let faults = DiskFaults(household)
        let daemon = DaemonProcess(
            in: household.folder,
            environment: faults.environment.merging(["TZ": household.zone, "DISK_LOG": log]) { $1 })
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        let sender = household.senders(to: daemon, [.presence])[0]
        // The first sync is the log's own.
        faults.fail(.syncs, 2, error: EIO)
        sender.ask(5, expecting: .done)
        kill(daemon.process, SIGKILL)
        _ = daemon.end()
        let records = try DiskLog(log).records
        for seed in 0..<20 {
            var disk = before
            disk.dice = SplitMix64(seed: UInt64(seed))
            disk.play(records[...])
            try disk.cut(into: household.state)
            var account = Account()
            try account.settle([sender], in: household.state, "seed \(seed)")
            #expect(account.lost == 0, "seed \(seed)")
        }
    }

    /// Returns the account, and the number of cuts before which a sync had failed.
    private func cuts(_ count: Int, seed: UInt64, failingSyncs: Bool) throws -> (Account, Int) {
        var dice = SplitMix64(seed: seed)
        var account = Account()
        var failures = 0
        var household = Workload()
        for cut in 0..<count {
            if cut % 50 == 0 {
                household = Workload()
                account.forget()
            }
            let (senders, hasFailed) = try cutOff(household, &dice, failingSyncs)
            try account.settle(senders, in: household.state, "cut \(cut), seed \(seed)")
            failures += hasFailed ? 1 : 0
        }
        return (account, failures)
    }

    /// Returns the senders with the replies before the cut, and whether a sync had failed by then.
    private func cutOff(
        _ household: Workload, _ dice: inout SplitMix64, _ failingSyncs: Bool
    ) throws -> ([Sender], hasFailed: Bool) {
        let log = household.folder["disk.log"]
        unlink(log)
        var disk = try ForgetfulDisk(household.state, seed: dice.next())
        let faults = DiskFaults(household)
        // Half of the failures come during the start: in the syncs of a new log, and of its name.
        let early = failingSyncs && dice.flip()
        if early { faults.fail(.syncs, .random(in: 1...6, using: &dice), error: EIO) }
        let surroundings = interposed(faults.environment, household.clock.environment)
        let daemon = DaemonProcess(
            in: household.folder, environment: surroundings.merging(["TZ": household.zone, "DISK_LOG": log]) { $1 })
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        // One cut in ten comes near the end of a breath.
        let isGuided = !early && Int.random(in: 0..<10, using: &dice) == 0
        let senders = isGuided ? household.leadIntoABreath(daemon) : household.senders(to: daemon)
        if failingSyncs, !early { faults.fail(.syncs, .random(in: 1...30, using: &dice), error: EIO) }
        let begin = isGuided ? try DiskLog(log).records.count : 0
        if isGuided { household.endBreath() }
        if failingSyncs { sendUntilItEnds(senders, daemon, or: { faults.failed > 0 }) }
        kill(daemon.process, after: .random(in: 10_000..<60_000, using: &dice))
        sendUntilItEnds(senders, daemon)
        #expect(daemon.end() == -SIGKILL)
        let done = try DiskLog(log)
        // The failure is one step among thousands, so most cuts come soon after it.
        let failed = done.records.firstIndex { $0.kind == .syncFailed }
        let failure = Int.random(in: 0..<8, using: &dice) == 0 ? nil : failed
        // A breath ends soon, so the cut comes soon after that.
        let end = min(done.records.count, failure.map { $0 + 30 } ?? (isGuided ? begin + 300 : done.records.count))
        let cut = Int.random(in: (failure.map { $0 + 1 } ?? begin)...end, using: &dice)
        disk.play(done.records[..<cut])
        try disk.cut(into: household.state)
        let replies = done.replies(before: cut)
        for (index, sender) in senders.enumerated() {
            sender.heard(only: index < replies.count ? replies[index] : [])
        }
        return (senders, failed.map { $0 < cut } ?? false)
    }
}
