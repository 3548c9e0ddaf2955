import Files
import Glibc
import PostgreSQL
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Storage
import Time
import Varlink
import VarlinkService

/// A call that waits for the thread that carries it out.
struct Job: Sendable {
    let number: Int
    let call: Call
    let caller: Caller
    var state = ServerState()
    /// The call is carried out again, for a live query.
    var isAgain = false
    /// The revision of the schedule that the last answer had.
    var seenRevision: Int?
    /// The instant at which the call came.
    var arrived = SystemClock.steady()
    /// The step at which the call goes on; nil at its beginning.
    var step: Step?
    /// No thread copies the database beside the one that writes, so the call is carried out at once.
    var isAlone = true
}

/// The threads that carry out calls, each over a connection of its own.
enum CallThread: Sendable {
    /// Calls that only read.
    case reading
    /// Calls that write, and those whose order among them matters.
    case writing
    /// Calls that read the whole database, so that nobody waits for them.
    case copying
}

/// A step of a call on another thread than the one before it. Thrown by the one before it.
struct Step: Error {
    let thread: CallThread
    /// The name of the backup that the step before has entered in the audit.
    var backup: String?
}

/// The result of a call.
struct Outcome: Sendable {
    let number: Int
    var frame: [UInt8]
    var news: [News] = []
    var watchFrom: Watch?
    var liveQuery: LiveQuery?
    var presenceChanges: [ID<Person>] = []
    var changesBroadcasts = false
    /// The rooms' happenings, in order.
    var happenings: [RoomHappening] = []
    /// The people whose unread messages were counted anew.
    var readers: Set<ID<Person>> = []
    var listening: Listening?
    var typing: Typing?
    var entered: Entered?
    /// Surveys may open or close at other instants than before.
    var changesSurveys = false
    var erases = false
    var signedOut: [SignedOut] = []
    /// The call added or removed an SSH key.
    var changesKeys = false
    /// The lines that the journal gets.
    var journalLines: [JournalLine] = []
    var storage = Storage.unknown
    /// The number of the newest notice that the call saw; nil in a practice of one daemon, and if the caller follows nothing.
    var position: Int?
    /// The transaction of the call wrote notices.
    var hasNotices = false
    /// The call goes on with this job, and has no answer yet.
    var next: Job?

    /// True if the caller is told of changes from now on. No other call may be carried out again.
    var isFollowed: Bool { liveQuery != nil || listening != nil || watchFrom != nil }

    /// True if the SSH keys in memory are out of date.
    var hasOtherKeys: Bool { changesKeys || isOfRestore }

    /// True if the next instant at which a survey opens or closes may be another one.
    var hasOtherSurveys: Bool { changesSurveys || isOfRestore }

    /// True if another database is in the place of the one before.
    var isOfRestore: Bool { journalLines.tellOfRestore }

    var isOfFailedStorage: Bool {
        if case .failed = storage { true } else { false }
    }

    /// The state of the storage after the call.
    enum Storage: Equatable, Sendable {
        case unknown
        /// At least one row was written.
        case written
        case failed(PracticeStorage.Failure)
    }

    struct Watch: Sendable {
        let person: ID<Person>
        let cursor: Int
        /// The news between the caller's cursor and the start of the watch.
        let missed: [News]
    }
}

/// Carries out calls over a database connection of its own, on one thread.
///
/// All waiting calls share one transaction, each in a savepoint of its own. They are committed together, and answered after
/// the commit.
///
/// Calls that only read have a runner of their own, whose connection cannot write. They read the last committed state.
final class CallRunner {
    let storage: PracticeStorage
    private let access: PracticeStorage.Access
    /// The number of restores after which this runner opened the database. A person's number means nobody in another database.
    private var restores = 0
    private let settings: PracticeSettings
    private let now: @Sendable () -> Instant
    private let limits = SharedLimits()
    private var zones: ClientZones
    /// The daemon's name among those that serve the same practice.
    private let daemon: String
    /// The last time that the server was waited for in vain, until that instant.
    private var vainWait: (end: SteadyInstant, failure: PracticeStorage.Failure)?
    /// A server that fails sooner than this was not waited for.
    private static let shortWait = Duration.seconds(1)

    /// 2026-01-01. A clock that shows an earlier time is wrong, for example after its battery ran out. Events would be
    /// recorded on wrong days, and could not be corrected.
    private static let earliest = Instant(microseconds: 1_767_225_600_000_000)

    init(
        _ place: StoragePlace, _ access: PracticeStorage.Access, settings: PracticeSettings,
        daemon: String = "", now: @escaping @Sendable () -> Instant
    ) {
        self.daemon = daemon
        storage = PracticeStorage(place, access, settings)
        self.access = access
        self.settings = settings
        zones = ClientZones(practice: settings.zone)
        self.now = now
        // The file that was just checked is opened at once. If that fails, the first call reports the failure.
        _ = try? storage.store()
    }

    func follow(_ orders: [Order]) -> [Answer] {
        let begin = SystemClock.steady()
        var answers: [Answer] = []
        var jobs: [Job] = []
        for order in orders {
            // Each further order would wait for the server as long once more.
            let isVain = vainWait.map { $0.end > begin } ?? false
            switch order {
            case .carryOut(let job): jobs.append(job)
            case .letGo(let number):
                storage.closeForNow()
                answers.append(.letGo(number: number))
            case .noteSeen(let people, let instant):
                // If the storage fails, the instant at which they began to listen stays.
                if !isVain { _ = inStore(wakes: false) { try $0.noteSeen(people, at: instant) } }
            case .tell(let notices):
                let isTold = !isVain && inStore { try $0.add(notices, by: daemon) }
                answers.append(isTold ? .told : .unknown)
            case .tellAnew(let here):
                let isTold = !isVain && inStore { try $0.tellAnew(here, by: daemon) }
                answers.append(isTold ? .told : .unknown)
            case .beat:
                var isKnown = false
                let isWritten = !isVain && inStore { isKnown = try $0.beat(of: daemon) }
                answers += [isWritten && isKnown ? .told : .unknown, .beaten]
            // At the worst, the others find it out by themselves.
            case .leave: if !isVain { _ = inStore { try $0.remove(daemon: daemon) } }
            }
        }
        return answers + carryOut(jobs).map(Answer.outcome)
    }

    /// True if the transaction was committed.
    ///
    /// - Parameter wakes: wakes the other daemons.
    private func inStore(wakes: Bool = true, _ body: (Store) throws -> Void) -> Bool {
        let begin = SystemClock.steady()
        do {
            let store = try storage.store()
            try store.transaction { try body(store) }
            if wakes { try store.wakeDaemons() }
            return true
        } catch {
            noteWait(error, storage.failed(error), since: begin)
            return false
        }
    }

    /// Notes it if the failure is that of a server which was waited for, and returns whether it is. The calls that came meanwhile
    /// do not wait as long once more.
    @discardableResult private func noteWait(
        _ error: any Error, _ failure: PracticeStorage.Failure, since begin: SteadyInstant
    ) -> Bool {
        let now = SystemClock.steady()
        guard case .server = storage.place, now - begin >= Self.shortWait else { return false }
        // The server is well, and refused or ended one statement. Writers are ended while they wait for their turn, too.
        let isOfStatement = (error as? PostgreSQLError).map { error in
            !error.isConnectionLost && (!error.isPassing || error.isSlow && access == .reading)
        }
        guard isOfStatement != true else { return false }
        vainWait = (now, .unavailable(failure.reason))
        return true
    }

    /// Maintenance runs between the transactions of the calls before and after it.
    func carryOut(_ jobs: [Job]) -> [Outcome] {
        var outcomes: [Outcome] = []
        var calls: [Job] = []
        for job in jobs {
            guard let method = Routes.maintenanceMethod(job.call.method) else {
                calls.append(job)
                continue
            }
            if !calls.isEmpty { outcomes += carryOutCalls(calls) }
            calls = []
            outcomes.append(carryOut(method, job))
        }
        return calls.isEmpty ? outcomes : outcomes + carryOutCalls(calls)
    }

    private func carryOut(_ method: any MaintenanceMethod.Type, _ job: Job) -> Outcome {
        var isWritten = false
        let maintenance = MaintenanceContext(
            storage: storage, settings: settings, now: now(), state: job.state, step: job.step, isAlone: job.isAlone
        ) { what, store in
            try store.transaction {
                let context = try self.context(for: job, store)
                try store.addAudit(
                    at: context.now, context.caller?.id, did: context.deed, client: nil, what: what,
                    through: context.through)
            }
            isWritten = true
        }
        if let vainWait, vainWait.end > job.arrived { maintenance.vain = vainWait.failure }
        let begin = SystemClock.steady()
        var outcome = Outcome(number: job.number, frame: [])
        heedRestores([job])
        // Also if something failed after the restore.
        defer { if maintenance.hasRestored { restores += 1 } }
        do {
            // While the storage is unavailable, only root can be identified.
            if !job.caller.isOwner {
                if let damage = job.state.damage { throw StorageFault(.damaged(damage)) }
                if let vain = maintenance.vain { throw StorageFault(vain) }
                try context(for: job, storage.store()).demand(method.right)
            }
            outcome.frame = try method.frame(for: job.call, in: maintenance)
            noteWait(of: maintenance.survived, since: begin)
        } catch let step as Step {
            var next = job
            next.step = step
            outcome.next = next
        } catch let refusal as any ErrorReply {
            outcome.frame = Reply.frame(error: refusal)
        } catch let error as FileError where !storage.isDatabase(error.path) {
            outcome.frame = Reply.frame(error: Upkeep.BackupsUnavailable(reason: "\(error)."))
        } catch {
            noteWait(of: error, since: begin)
            let journalLines = maintenance.journalLines
            outcome = unavailable(job, storage.failed(error))
            outcome.journalLines = journalLines
            return outcome
        }
        outcome.journalLines = maintenance.journalLines
        if isWritten { outcome.storage = .written }
        if let found = maintenance.found { outcome.storage = .failed(found) }
        return outcome
    }

    /// Notes it if maintenance waited for a server in vain.
    private func noteWait(of error: (any Error)?, since begin: SteadyInstant) {
        guard let error = error as? PostgreSQLError else { return }
        noteWait(error, PracticeStorage.failure(error, storage.place), since: begin)
    }

    private func carryOutCalls(_ jobs: [Job]) -> [Outcome] {
        var (refused, jobs) = ([Outcome](), jobs)
        if let vainWait {
            refused = jobs.filter { $0.arrived < vainWait.end }.map { unavailable($0, vainWait.failure) }
            jobs.removeAll { $0.arrived < vainWait.end }
        }
        return jobs.isEmpty ? refused : refused + inTime(jobs)
    }

    private func inTime(_ jobs: [Job]) -> [Outcome] {
        let begin = SystemClock.steady()
        do {
            return try together(jobs)
        } catch {
            let failure = storage.failed(error)
            let wasInVain = noteWait(error, failure, since: begin)
            // The calls may have been committed, so they are not repeated.
            if case .inDoubt = failure { return jobs.map { unavailable($0, failure) } }
            // Each of them would wait for the server in vain.
            if wasInVain || !storage.isReached() {
                noteWait(error, failure, since: begin)
                return jobs.map { unavailable($0, failure) }
            }
            // A single call may have caused the failure, so each call is tried alone.
            return jobs.map { job in
                if let vainWait, vainWait.end > begin { return unavailable(job, vainWait.failure) }
                let begin = SystemClock.steady()
                do { return try together([job])[0] } catch {
                    let failure = storage.failed(error)
                    noteWait(error, failure, since: begin)
                    return unavailable(job, failure)
                }
            }
        }
    }

    private func unavailable(_ job: Job, _ failure: PracticeStorage.Failure) -> Outcome {
        var isInDoubt: Bool?
        if case .inDoubt = failure { isInDoubt = true }
        let error = Practice.StorageUnavailable(reason: failure.reason, inDoubt: isInDoubt)
        var outcome = Outcome(number: job.number, frame: Reply.frame(error: error))
        outcome.storage = .failed(failure)
        return outcome
    }

    private func together(_ jobs: [Job]) throws -> [Outcome] {
        if let damage = jobs.compactMap(\.state.damage).first { throw StorageFault(.damaged(damage)) }
        heedRestores(jobs)
        if access == .writing, now() < Self.earliest {
            let day = settings.zone.day(at: now())
            throw StorageFault(.unavailable("The clock of this machine shows \(day), and nothing is recorded: set it."))
        }
        let store = try storage.store()
        zones = ClientZones(practice: settings.zone)
        let before = store.changeCount
        var outcomes = try store.transaction {
            let position = try position(jobs, store)
            var outcomes = try jobs.map { try carryOut($0, store) }
            for place in outcomes.indices where outcomes[place].isFollowed { outcomes[place].position = position }
            if try writeNotices(of: outcomes, store) { outcomes[0].hasNotices = true }
            return outcomes
        }
        // They look every other second in any case.
        if outcomes[0].hasNotices { try? store.wakeDaemons() }
        if store.changeCount != before { outcomes[0].storage = .written }
        if outcomes.contains(where: \.erases) {
            // If another connection is reading, the log is emptied at a later checkpoint.
            try? store.emptyLog()
            let renewal = storage.renewBackups(on: settings.zone.day(at: now()))
            if let line = renewal.journalLine { outcomes[0].journalLines.append(line) }
            for place in outcomes.indices where outcomes[place].erases {
                outcomes[place].frame = Reply.frame(
                    Records.EraseRecord.Reply(
                        removed: renewal.removed, backup: renewal.made, backupProblem: renewal.problem))
            }
        }
        return outcomes
    }

    /// Lets go of a database that was replaced. The writing runner replaces it itself.
    private func heedRestores(_ jobs: [Job]) {
        guard access == .reading, let newest = jobs.last?.state.restores, newest != restores else { return }
        storage.letGo()
        restores = newest
    }

    /// The number of the newest notice, if a call asks to be told of changes from now on.
    private func position(_ jobs: [Job], _ store: Store) throws -> Int? {
        guard store.isShared, jobs.contains(where: { $0.asksForMore }) else { return nil }
        return try store.newestNotice()
    }

    /// True if there were some.
    private func writeNotices(of outcomes: [Outcome], _ store: Store) throws -> Bool {
        guard store.isShared, access == .writing else { return false }
        // First this, so that a person who is signed out still hears of leaving their rooms.
        let notices = Notice.telling(outcomes.flatMap(\.happenings)) + outcomes.flatMap(\.notices)
        try store.add(notices, by: daemon)
        return !notices.isEmpty
    }

    /// Throws if the storage fails. A refusal is an outcome.
    private func carryOut(_ job: Job, _ store: Store) throws -> Outcome {
        do {
            return try store.transaction {
                let context = try context(for: job, store)
                if access == .writing, !job.isAgain, context.role == .client, let client = context.caller?.id {
                    try limits.today.count(job.call, of: client, on: context.today)
                }
                var outcome = Outcome(number: job.number, frame: try Routes.frame(for: job.call, in: context))
                outcome.news = context.news
                outcome.entered = context.entered
                outcome.erases = context.erases
                outcome.changesSurveys = context.changesSurveys
                outcome.journalLines = context.journalLines
                outcome.signedOut = context.signedOut
                outcome.changesKeys = context.changesKeys
                (outcome.liveQuery, outcome.presenceChanges) = (context.liveQuery, context.presenceChanges)
                outcome.changesBroadcasts = context.changesBroadcasts
                (outcome.happenings, outcome.readers) = (context.happenings, context.readers)
                (outcome.listening, outcome.typing) = (context.listening, context.typing)
                if let (person, cursor) = context.watchFrom {
                    outcome.watchFrom = Outcome.Watch(
                        person: person, cursor: cursor, missed: try store.news(of: person, after: cursor))
                }
                return outcome
            }
        } catch let refusal as any ErrorReply {
            return Outcome(number: job.number, frame: Reply.frame(error: refusal))
        }
    }

    private func context(for job: Job, _ store: Store) throws -> CallContext {
        var person: Person?
        if let id = job.caller.person {
            guard job.state.restores == restores else { throw Practice.StorageUnavailable.restored }
            person = try store.person(ID(id)).flatMap { $0.isActive ? $0 : nil }
        } else if let account = job.caller.account {
            person = try store.person(account: account)
        }
        let isGate = job.caller.isGate(of: settings)
        return CallContext(
            store: store, settings: settings, now: now(), caller: person,
            role: person?.role ?? (job.caller.isOwner ? .administrator : nil),
            through: isGate ? AuditEntry.gate : job.caller.through, isGate: isGate, call: job.call,
            isAgain: job.isAgain, seenRevision: job.seenRevision, state: job.state, limits: limits,
            zones: zones)
    }

    func close() throws { try storage.close() }
}

extension Job {
    /// The call is to be answered again after changes.
    var asksForMore: Bool { call.wantsMore && !isAgain }

    /// The thread that carries it out.
    var thread: CallThread {
        if let step { return step.thread }
        if let method = Routes.maintenanceMethod(call.method) { return method.thread }
        if isAgain { return .reading }
        // A method without a handler is answered without the database.
        return Routes.handler(of: call.method)?.onlyReads ?? true ? .reading : .writing
    }

    /// The line in which the call waits for others; nil for a call that waits for none.
    var line: CallLine? {
        let handler = Routes.handler(of: call.method)
        let isOfWhole = Routes.maintenanceMethod(call.method)?.isOfWhole ?? handler?.isOfWhole ?? false
        if isOfWhole { return .wholeDatabase }
        return handler?.takesLong == true ? .longCalls(of: caller.person ?? "user \(caller.user)") : nil
    }
}

extension Practice.StorageUnavailable {
    /// The call was meant for the database before, or began with it.
    static let restored = Self(reason: "A backup was restored: call again.")
}

extension Caller {
    /// True for root and the daemon's own user, who can read and write the database file anyway. False for every caller from
    /// the gate.
    var isOwner: Bool { person == nil && entrance == .localSocket && (user == 0 || user == geteuid()) }

    /// The entrance, as the audit names it.
    var through: String {
        switch entrance {
        case .localSocket: person == nil ? "socket" : "demo"
        case .gate(_, let address): "ssh from \(address)"
        }
    }

    /// True for the gate program's own account, until the gate program has named the person for whom it calls.
    func isGate(of settings: PracticeSettings) -> Bool {
        person == nil && entrance == .localSocket && account == settings.gate.account
    }
}
