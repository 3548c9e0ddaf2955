import Glibc
import PracticeInterfaces
import PracticeRules
import PracticeStore
import Storage
import Time
import Varlink
import VarlinkService

/// A call on its way to the thread that carries it out.
struct Job: Sendable {
    let number: Int
    let call: Call
    let caller: Caller
    var state = ServerState()
}

/// The result of a call.
struct Outcome: Sendable {
    let number: Int
    var frame: [UInt8]
    var news: [News] = []
    var watchFrom: Watch?
    var entered: Entered?
    var erases = false
    var signedOut: [SignedOut] = []
    /// The keys by which people come in are others than before.
    var changesKeys = false
    /// For the journal.
    var journalLines: [JournalLine] = []
    var storage = Storage.unknown

    /// The keys are to be read anew.
    var hasOtherKeys: Bool { changesKeys || journalLines.contains { $0.kind == .storageRestored } }

    /// How the storage was found.
    enum Storage: Equatable, Sendable {
        case unknown
        /// Something was written.
        case written
        case failed(PracticeStorage.Failure)
    }

    struct Watch: Sendable {
        let person: ID<Person>
        let cursor: Int
        /// The news after the cursor that the caller named.
        let missed: [News]
    }
}

/// Carries out calls, with a database connection of its own. It lives on one thread.
///
/// All calls that wait share one transaction, each within a savepoint of its own: they are committed together, and nothing
/// is answered before.
///
/// The calls that only read have a runner of their own, whose connection cannot write: they see what was last committed.
final class CallRunner {
    let storage: PracticeStorage
    private let access: PracticeStorage.Access
    /// How often the database was replaced, as far as this runner knows.
    private var restores = 0
    private let settings: PracticeSettings
    private let now: @Sendable () -> Instant

    /// 2026-01-01. A clock that shows an earlier time has lost it, after a flat battery say: what is recorded would stand on a
    /// wrong day for ever.
    private static let earliest = Instant(microseconds: 1_767_225_600_000_000)

    init(
        path: String, _ access: PracticeStorage.Access, settings: PracticeSettings,
        now: @escaping @Sendable () -> Instant
    ) {
        storage = PracticeStorage(path: path, access, settings)
        self.access = access
        self.settings = settings
        self.now = now
        // Opened before anybody asks, so that it is the file that was found sound. Where it cannot be, the first call says so.
        _ = try? storage.store()
    }

    /// Chores come between the transactions of the calls before and after them.
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
        let maintenance = MaintenanceContext(storage: storage, settings: settings, now: now(), state: job.state)
        var outcome = Outcome(number: job.number, frame: [])
        do {
            // While the storage is unavailable nobody is known but root.
            if !job.caller.isOwner {
                if let damage = job.state.damage { throw StorageFault(.damaged(damage)) }
                try context(for: job, storage.store()).demand(method.right)
            }
            outcome.frame = try method.frame(for: job.call, in: maintenance)
            if method.isAudited {
                let store = try storage.store()
                try store.transaction {
                    let context = try context(for: job, store)
                    try store.addAudit(
                        at: context.now, context.caller?.id, did: context.deed, client: nil, what: maintenance.what,
                        through: context.through)
                }
            }
        } catch let refusal as any ErrorReply {
            outcome.frame = Reply.frame(error: refusal)
        } catch {
            let journalLines = maintenance.journalLines
            outcome = unavailable(job, storage.failed(error))
            outcome.journalLines = journalLines
            return outcome
        }
        outcome.journalLines = maintenance.journalLines
        if let found = maintenance.found { outcome.storage = .failed(found) }
        return outcome
    }

    private func carryOutCalls(_ jobs: [Job]) -> [Outcome] {
        do {
            return try together(jobs)
        } catch {
            let failure = storage.failed(error)
            // A call that may have been kept is not carried out once more.
            if case .inDoubt = failure { return jobs.map { unavailable($0, failure) } }
            // The fault may be one call's alone: each call is tried for itself.
            return jobs.map { job in
                do { return try together([job])[0] } catch { return unavailable(job, storage.failed(error)) }
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
        if access == .reading, let newest = jobs.last?.state.restores, newest != restores {
            storage.letGo()
            restores = newest
        }
        if access == .writing, now() < Self.earliest {
            let day = settings.zone.day(at: now())
            throw StorageFault(.unavailable("The clock of this machine shows \(day), and nothing is recorded: set it."))
        }
        let store = try storage.store()
        let before = store.changeCount
        var outcomes = try store.transaction { try jobs.map { try carryOut($0, store) } }
        if store.changeCount != before { outcomes[0].storage = .written }
        if outcomes.contains(where: \.erases) {
            // Where somebody reads just now, the log is emptied later, as it always is.
            try? store.emptyLog()
            let renewal = storage.renewBackups(on: settings.zone.day(at: now()))
            outcomes[0].journalLines.append(renewal.journalLine)
            for place in outcomes.indices where outcomes[place].erases {
                outcomes[place].frame = Reply.frame(
                    Records.EraseRecord.Reply(
                        removed: renewal.removed, backup: renewal.made, backupProblem: renewal.problem))
            }
        }
        return outcomes
    }

    /// Throws if the storage fails. A refusal is an outcome.
    private func carryOut(_ job: Job, _ store: Store) throws -> Outcome {
        do {
            return try store.transaction {
                let context = try context(for: job, store)
                var outcome = Outcome(number: job.number, frame: try Routes.frame(for: job.call, in: context))
                outcome.news = context.news
                outcome.entered = context.entered
                outcome.erases = context.erases
                outcome.journalLines = context.journalLines
                outcome.signedOut = context.signedOut
                outcome.changesKeys = context.changesKeys
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
            person = try store.person(ID(id)).flatMap { $0.isActive ? $0 : nil }
        } else if let account = job.caller.account {
            person = try store.person(account: account)
        }
        return CallContext(
            store: store, settings: settings, now: now(), caller: person,
            role: person?.role ?? (job.caller.isOwner ? .administrator : nil), through: job.caller.through,
            isGate: job.caller.isGate(of: settings), call: job.call)
    }

    func close() throws { try storage.close() }
}

extension Job {
    /// The access to the database that the call needs.
    var access: PracticeStorage.Access {
        if Routes.maintenanceMethod(call.method) != nil { return .writing }
        // A method without a handler is answered without the database.
        return Routes.handler(of: call.method)?.onlyReads ?? true ? .reading : .writing
    }
}

extension Caller {
    /// Root, and the daemon's own user: they can read and write the database anyway. A caller who came through the gate never
    /// is.
    var isOwner: Bool { person == nil && entrance == .localSocket && (user == 0 || user == geteuid()) }

    /// As the audit names it.
    var through: String {
        switch entrance {
        case .localSocket: person == nil ? "socket" : "demo"
        case .gate(_, let address): "ssh from \(address)"
        }
    }

    /// The account that the gate's program runs as, before it has said for whom it calls.
    func isGate(of settings: PracticeSettings) -> Bool {
        person == nil && entrance == .localSocket && account == settings.gate.account
    }
}
