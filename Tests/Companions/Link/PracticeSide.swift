import PracticeInterfaces
import StaffInterfaces
import Time
import Varlink

@testable import DaybreakLink
@testable import PracticeDaemon
@testable import PracticeDaemonTests
@testable import PracticeStore

/// The practice's daemon with its database on a disk, and one client. Each answer to that client is held against the model.
final class PracticeSide {
    private let clinic: Clinic
    private let (therapist, client): (String, String)
    private(set) var model = PracticeModel()
    private(set) var faults: [String] = []
    /// The client's call of `Follow` that is answered after every change.
    private var followed: (job: Job, frame: [UInt8])?
    private var backups: [(name: String, model: PracticeModel)] = []

    init() throws {
        clinic = try Clinic()
        therapist = try clinic.staff("Ana", .thanatologist)
        client = try clinic.client("Cleo", of: therapist)
    }

    func setClock(_ instant: Instant) { clinic.clock.set(instant) }

    // MARK: The client's calls

    /// Carries the call out, unless it is `follow`.
    func answer(_ call: LinkMachine.PracticeCall) throws -> LinkMachine.PracticeAnswer {
        let answer = try call.answer(reply(try clinic.as(client).outcome(call.method)))
        let promised = model.answer(call)
        if answer != promised { faults.append("\(call): \(answer), not \(promised)") }
        return answer
    }

    /// Begins to follow for the client, in the place of an earlier call.
    func follow(_ call: LinkMachine.PracticeCall) throws -> [LinkMachine.Input] {
        let caller = clinic.as(client)
        let frame = Array(Call.frame(call.method, more: true).dropLast())
        let job = Job(number: 1, call: try Call(frame: frame), caller: caller.caller)
        let outcome = clinic.carryOut(job)
        followed = (job, outcome.frame)
        note(outcome)
        return try LinkMachine.Input.following(reply(outcome))
    }

    /// A `follow` of a connection that has dropped.
    func followInVain(_ call: LinkMachine.PracticeCall) throws {
        _ = try clinic.as(client).outcome(call.method, more: true)
    }

    func unfollow() { followed = nil }

    /// The news for the client who follows, if there are any.
    func news() throws -> [LinkMachine.Input] {
        guard let (job, before) = followed else { return [] }
        let outcome = clinic.carryOut(job)
        guard outcome.frame != before else { return [] }
        followed?.frame = outcome.frame
        note(outcome)
        return try LinkMachine.Input.following(reply(outcome))
    }

    /// A later answer depends on the revision of this one.
    private func note(_ outcome: Outcome) {
        guard let query = outcome.liveQuery else {
            followed = nil
            return
        }
        followed?.job.isAgain = true
        followed?.job.seenRevision = query.revision
    }

    private func reply(_ outcome: Outcome) throws -> Reply { try Reply(frame: Array(outcome.frame.dropLast())) }

    // MARK: The practice's own life

    func assign(_ schedule: String) throws {
        try clinic.as(therapist).call(Care.Assign(client: client, schedule: schedule))
    }

    /// The therapist's view of the client's homework.
    func homework() throws -> Care.Homework.Reply { try clinic.as(therapist).call(Care.Homework(client: client)) }

    func kill() throws {
        followed = nil
        try clinic.kill()
    }

    func backUp() throws {
        backups.append((try clinic.root.call(Upkeep.Backup()).backup, model))
    }

    /// Takes one of the backups, by chance or the last one. False if there is none.
    func restore(_ choice: ([Int]) -> Int?) throws -> Bool {
        guard let index = choice(Array(backups.indices)) else { return false }
        followed = nil
        try clinic.root.restore(backup: backups[index].name)
        model = backups[index].model
        return true
    }

    // MARK: Its database

    /// A happening in the database.
    struct Kept: Equatable {
        let device: String
        let sequence: Int
        let id: String
        let what: String
        let text: String?
    }

    /// The happenings in the database, in the order in which they came.
    func kept() throws -> [Kept] {
        try clinic.writer.storage.store().database.rows(
            "SELECT device, sequence, name, what, text FROM happening ORDER BY id"
        ) {
            Kept(
                device: $0.text(0) ?? "", sequence: $0.int(1) ?? 0, id: $0.text(2) ?? "", what: $0.text(3) ?? "",
                text: $0.text(4))
        }
    }
}
