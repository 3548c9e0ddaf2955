import DiskSupport
import Foundation
import Glibc
import HomeworkHistory
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon

/// Each call of the daemon to the kernel fails in turn: for the history, its backups, the status file, the socket and the
/// loop.
@Suite(.hangGuard) struct FailingMachineTests {
    private typealias Trouble = DiskFaults.Trouble

    private let household = Workload()

    /// Each command is sent over a new connection.
    @Test(arguments: Trouble.all, [false, true])
    func `a failed call during a command is logged once, and the next command is recorded`(
        trouble: DiskFaults.Trouble, lasting: Bool
    ) throws {
        guard let trouble = lasting ? trouble.lasting : trouble else { return }
        let (faults, daemon) = try started()
        var senders: [Sender] = []
        func ask(patience: UInt64 = patience) throws -> Sender.Outcome? {
            try #require(daemon.isRunning, "\(daemon.errors ?? "")")
            daemon.forgetNotifications()
            senders += household.senders(to: daemon, [.presence])
            senders.last?.ask(1, expecting: nil, patience: patience)
            return senders.last?.sent.first?.outcome
        }
        try eachInTurn(trouble, lasting, "a command", faults, daemon) { _ in
            // A daemon that can accept nobody leaves the call unanswered.
            _ = try ask(patience: 5_000_000)
        } well: { note in
            let answer = try ask()
            #expect(answer == .done, note)
            expectTrueStatus(daemon, daemon.client(), note)
        }
        try expectNothingLost(senders, daemon, trouble.name)
    }

    @Test(arguments: Trouble.all, [false, true])
    func `a failed call at the beginning of a day does not keep the day from beginning afterwards`(
        trouble: DiskFaults.Trouble, lasting: Bool
    ) throws {
        guard let trouble = (lasting ? trouble.lasting : trouble)?.without([.accepts, .sends, .polls]) else { return }
        let clock = MovedClock(in: household.folder)
        let (faults, daemon, inside) = try entered(clock)
        try eachInTurn(trouble, lasting, "a day's beginning", faults, daemon) { _ in
            clock.goOnToNoon()
            try knock(daemon, inside)
        } well: { note in
            // Without any command, the daemon tries again, also the nightly backup.
            for seconds: Int64 in [31, 310, 310] {
                clock.goOn(seconds: seconds)
                try knock(daemon, inside)
                inside.waitForMaintenance()
            }
            expectTrueStatus(daemon, inside, note)
        }
        _ = daemon.end(SIGTERM)
    }

    @Test(arguments: Trouble.all, [false, true])
    func `a failed call during the nightly backup does not keep the backup from being made afterwards`(
        trouble: DiskFaults.Trouble, lasting: Bool
    ) throws {
        guard let trouble = (lasting ? trouble.lasting : trouble)?.without([.accepts, .sends, .polls]) else { return }
        let clock = MovedClock(in: household.folder)
        let (faults, daemon, inside) = try entered(clock)
        let folder = household.state + "/backups"
        var nights = try names(in: folder)
        try eachInTurn(trouble, lasting, "a night's backup", faults, daemon) { _ in
            try faults.pause {
                clock.goOnToNoon()
                try knock(daemon, inside)
            }
            clock.goOn(seconds: 310)
            try knock(daemon, inside)
            inside.waitForMaintenance()
        } well: { note in
            for _ in 1...5 {
                clock.goOn(seconds: 310)
                try knock(daemon, inside)
                inside.waitForMaintenance()
            }
            let found = try names(in: folder)
            #expect(found.last != nights.last && found.allSatisfy { $0.hasSuffix(".db") }, note)
            nights = found
            expectTrueStatus(daemon, inside, note)
        }
        for name in nights { #expect(throws: Never.self) { try History.verify(at: "\(folder)/\(name)") } }
        _ = daemon.end(SIGTERM)
    }

    /// A daemon that does not start is started again by its service manager (Restart=on-failure).
    @Test(arguments: Trouble.all, [false, true])
    func `after a failed call during the start the daemon serves, or ends with the reason and can be started again`(
        trouble: DiskFaults.Trouble, lasting: Bool
    ) throws {
        guard let trouble = lasting ? trouble.lasting : trouble else { return }
        let clock = MovedClock(in: household.folder)
        var turns = Turns(every: isThorough ? 4 : 96)
        var ended = 0
        while let number = turns.next() {
            let faults = DiskFaults(household, folder: "/")
            faults.fail(trouble.kinds, number, through: lasting ? .max : nil, error: trouble.error)
            var daemon = DaemonProcess(in: household.folder, environment: surroundings(faults, clock))
            let isReady = daemon.isReady()
            let failed = faults.failed
            faults.heal()
            let note: Comment = "call \(number), \(turns): \(daemon.errors ?? "")"
            if !isReady {
                ended += 1
                #expect([1, 70].contains(daemon.end()), note)
                daemon = DaemonProcess(in: household.folder, environment: surroundings(faults, clock))
                try #require(daemon.isReady(), note)
            }
            let inside = daemon.client()
            // It may have failed and not yet settled when it tries again.
            try knock(daemon, inside)
            clock.goOn(seconds: 31)
            try knock(daemon, inside)
            expectTrueStatus(daemon, inside, note)
            // Each trouble is logged once, and so is its end.
            let said = daemon.errors?.split(separator: "\n") ?? []
            #expect(Set(said).count == said.count, note)
            #expect(said.filter(Self.isComplaint).count == said.filter(Self.isRelief).count, note)
            #expect(daemon.end(SIGTERM) == 0, note)
            turns.failed(failed)
        }
        turns.expectAll(trouble)
        print("failing starts on a machine: \(trouble), \(how(lasting)), \(turns), \(ended) ended it")
    }
}

extension FailingMachineTests {
    private func how(_ lasting: Bool) -> String { lasting ? "from then on" : "once" }

    /// The client stays connected, because an acceptor that paused for a second goes on by the kernel's clock.
    private func entered(_ clock: MovedClock) throws -> (DiskFaults, DaemonProcess, Client) {
        let (faults, daemon) = try started(clock)
        let inside = daemon.client()
        try knock(daemon, inside)
        return (faults, daemon, inside)
    }

    private func started(_ clock: MovedClock? = nil) throws -> (DiskFaults, DaemonProcess) {
        let faults = DiskFaults(household, folder: "/")
        return (faults, try household.started(surroundings(faults, clock)))
    }

    private func surroundings(_ faults: DiskFaults, _ clock: MovedClock?) -> [String: String] {
        interposed(faults.environment, clock?.environment ?? [:]).merging(["TZ": household.zone]) { $1 }
    }

    /// Makes one call after the other fail, from the first call in `body` to the last; only a sample of them unless the run
    /// is thorough.
    private func eachInTurn(
        _ trouble: DiskFaults.Trouble, _ lasting: Bool, _ operation: String, _ faults: DiskFaults,
        _ daemon: DaemonProcess,
        try body: (Comment) throws -> Void, well: (Comment) throws -> Void
    ) throws {
        var turns = Turns(every: isThorough ? 1 : 6)
        var said = 0
        while let number = turns.next() {
            faults.fail(trouble.kinds, number, through: lasting ? .max : nil, error: trouble.error)
            try body("call \(number)")
            let failed = faults.failed
            faults.heal()
            let lines = daemon.errors?.split(separator: "\n") ?? []
            let note: Comment = "\(trouble), \(how(lasting)), call \(number), \(turns): \(lines.dropFirst(said))"
            try #require(daemon.isRunning, note)
            try well(note)
            let all = daemon.errors?.split(separator: "\n") ?? []
            #expect(Set(all.dropFirst(said)).count == all.count - said, note)
            #expect(all.filter(Self.isComplaint).count == all.filter(Self.isRelief).count, note)
            said = all.count
            turns.failed(failed)
        }
        turns.expectAll(trouble)
        print("failing calls of \(operation): \(trouble), \(how(lasting)), \(turns), \(said) lines said")
    }

    /// Lines that a line about the end of the trouble must follow. Disconnected clients come again and need no such line.
    private static func isComplaint(_ line: Substring) -> Bool {
        (line.contains(", carrying on") || line.contains("Daybreak carries on without recording"))
            && !line.contains("Clients are disconnected")
            && !line.contains("Clients cannot be served")
    }

    private static func isRelief(_ line: Substring) -> Bool { line.hasSuffix(" again.") }

    /// Calls twice, so that both the call and a due timer have had their turn, whichever came first.
    private func knock(_ daemon: DaemonProcess, _ client: Client) throws {
        for _ in 1...2 {
            try #require(daemon.isRunning, "\(daemon.errors ?? "")")
            daemon.forgetNotifications()
            _ = client.ask(call("Homework.GetStatus"))
        }
    }

    /// The status file has the daemon's answer, and no problem.
    private func expectTrueStatus(_ daemon: DaemonProcess, _ client: Client, _ note: Comment) {
        func parsed(_ text: String?) -> [String: Any] {
            let object = try? JSONSerialization.jsonObject(with: Data((text ?? "").utf8))  // On an error it is empty.
            return object as? [String: Any] ?? [:]
        }
        /// The status without its time, which the file has from its last change.
        func said(_ status: [String: Any]) -> NSDictionary {
            NSDictionary(dictionary: status.filter { $0.key != "asOf" })
        }
        let reply = parsed(client.ask(call("Homework.GetStatus")))
        let told = (reply["parameters"] as? [String: Any])?["status"] as? [String: Any] ?? [:]
        let shown = parsed(text(of: daemon.runtime + "/status.json"))
        #expect(!told.isEmpty && told["problem"] == nil, note)
        #expect(said(told) == said(shown), note)
    }

    private func names(in folder: String) throws -> [String] {
        guard exists(folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func expectNothingLost(_ senders: [Sender], _ daemon: DaemonProcess, _ name: String) throws {
        kill(daemon.process, SIGKILL)
        _ = daemon.end()
        var account = Account()
        try account.settle(senders, in: household.state, name)
        #expect(account.isSound, "\(account.figures)")
    }
}
