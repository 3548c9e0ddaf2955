import DaybreakInterfaces
import Files
import Glibc
import HomeworkHistory
import HomeworkRules
import Systemd
import Time
import Unix
import Varlink
import VarlinkService
import Workers

/// The daemon on a real machine: its loop, and everything that can wake it.
final class DaybreakService {
    private let paths: Paths
    private let loop: EventLoop
    private let journal = JournalWriter()
    private let clock: Clock
    private let daemon: Daemon
    private var server: ControlServer?
    private var alarm: Alarm?
    private var backupTimer: WakeTimer?
    private var provider: SimulatedProvider?
    private var tidying: DeferredSource?
    /// The thread for work that would keep the loop busy for long. It begins with the first.
    private var worker: Worker<Work, Maintenance.Finding>?
    private var whenDone: (Maintenance.Finding) -> Void = { _ in }
    /// The sources of signals. A source that is dropped ends.
    private var sources: [AnyObject] = []
    private var watches: Watches?
    private var ownSocket: OwnSocket?
    private var couldPublish = true
    /// The line that `systemctl status` shows.
    private var line = ""

    /// How long the loop, and with it every client, waits for a program that locks the history. After that the history
    /// counts as unavailable.
    private static let patience = Duration.milliseconds(50)

    /// The time from a day's beginning to its backup, and from a failed backup to the next attempt.
    private static let backupAfter = Duration.seconds(300)

    /// A turn with more events than this, such as an import, leaves much freed memory in small pieces. It is given back to the
    /// machine after the turn has dropped the old plan and all waiting calls are answered.
    private static let many = 1_000

    private typealias Work = @Sendable () -> Maintenance.Finding

    /// The local clock, with the configured beginning of days.
    private final class Clock {
        var local: LocalClock
        init(_ local: LocalClock) { self.local = local }
    }

    init(paths: Paths, configuration: Configuration) throws {
        self.paths = paths
        loop = try EventLoop()
        let clock = Clock(LocalClock(dayStartsAt: configuration.dayStartsAt))
        self.clock = clock
        let link = Link()
        let journal = self.journal
        let host = Host(
            now: { clock.local.now() }, spelling: { clock.local.spelling },
            wake: { link.service?.wake(at: $0, or: $1) },
            publish: { link.service?.publish($0) ?? false },
            remind: journal.remind(_:at:), givenBefore: { journal.sentBefore($0) { clock.local.now().steady } },
            beside: { try link.service?.beside($0, then: $1) }, say: journal.log.say(_:_:))
        let sources = Daemon.Sources(
            historyPath: paths.history, spareFolder: paths.runtime + "/backups",
            openHistory: { (mayMake, known) throws(HistoryError) in
                try History(at: paths.history, patience: Self.patience, mayMake: mayMake, known: known)
            },
            loadConfiguration: { () throws(ConfigurationError) in
                let fresh = try Configuration.load(paths.configurationFile)
                clock.local.dayStartsAt = fresh.dayStartsAt
                return fresh
            },
            readSchedule: { ScheduleFile.read(paths.scheduleFile, patterns: $0, known: $1) })
        daemon = Daemon(host: host, sources: sources, configuration: configuration, user: geteuid())
        link.service = self
        try assemble()
    }

    /// Lets the host's closures reach the service, which is not complete when they are made.
    private final class Link {
        unowned(unsafe) var service: DaybreakService?
    }

    /// Runs until SIGTERM or SIGINT, and returns the exit status.
    func run() throws -> Int32 {
        if let zone = LocalClock.unknownZone {
            journal.log.say(
                .warning, "TZ is set to \(zone), and there is no such time zone: days are those of UTC, carrying on")
        }
        defer {
            // A status that nobody updates would become false. Another daemon's is not ours to remove.
            if ownSocket?.isReplaced != true { withdrawStatus() }
            ownSocket?.removeName()
        }
        lookAgain()
        Memory.giveBack()  // Reading years of history has left much freed memory.
        // Words that were erased do not wait in a copy for minutes.
        backUpSoon(after: UnfinishedErasures(of: paths.history).areThere ? .zero : Self.backupAfter)
        do { try ServiceManager.ready(status: line) } catch {
            // For want of a descriptor the program ends, and its manager starts it again at once instead of after a vain wait.
            guard !error.isOfShortage else { throw error }
            journal.log.say(.warning, "The start cannot be announced: \(error), carrying on")
        }
        let status = try loop.run()
        try daemon.close()
        return status
    }
}

// The sources that wake the loop.
extension DaybreakService {
    private func assemble() throws {
        let server = try ControlServer(
            loop: loop, daemon: daemon,
            sources: CallContext.Sources(
                clock: { [clock] in (clock.local.now(), clock.local) },
                configuration: { [unowned daemon] in daemon.configuration },
                diagnose: { [paths, unowned daemon] in Diagnosis.of(daemon, isSound: $0, reading: paths) }),
            say: journal.log.say(_:_:),
            admit: { [paths] in Caller($0, owner: geteuid(), root: RootUser.number(reaching: paths.socket)) })
        self.server = server
        alarm = try Alarm(loop) { [unowned self] in lookAgain() }
        backupTimer = try WakeTimer(loop, .steady) { [unowned self] in
            daemon.backUp { [unowned self] isDone in if !isDone { backUpSoon() } }
        }
        daemon.nightFailed = { [unowned self] in backUpSoon() }
        provider = try SimulatedProvider(loop) { [unowned self] in tell($0) }
        tidying = try loop.deferred(priority: .max) { Memory.giveBack() }
        server.audience = { [unowned self] in
            letProviderLook(at: $0)
            if $0.dayBegan { backUpSoon() }
            if $0.eventCount > Self.many { tidying?.schedule() }
        }
        try listen(server)
        for signal in [SIGTERM, SIGINT] { sources.append(try loop.onSignal(signal) { [unowned self] in stop() }) }
        sources.append(try loop.onSignal(SIGHUP) { [unowned self] in reload() })
        watches = try Watches(
            loop, folder: paths.configuration, now: { [clock] in clock.local.now().steady }, say: journal.log.say(_:_:))
        watches?.clockChanged = { [unowned self] in lookAgain() }
        watches?.scheduleSaved = { [unowned daemon] in daemon.scheduleFileChanged() }
        watches?.begin()
        _ = try loop.enableWatchdog()
    }

    private func listen(_ server: ControlServer) throws {
        let passed = ServiceManager.passedDescriptors().filter(isForVarlink)
        for socket in passed {
            if socket.isListening { try server.listen(on: socket.descriptor) } else { server.serve(socket.descriptor) }
        }
        guard !passed.contains(where: \.isListening) else { return }
        let own = try OwnSocket(at: paths.socket)
        ownSocket = own
        try server.listen(on: own.descriptor)
    }

    /// True for the names of Varlink sockets: the one that sd_varlink_server_listen_auto(3) takes, and those that systemd
    /// gives to a connection of Accept=yes and to a descriptor without a name. Closes any other descriptor.
    private func isForVarlink(_ passed: ServiceManager.Passed) -> Bool {
        if ["varlink", "connection", "unknown"].contains(passed.name) { return true }
        journal.log.say(
            .warning, "A descriptor named \(passed.name) was passed, which nothing here is for, carrying on")
        close(passed.descriptor)
        return false
    }

    private func stop() {
        tell(.guideLost)
        do {
            try ServiceManager.stopping()
        } catch {
            journal.log.say(.warning, "The end cannot be announced: \(error), carrying on")
        }
        loop.exit(0)
    }

    /// Plans the next backup, for a time at which the day's first reminders have long been sent.
    private func backUpSoon(after pause: Duration = backupAfter) {
        do {
            let soon = clock.local.now().steady + pause
            try backupTimer?.arm(atMicroseconds: UInt64(max(1, soon.microseconds)))
        } catch {
            journal.log.say(.warning, "The nightly backup cannot be planned: \(error), carrying on")
        }
    }

    private func beside(_ work: @escaping Work, then: @escaping (Maintenance.Finding) -> Void) throws {
        let worker =
            try self.worker
            ?? Worker(loop) {
                { works in works.map { $0() } }
            } deliver: { [unowned self] findings in
                for finding in findings { whenDone(finding) }
                tidying?.schedule()
            }
        self.worker = worker
        whenDone = then
        worker.carryOut([work])
    }

    private func lookAgain() { daemon.turn([], isWake: true) }

    private func tell(_ command: Command) { daemon.turn([.byItself(command, user: geteuid())]) }

    private func reload() {
        daemon.turn([Job(actor: Actor(user: geteuid(), isDaemon: true), action: .reload)])
    }

    private func letProviderLook(at result: Daemon.TurnResult) {
        do {
            let settings = daemon.configuration.provider
            try provider?.look(at: result.snapshot.plan.flow, result.snapshot.moment, settings: settings)
        } catch {
            journal.log.say(.warning, "No provider can be played: \(error), carrying on")
        }
    }
}

// The effects on the machine.
extension DaybreakService {
    private func wake(at wall: Instant?, or steady: SteadyInstant?) {
        do {
            try alarm?.set(wall, steady)
        } catch {
            // Without its next wake the daemon would miss the next day. systemd restarts it.
            journal.log.say(.error, "The next wake cannot be set: \(error)")
            loop.exit(70)
        }
    }

    private func publish(_ status: Homework.Status) -> Bool {
        do {
            try StatusFile(path: paths.statusFile).write(status.text)
            if !couldPublish { journal.log.say(.notice, "The status can be shown again.") }
            couldPublish = true
        } catch {
            if couldPublish { journal.log.say(.error, "The status cannot be shown: \(error), carrying on") }
            couldPublish = false
        }
        announce(Self.line(for: status))
        return couldPublish
    }

    private func withdrawStatus() {
        do {
            try StatusFile(path: paths.statusFile).remove()
        } catch {
            // If the status could not be written before, that was logged then.
            if couldPublish { journal.log.say(.warning, "The status stays where it was: \(error), carrying on") }
        }
    }

    /// Sends the line to the service manager if it is a new one: a flow changes often.
    private func announce(_ fresh: String) {
        // The next one is sent then.
        guard fresh != line, (try? ServiceManager.tell(status: fresh)) ?? false else { return }
        line = fresh
    }

    /// Tells as little as the journal does: no mood, no name, no note.
    private static func line(for status: Homework.Status) -> String {
        if status.problem != nil { return "Something is wrong: `daybreak status` says what." }
        if status.flow != nil { return "A task is in progress." }
        if status.eligible != nil { return "A task is open." }
        return status.nextUnlock.map { "The next task unlocks at \($0)." } ?? "Nothing is open."
    }
}
