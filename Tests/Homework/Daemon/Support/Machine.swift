import DaybreakInterfaces
import Glibc
import HomeworkHistory
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// The machine of a test: its clock is moved by hand, and it keeps what the daemon asked of it, in order.
final class Machine {
    var clock = VirtualClock("2027-03-05")
    let folder = Folder()
    var schedule = ScheduleFile.missing
    var fresh: Result<Configuration, ConfigurationError> = .success(Configuration())
    var spelling = Spelling.utc
    /// What a daemon begins with.
    var configuration = Configuration()
    /// Hears each thing as it is asked.
    var witness: (String) -> Void = { _ in }
    /// Happens once, when the schedule file is read: after the history was, and before anything is recorded.
    var onceReading: () -> Void = {}
    /// Happens once, when the configuration is read again.
    var onceLoading: () -> Void = {}
    /// Whether there is a place for the status file.
    var canPublish = true
    private(set) var openings = 0

    private(set) var history: History?
    /// The names of the reminders that the journal holds; nil where it cannot be read.
    var journal: Set<String>? = []
    /// The daemon is as good as dead: nothing that it sends arrives.
    var isDying = false
    /// What the control server said.
    var said: [String] = []
    /// Everything asked of it since this was last taken.
    private(set) var log: [String] = []
    private(set) var status: Homework.Status?
    private(set) var wake: (wall: Instant?, steady: SteadyInstant?)

    private(set) lazy var daemon = Daemon(host: host, sources: sources, configuration: configuration, user: 1_000)

    var databaseFile: String { folder["history.db"] }

    private var host: Host {
        Host(
            now: { [unowned self] in clock.moment }, glance: { [unowned self] in glance($0) },
            spelling: { [unowned self] in spelling },
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
            say: { [unowned self] in note("says \($0): \($1)") })
    }

    private var sources: Daemon.Sources {
        Daemon.Sources(
            historyPath: databaseFile,
            openHistory: { [unowned self] () throws(HistoryError) in
                openings += 1
                let opened = try History(at: databaseFile, patience: .milliseconds(1))
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

    /// As the real clock glances.
    private func glance(_ seen: Moment) -> Moment {
        LocalClock.moment(at: clock.instant, steady: clock.steady, since: seen) ?? clock.moment
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

// What a test does to it.
extension Machine {
    /// A timer rang, or the clock was set.
    func ring() { daemon.turn([], isWake: true) }

    func ring(after length: Duration) {
        clock.advance(by: length)
        ring()
    }

    /// Commands of one turn, and how each was answered: with the day, or the error.
    @discardableResult func ask(_ commands: Command...) -> [String] {
        var answers: [String] = []
        daemon.turn(
            commands.map { command in
                Ask(
                    actor: Actor(user: 1_000), action: .command(command),
                    reply: { Array("\($0.plan.flow.map { "\($0.stage)" } ?? "no flow")".utf8) },
                    deliver: { answers.append(Self.text($0)) })
            })
        return answers
    }

    /// A look at what there is, and how it was answered.
    func look(needsHistory: Bool = true) -> String {
        var answer = ""
        let ask = Ask(
            actor: Actor(user: 1_000), action: .look, needsHistory: needsHistory,
            reply: { Array(($0.status.problem ?? "sound").utf8) }, deliver: { answer = Self.text($0) })
        daemon.turn([ask])
        return answer
    }

    func reload() -> String {
        var answer = ""
        let ask = Ask(
            actor: Actor(user: 1_000), action: .reload, reply: { _ in Array("done".utf8) },
            deliver: { answer = Self.text($0) })
        daemon.turn([ask])
        return answer
    }

    private static func text(_ answer: Answer) -> String {
        String(decoding: answer.frame.filter { $0 != 0 }, as: UTF8.self)
    }

    /// What is recorded, without who and when, and without which reminders were sent.
    var recorded: [Happening] {
        get throws { try history?.events().map(\.what).filter { $0.sent == nil } ?? [] }
    }

    /// Which reminders are known to have been sent.
    var recordedAsSent: [String] {
        get throws { try history?.events().compactMap(\.what.sent) ?? [] }
    }

    /// Takes the history's file away, as a person with a broom does; or puts it back.
    func hideHistory() { must(rename(databaseFile, databaseFile + ".hidden")) }
    func bringHistoryBack() { must(rename(databaseFile + ".hidden", databaseFile)) }

    /// The sample is on the plan and unlocked, at midnight.
    static func withSample(breaths: Int = 5) -> Machine {
        let machine = Machine()
        machine.schedule = .sound(.of(.sample("1", breaths: breaths)), Fingerprint("sample"))
        machine.ring()
        machine.log = []
        return machine
    }

    /// The daemon ends without notice and begins again; the clocks, the history and the files stay.
    func restart() {
        history = nil
        isDying = false
        daemon = Daemon(host: host, sources: sources, configuration: configuration, user: 1_000)
        ring()
    }
}

extension Happening {
    fileprivate var sent: String? { if case .reminderSent(let id) = self { id } else { nil } }
}

extension Spelling {
    /// The wall of a test has no zone.
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
