import Glibc
import TestSupport
import Testing
import TestingSupport

/// No acknowledged call is lost, whenever practiced is killed. A call that is repeated with its key is carried out once.
@Suite(.ofFile, .hangGuard) struct KillTests {
    @Test func `a daemon killed under a load of calls keeps each acknowledged call once, and no others`() throws {
        // Each time all that was ever acknowledged is looked for, so the time grows with the square.
        let kills = isThorough ? 200 : 25
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        let day = try Workload()
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer { close(listening) }
        for kill in 0..<kills {
            let daemon = try day.daemon(listening: listening)
            let callers = day.callers()
            day.work(callers, for: daemon, until: .random(in: 1...120, using: &dice))
            daemon.end(SIGKILL)
            day.hear(callers)
            try day.settle(callers, "kill \(kill)")
        }
        let daemon = try day.daemon(listening: listening)
        try day.askAgain()
        #expect(daemon.end(SIGTERM) == 0)
        try day.settle([], "the end")
        print("kills \(kills), \(day.figures) (seed \(seed))")
        day.expectSound(ofAll: true)
    }
}
