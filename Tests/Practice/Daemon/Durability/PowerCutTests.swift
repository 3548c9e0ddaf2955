import DiskSupport
import Glibc
import TestSupport
import Testing
import TestingSupport

/// No acknowledged call is lost in a power cut, and none is there twice.
@Suite(.ofFile, .hangGuard) struct PowerCutTests {
    @Test func `after a power cut at any instant the acknowledged calls are kept, once each, and no others`() throws {
        let seed = testSeed
        let (day, _) = try cuts(isThorough ? 240 : 20, seed: seed, failingSyncs: false)
        print("power cuts \(day.ends), \(day.figures) (seed \(seed))")
        day.expectSound()
    }

    /// The kernel drops bytes that it could not write, and reports that once. Later writes must not depend on them.
    @Test func `a failed sync shortly before a power cut loses no acknowledged call`() throws {
        let seed = testSeed
        let (day, failures) = try cuts(isThorough ? 120 : 12, seed: seed, failingSyncs: true)
        print("power cuts \(day.ends), \(failures) of them after a failed sync, \(day.figures) (seed \(seed))")
        day.expectSound()
        #expect(failures > day.ends / 3)
    }

    /// Returns the practice, and the number of cuts before which a sync had failed.
    private func cuts(_ count: Int, seed: UInt64, failingSyncs: Bool) throws -> (Workload, Int) {
        var dice = SplitMix64(seed: seed)
        var failures = 0
        let day = try Workload()
        for cut in 0..<count {
            let (callers, hasFailed) = try cutOff(day, &dice, failingSyncs)
            try day.settle(callers, "cut \(cut), seed \(seed)")
            failures += hasFailed ? 1 : 0
        }
        return (day, failures)
    }

    /// Returns the callers with the replies before the cut, and whether a sync had failed by then.
    private func cutOff(
        _ day: Workload, _ dice: inout SplitMix64, _ failingSyncs: Bool
    ) throws -> ([Workload.Caller], hasFailed: Bool) {
        unlink(day.folder["control"])
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer { close(listening) }
        let log = day.folder["disk.log"]
        unlink(log)
        var disk = try ForgetfulDisk(day.state, seed: dice.next())
        let faults = DiskFaults(in: day.folder, below: day.state)
        // Half of the failures come during the start: in the syncs of a new log, and of its name.
        let early = failingSyncs && dice.flip()
        if early { faults.fail(.syncs, .random(in: 1...6, using: &dice), error: EIO) }
        let daemon = try day.daemon(
            listening: listening, environment: faults.environment.merging(["DISK_LOG": log]) { $1 })
        let callers = day.callers()
        if failingSyncs, !early { faults.fail(.syncs, .random(in: 1...24, using: &dice), error: EIO) }
        day.work(callers, for: daemon, until: .random(in: 30...220, using: &dice))
        // A service manager would restart a daemon that the disk kept from starting.
        #expect([-SIGKILL, 75].contains(daemon.end(SIGKILL)), "\(daemon.said.last ?? "")")
        let done = try DiskLog(log)
        // The failure is one step among thousands, so most cuts come soon after it.
        let failed = done.records.firstIndex { $0.kind == .syncFailed }
        let failure = Int.random(in: 0..<8, using: &dice) == 0 ? nil : failed
        let end = min(done.records.count, failure.map { $0 + 40 } ?? done.records.count)
        let cut = Int.random(in: (failure.map { $0 + 1 } ?? 0)...end, using: &dice)
        disk.play(done.records[..<cut])
        try disk.cut(into: day.state)
        let replies = done.replies(before: cut)
        for (index, caller) in callers.enumerated() {
            caller.heard(only: index < replies.count ? replies[index] : [])
        }
        return (callers, failed.map { $0 < cut } ?? false)
    }
}
