import DiskSupport
import Glibc
import TestSupport
import Testing
import TestingSupport

/// A disk that fails at each call in turn, under the whole daemon.
@Suite(.ofFile, .hangGuard) struct FailingDiskTests {
    private static let onDisk = DiskFaults.Trouble.all.filter { !$0.kinds.intersection(.disk).isEmpty }
    /// Without missing descriptors: a call opens no file once the database is open.
    private static let troubles = onDisk.filter { ![EMFILE, ENFILE].contains($0.error) }

    @Test(arguments: troubles)
    func
        `after one failed call nothing is half written, the journal has the failure once, and the next call is carried out`(
            trouble: DiskFaults.Trouble
        ) throws
    { try failEach(trouble, lasting: false) }

    @Test(arguments: troubles.compactMap(\.lasting))
    func `while the disk fails, calls are refused and nothing is half written; afterwards calls are carried out`(
        trouble: DiskFaults.Trouble
    ) throws { try failEach(trouble, lasting: true) }

    /// Each call in turn, unless the run is not thorough: then a third of them, by the seed.
    private func failEach(_ trouble: DiskFaults.Trouble, lasting: Bool) throws {
        let kinds = trouble.kinds.intersection(.disk)
        let day = try Workload()
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer { close(listening) }
        let faults = DiskFaults(in: day.folder, below: day.state)
        let daemon = try day.daemon(listening: listening, environment: faults.environment)
        let (sessions, looks) = (day.callers([.sessions])[0], day.callers([.looks])[0])
        for caller in [sessions, looks] { day.ask(1, over: caller) }
        var (tried, refused) = (0, 0)
        // First the calls of a commit fail in turn, then those of opening the database again.
        var dice = SplitMix64(seed: testSeed)
        let step = isThorough || trouble.error == ENOSPC ? 1 : 3
        for number in stride(from: Int.random(in: 1...step, using: &dice), through: 1_000, by: step) {
            faults.fail(kinds, number, through: lasting ? .max : nil, error: trouble.error)
            let replies = (0..<(lasting ? 3 : 1)).map { _ in day.ask(1, over: sessions) ?? "no reply" }
            let failed = faults.failed
            faults.heal()
            if replies.contains(where: { $0.contains("StorageUnavailable") }) { refused += 1 }
            for caller in [looks, sessions] {
                let reply = day.ask(1, over: caller) ?? "no reply"
                #expect(reply.hasPrefix(#"{"parameters""#), "call \(number): \(reply)")
            }
            guard failed > 0 else { break }
            tried += 1
        }
        let said = daemon.said
        #expect(said.count { $0.contains("The storage is unavailable.") } == refused)
        #expect(said.count { $0.contains("The storage is available again.") } == refused)
        #expect(!said.contains { $0.contains("damaged") })
        daemon.end(SIGKILL)
        try day.settle([sessions, looks], trouble.name)
        let how = lasting ? "from then on" : "once"
        print("failing calls: \(trouble.name), \(how), \(tried) in turn, \(refused) refused, \(day.figures)")
        day.expectSound()
        #expect(tried > 0 || kinds == .locks || step > 1)
    }

    /// Each call of a start in turn; of most troubles only a sample of them unless the run is thorough.
    @Test(arguments: onDisk, [false, true])
    func `a start that fails because of the disk changes nothing, and the next start succeeds`(
        trouble: DiskFaults.Trouble, lasting: Bool
    ) throws {
        guard let trouble = lasting ? trouble.lasting : trouble else { return }
        let kinds = trouble.kinds.intersection(.disk)
        var dice = SplitMix64(seed: testSeed)
        // A disk that is full from one certain call on once made SQLite remove a log with acknowledged commits.
        let step = isThorough || lasting && trouble.error == ENOSPC ? 4 : 24
        let begin = Int.random(in: 1...step, using: &dice)
        let day = try Workload()
        var (tried, ended) = (0, 0)
        for number in stride(from: begin, through: 2_000, by: step) {
            let faults = DiskFaults(in: day.folder, below: day.state)
            faults.fail(kinds, number, through: lasting ? .max : nil, error: trouble.error)
            let (daemon, callers) = try opened(day, faults.environment)
            let failed = faults.failed
            faults.heal()
            if !callers[0].replies.isEmpty {
                try end(daemon, day, callers, "call \(number)")
            } else {
                ended += 1
                #expect([75, 1].contains(daemon.end(SIGKILL)), "call \(number): \(daemon.said.last ?? "")")
                try day.settle(callers, "call \(number)")
                let (next, others) = try opened(day, [:])
                try end(next, day, others, "after call \(number)")
            }
            guard failed > 0 else { break }
            tried += 1
        }
        let how = "\(lasting ? "from then on" : "once"), \(tried) calls from \(begin)"
        print("failing starts: \(trouble.name), \(how), \(ended) ended the start, \(day.figures)")
        day.expectSound()
    }

    /// Starts a daemon, and a caller who is answered unless the daemon ends.
    private func opened(
        _ day: Workload, _ environment: [String: String]
    ) throws -> (PracticeProcess, [Workload.Caller]) {
        unlink(day.folder["control"])
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer { close(listening) }
        let daemon = try day.daemon(listening: listening, environment: environment)
        let callers = day.callers([.staff])
        day.work(callers, for: daemon, until: 1)
        return (daemon, callers)
    }

    /// The disk works again, so further calls succeed.
    private func end(_ daemon: PracticeProcess, _ day: Workload, _ callers: [Workload.Caller], _ note: String) throws {
        // Behind all calls that were sent before.
        let last = day.ask(4, over: callers[0]) ?? "no reply"
        #expect(last.hasPrefix(#"{"parameters""#), "\(note): \(last)")
        daemon.end(SIGKILL)
        day.hear(callers)
        try day.settle(callers, note)
    }
}
