import DiskSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon

/// A disk that fails at each call in turn, under the whole daemon. SQLite is tested in this way.
@Suite(.hangGuard) struct FailingDiskTests {
    private typealias Trouble = DiskFaults.Trouble

    private static let onDisk = Trouble.all.filter { !$0.kinds.intersection(.disk).isEmpty }
    /// Without missing descriptors: a command opens no file. FailingMachineTests has them.
    private static let troubles = onDisk.filter { ![EMFILE, ENFILE].contains($0.error) }

    @Test(arguments: troubles)
    func `after one failed call the command is refused, the trouble is logged once, and the next command is recorded`(
        trouble: DiskFaults.Trouble
    ) throws {
        try failEach(trouble, lasting: false)
    }

    @Test(arguments: troubles.compactMap(\.lasting))
    func `after lasting failures the commands are refused, the trouble is logged once, and a later command is recorded`(
        trouble: DiskFaults.Trouble
    ) throws {
        try failEach(trouble, lasting: true)
    }

    private func failEach(_ trouble: Trouble, lasting: Bool) throws {
        let (name, error, kinds) = (trouble.name, trouble.error, trouble.kinds.intersection(.disk))
        let (household, faults, daemon) = try started()
        let sender = household.senders(to: daemon, [.presence])[0]
        var (tried, troubles) = (0, 0)
        // First the calls of a command fail in turn, then those of opening the history again.
        for number in 1... {
            daemon.forgetNotifications()
            faults.fail(kinds, number, through: lasting ? .max : nil, error: error)
            sender.ask(lasting ? 3 : 1, expecting: nil)
            let failed = faults.failed
            faults.heal()
            let wasRefused = sender.sent.last?.outcome != .done
            if wasRefused {
                troubles += 1
                #expect(problem(daemon) != nil, "call \(number)")
            }
            sender.ask(1, expecting: .done)
            #expect(problem(daemon) == nil, "call \(number)")
            guard failed > 0 else { break }
            tried += 1
        }
        // If the disk fails for good after a sync has failed, nobody can know whether the command was kept. Its answer says
        // so.
        if lasting, kinds.contains(.syncs) { #expect(sender.sent.contains { $0.outcome == .unknown }) }
        let said = daemon.errors?.split(separator: "\n") ?? []
        #expect(said.count { $0.hasSuffix(". Daybreak carries on without recording") } == troubles)
        #expect(said.count { $0.hasSuffix("The history can be written again.") } == troubles)
        kill(daemon.process, SIGKILL)
        _ = daemon.end()
        #expect(tried > 0)
        print("failing calls: \(name), \(lasting ? "from then on" : "once"), \(tried) in turn, \(troubles) refused")
        var account = Account()
        try account.settle([sender], in: household.state, name)
        #expect(account.isSound, "\(account.figures)")
    }

    /// Each call of a start in turn; only a sample of them unless the run is thorough.
    @Test(arguments: onDisk, [false, true])
    func `a failed call during the start is logged once, and the first command after it is recorded`(
        trouble: DiskFaults.Trouble, lasting: Bool
    ) throws {
        guard let trouble = lasting ? trouble.lasting : trouble else { return }
        let (error, kinds) = (trouble.error, trouble.kinds.intersection(.disk))
        let (_, probe, first) = try started(counting: kinds)
        let calls = probe.calls
        _ = first.end(SIGTERM)
        #expect(calls > 5)
        var dice = SplitMix64(seed: testSeed)
        let begin = isThorough ? 1 : Int.random(in: 1...min(24, calls), using: &dice)
        var tried = 0
        for number in stride(from: begin, through: calls, by: isThorough ? 1 : 24) {
            let (household, faults, daemon) = try started { armed in
                armed.fail(kinds, number, through: lasting ? .max : nil, error: error)
            }
            #expect(faults.failed > 0)
            tried += 1
            let sender = household.senders(to: daemon, [.presence])[0]
            #expect(try problemLines(daemon) == (problem(daemon) == nil ? 0 : 1), "call \(number)")
            // A disk that cannot be read is not called damage, so that nobody restores an older history.
            #expect(problem(daemon)?.contains("damaged") != true, "call \(number)")
            if lasting {
                sender.ask(1, expecting: nil)
                #expect(try problemLines(daemon) == (sender.sent[0].outcome == .done ? 0 : 1), "call \(number)")
            }
            faults.heal()
            sender.ask(1, expecting: .done)
            #expect(problem(daemon) == nil, "call \(number)")
            _ = daemon.end(SIGKILL)
            var account = Account()
            try account.settle([sender], in: household.state, "call \(number)")
            #expect(account.isSound, "call \(number): \(account.figures)")
        }
        let name = "\(trouble.name), \(lasting ? "from then on" : "once")"
        #expect(tried > 0)
        print("failing starts: \(name), \(tried) of \(calls) calls, from \(begin)")
    }

    /// If a history or the log of a crash cannot be opened for writing, SQLite opens it for reading, and reports that only
    /// when it writes.
    @Test(arguments: [SIGTERM, SIGKILL])
    func `after a failed open during the start the first command is recorded`(signal: Int32) throws {
        let household = Workload()
        _ = try household.lived().end(signal)
        var tried = 0
        for number in 1...100 {
            let faults = DiskFaults(household)
            faults.fail(.opens, number, error: EIO)
            let daemon = try household.started(faults.environment)
            let failed = faults.failed
            faults.heal()
            let reply = daemon.client().ask(call("Homework.AddNote", #"{"text":"more"}"#)) ?? "no reply"
            #expect(Sender.outcome(of: reply) == .done, "open \(number): \(reply)")
            #expect(problem(daemon) == nil, "open \(number)")
            _ = daemon.end(signal)
            guard failed > 0 else { break }
            tried += 1
        }
        #expect(tried > 5)
        print("failing opens of a start after signal \(signal): \(tried) in turn")
    }

    @Test func `while the disk is full, the problem stays, and My tasks has it`() throws {
        let household = Workload()
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        let client = daemon.client()
        faults.fail(.disk, 1, through: .max, error: ENOSPC)
        #expect(Sender.outcome(of: client.ask(call("Homework.AddNote", #"{"text":"more"}"#)) ?? "") == .refused)
        let found = try #require(problem(daemon))
        // A call that records nothing, and opens the history again, is no proof.
        _ = client.ask(call("Service.Backup"))
        #expect(problem(daemon) == found)
        #expect(client.ask(call("Homework.List"))?.contains("\"problem\":\"\(found)\"") == true)
        #expect(daemon.errors?.contains("can be written again") == false)
        faults.heal()
        _ = client.ask(call("Service.Backup"))
        #expect(problem(daemon) == nil)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `a status file that cannot be written is logged once, and is written later`() throws {
        let household = Workload()
        let faults = DiskFaults(household, folder: household.folder["runtime/daybreak/status.json"])
        let daemon = DaemonProcess(
            in: household.folder, environment: faults.environment.merging(["TZ": household.zone]) { $1 })
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        let sender = household.senders(to: daemon, [.flow])[0]
        faults.fail(.disk, 1, through: .max, error: ENOSPC)
        sender.ask(4, expecting: .done)
        faults.heal()
        sender.ask(1, expecting: .done)
        let said = (daemon.errors ?? "").split(separator: "\n").filter { $0.contains("status") }
        #expect(
            said == [
                """
                daybreakd: The status cannot be shown: Could not remove \(daemon.runtime)/status.json.new: \
                No space left on device, carrying on
                """,
                "daybreakd: The status can be shown again.",
            ])
    }
}

/// Starts a daemon whose disk can fail.
private func started(counting: DiskFaults.Kinds? = nil, _ arm: (DiskFaults) -> Void = { _ in }) throws
    -> (Workload, DiskFaults, DaemonProcess)
{
    let household = Workload()
    let faults = DiskFaults(household)
    if let counting { faults.fail(counting, .max, error: EIO) }
    arm(faults)
    let daemon = DaemonProcess(
        in: household.folder, environment: faults.environment.merging(["TZ": household.zone]) { $1 })
    try #require(daemon.isReady(), "\(daemon.errors ?? "")")
    return (household, faults, daemon)
}

/// How often the daemon logged that nothing can be recorded. It logged at most as often that recording works again.
private func problemLines(_ daemon: DaemonProcess) throws -> Int {
    let said = daemon.errors?.split(separator: "\n") ?? []
    let recovered = said.count { $0.hasSuffix("The history can be written again.") }
    let count = said.count { $0.hasSuffix(". Daybreak carries on without recording") }
    #expect(recovered <= count)
    return count
}

/// The problem in the status file.
func problem(_ daemon: DaemonProcess) -> String? {
    guard let status = text(of: daemon.runtime + "/status.json"),
        let object = try? JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
    else { return "no status" }
    return object["problem"] as? String
}
