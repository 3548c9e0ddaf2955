import DaybreakInterfaces
import Glibc
import HomeworkHistory
import HomeworkRules
import Systemd
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// The machine of a test. Its clock is moved by hand, and it records the daemon's calls in order.
final class Machine {
    var clock = VirtualClock("2027-03-05")
    let folder = Folder()
    var schedule = ScheduleFile.missing
    var fresh: Result<Configuration, ConfigurationError> = .success(Configuration())
    var spelling = Spelling.utc
    /// The configuration of a new daemon.
    var configuration = Configuration()
    /// Called with each call of the daemon.
    var witness: (String) -> Void = { _ in }
    /// Runs once, when the schedule file is read: after the history was read, and before anything is recorded.
    var onceReading: () -> Void = {}
    /// Runs once, when the configuration is reloaded.
    var onceLoading: () -> Void = {}
    /// Whether the status file can be written.
    var canPublish = true
    private(set) var openings = 0

    /// The daemon's history. The daemon alone holds it, because it lets go of it when another takes its place.
    private(set) weak var history: History?
    /// The names of the reminders in the journal; nil if it cannot be read.
    var journal: Set<String>? = []
    /// The work that is to be done beside the loop, and the daemon's function that takes its result.
    private var work: (work: @Sendable () -> Maintenance.Finding, then: (Maintenance.Finding) -> Void)?
    /// Whether work can be done beside the loop.
    var hasThread = true
    /// The replies and errors of maintenance, in the order in which they came.
    private(set) var maintenanceAnswers: [String] = []
    /// True if the daemon is about to be killed: nothing that it sends arrives.
    var isDying = false
    /// The log lines of the control server.
    var said: [String] = []
    /// The daemon's calls since the log was last taken.
    private(set) var log: [String] = []
    private(set) var status: Homework.Status?
    private(set) var wake: (wall: Instant?, steady: SteadyInstant?)

    private(set) lazy var daemon = Daemon(host: host, sources: sources, configuration: configuration, user: 1_000)

    var databaseFile: String { folder["history.db"] }

    private var host: Host {
        Host(
            now: { [unowned self] in clock.moment }, spelling: { [unowned self] in spelling },
            wake: { [unowned self] in wake = ($0, $1) },
            publish: { [unowned self] in
                status = $0
                note("shows \($0.problem ?? "the status")")
                return canPublish
            },
            remind: { [unowned self] reminder, _ in
                guard !isDying else { return }
                journal?.insert(reminder.id)
                note("reminds \(reminder.id)")
            },
            givenBefore: { [unowned self] in journal?.intersection($0) },
            beside: { [unowned self] in
                guard hasThread else { throw SystemdError(call: "sd_event_add_io", errno: ENOMEM) }
                #expect(work == nil, "one work at a time")
                work = ($0, $1)
            },
            say: { [unowned self] in note("says \($0): \($1)") })
    }

    private var sources: Daemon.Sources {
        Daemon.Sources(
            historyPath: databaseFile, spareFolder: folder["spare"],
            openHistory: { [unowned self] (mayMake, known) throws(HistoryError) in
                openings += 1
                let opened = try History(at: databaseFile, patience: .milliseconds(1), mayMake: mayMake, known: known)
                history = opened
                return opened
            },
            loadConfiguration: { [unowned self] () throws(ConfigurationError) in
                onceLoading()
                onceLoading = {}
                return try fresh.get()
            },
            readSchedule: { [unowned self] _, known in
                onceReading()
                onceReading = {}
                return known != nil && schedule.fingerprint == known ? .known : schedule
            })
    }

    private func note(_ line: String) {
        log.append(line)
        witness(line)
    }

    func take() -> [String] {
        defer { log = [] }
        return log
    }
}

// Actions of a test.
extension Machine {
    /// A timer rang, or the clock was set.
    func ring() { daemon.turn([], isWake: true) }

    func ring(after length: Duration) {
        clock.advance(by: length)
        ring()
    }

    /// Sends commands in one turn. Returns each answer: the stage, or the error.
    @discardableResult func ask(_ commands: Command...) -> [String] {
        var answers: [String] = []
        daemon.turn(
            commands.map { command in
                Job(
                    actor: Actor(user: 1_000), action: .command(command),
                    reply: { Array("\($0.plan.flow.map { "\($0.stage)" } ?? "no flow")".utf8) },
                    deliver: { answers.append(Self.text($0)) })
            })
        return answers
    }

    /// Makes a call that only reads, and returns its answer.
    func look(needsHistory: Bool = true) -> String {
        var answer = ""
        let job = Job(
            actor: Actor(user: 1_000), action: .look, needsHistory: needsHistory,
            reply: { Array(($0.status.problem ?? "sound").utf8) }, deliver: { answer = Self.text($0) })
        daemon.turn([job])
        return answer
    }

    func reload() -> String {
        var answer = ""
        let job = Job(
            actor: Actor(user: 1_000), action: .reload, reply: { _ in Array("done".utf8) },
            deliver: { answer = Self.text($0) })
        daemon.turn([job])
        return answer
    }

    func maintain(_ what: Maintenance) {
        daemon.turn([
            Job(
                actor: Actor(user: 1_000), action: .maintain(what),
                deliver: { [unowned self] in maintenanceAnswers.append(Self.text($0)) })
        ])
    }

    /// Begins the night's copy, and does the work. True if it need not be tried again.
    func backUp() throws -> Bool? {
        var isDone: Bool?
        daemon.backUp { isDone = $0 }
        if isDone == nil { try finishWork() }
        return isDone
    }

    /// Does the work beside the loop, and hands the daemon its result.
    ///
    /// - Parameter isDone: called when the work is done, and the daemon does not know its result yet.
    func finishWork(finding known: Maintenance.Finding? = nil, isDone: () throws -> Void = {}) throws {
        let (work, then) = try #require(work)
        self.work = nil
        let finding = known ?? work()
        try isDone()
        then(finding)
    }

    private static func text(_ answer: Answer) -> String {
        String(decoding: answer.frame.filter { $0 != 0 }, as: UTF8.self)
    }

    /// The recorded events, without their moments and actors, and without the sending of reminders.
    var recorded: [Happening] {
        get throws { try history?.events().map(\.what).filter { $0.sent == nil } ?? [] }
    }

    /// The reminders that are recorded as sent.
    var recordedAsSent: [String] {
        get throws { try history?.events().compactMap(\.what.sent) ?? [] }
    }

    /// Moves the history's file away, as a person could do by mistake.
    func hideHistory() { must(rename(databaseFile, databaseFile + ".hidden")) }
    func bringHistoryBack() { must(rename(databaseFile + ".hidden", databaseFile)) }

    /// A machine at midnight, with the sample on the plan and unlocked.
    static func withSample(breaths: Int = 5) -> Machine {
        let machine = Machine()
        machine.schedule = .sound(.of(.sample("1", breaths: breaths)), Fingerprint("sample"))
        machine.ring()
        machine.log = []
        return machine
    }

    /// Ends the daemon without notice and starts it again. The clocks, the history and the files stay.
    func restart(meanwhile deed: () -> Void = {}) {
        history = nil
        isDying = false
        work = nil
        daemon = Daemon(host: host, sources: sources, configuration: configuration, user: 1_000)
        deed()
        ring()
    }
}

extension Happening {
    fileprivate var sent: String? { if case .reminderSent(let id) = self { id } else { nil } }
}

extension Spelling {
    /// A wall without a zone.
    static var utc: Spelling {
        Spelling(
            instant: { spell($0.microseconds) }, start: { VirtualClock.instant($0, "00:00") },
            at: { VirtualClock.instant($0.day, "00:00") + .seconds($0.minute * 60) })
    }

    private static func spell(_ microseconds: Int64) -> String {
        let second = Int(microseconds / 1_000_000)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [second / 3_600 % 24, second / 60 % 60, second % 60].map(two).joined(separator: ":")
        return "\(CalendarDay(ordinal: Int32(second / 86_400)))T\(time)+00:00"
    }
}

extension ScheduleFile {
    var fingerprint: Fingerprint? {
        switch self {
        case .missing, .known, .unreadable: nil
        case .sound(_, let found), .faulty(_, let found): found
        }
    }
}
