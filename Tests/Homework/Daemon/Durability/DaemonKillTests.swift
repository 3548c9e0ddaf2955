import DiskSupport
import Glibc
import TestSupport
import Testing
import TestingSupport

@testable import HomeworkDaemon

/// No acknowledged command is lost, whenever the daemon is killed.
@Suite(.hangGuard) struct DaemonKillTests {
    @Test func `after a kill at any instant the acknowledged commands are kept, once each, and no others`() throws {
        let kills = isThorough ? 300 : 50
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        var account = Account()
        var household = Workload()
        var idle = 0
        for kill in 0..<kills {
            if kill % 50 == 0 {
                household = Workload()
                account.forget()
            }
            let senders = try killed(household, &dice)
            try account.settle(senders, in: household.state, "kill \(kill)")
            if senders.isEmpty { idle += 1 }
        }
        let starts = "\(idle) of them while it started and nobody could send"
        print("kills \(account.ends), \(starts), \(account.figures) (seed \(seed))")
        expectSound(account)
    }

    /// One kill in five comes during the start, one in ten near the end of a breath.
    private func killed(_ household: Workload, _ dice: inout SplitMix64) throws -> [Sender] {
        let daemon = DaemonProcess(
            in: household.folder, environment: household.clock.environment.merging(["TZ": household.zone]) { $1 })
        let roll = Int.random(in: 0..<10, using: &dice)
        guard roll > 1 else {
            kill(daemon.process, after: .random(in: 0..<150_000, using: &dice))
            #expect(daemon.end() == -SIGKILL)
            return []
        }
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        let isGuided = roll == 2
        let senders = isGuided ? household.leadIntoABreath(daemon) : household.senders(to: daemon)
        kill(daemon.process, after: .random(in: 0..<(isGuided ? 10_000 : 200_000), using: &dice))
        if isGuided { household.endBreath() }
        sendUntilItEnds(senders, daemon)
        #expect(daemon.end() == -SIGKILL)
        return senders
    }
}
