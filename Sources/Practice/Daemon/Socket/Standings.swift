import PracticeStore
import Systemd
import Time
import Varlink
import VarlinkService

/// The calls with "more" that are answered anew after every change: of those who follow from clients' machines, and of those who
/// look at the wait room.
///
/// After a change the same call is carried out once more, and told if the answer is another one. Changes that come meanwhile are
/// gathered.
final class Standings {
    private final class Call {
        let request: Request
        var standing: Standing
        /// The last answer.
        var frame: [UInt8]
        /// It is being answered anew.
        var isAsked = false
        /// Something changed since it was asked.
        var isStale = false

        init(_ request: Request, _ standing: Standing, _ frame: [UInt8]) {
            (self.request, self.standing, self.frame) = (request, standing, frame)
        }
    }

    /// After its last device left, a client is still there for so long: a link that breaks comes back.
    static let patience = Duration.seconds(30)
    /// An answer that the storage kept back is asked for again.
    private static let retry = Duration.seconds(5)

    /// The clients of whom a device is connected, or was within half a minute.
    private(set) var online: Set<ID<Person>> = []

    private let now: () -> Instant
    private let steady: () -> SteadyInstant
    private let say: (Severity, String) -> Void
    private let ask: ((call: Varlink.Call, caller: Caller, seenRevision: Int?)) -> Int
    private var calls: [Call] = []
    /// The calls that are being answered anew, by the numbers of their jobs.
    private var asked: [Int: Call] = [:]
    private var leaving: [ID<Person>: (until: SteadyInstant, thanatologist: ID<Person>)] = [:]
    private var wallTimer: WakeTimer?
    private var steadyTimer: WakeTimer?

    /// - Parameter ask: carries a call out anew; the number of its job.
    init(
        _ loop: EventLoop, now: @escaping () -> Instant, steady: @escaping () -> SteadyInstant,
        say: @escaping (Severity, String) -> Void,
        ask: @escaping ((call: Varlink.Call, caller: Caller, seenRevision: Int?)) -> Int
    ) throws(SystemdError) {
        (self.now, self.steady, self.say, self.ask) = (now, steady, say, ask)
        wallTimer = try WakeTimer(loop, .wall) { [unowned self] in wake() }
        steadyTimer = try WakeTimer(loop, .steady) { [unowned self] in wake() }
    }

    func add(_ request: Request, _ standing: Standing, frame: [UInt8]) {
        calls.append(Call(request, standing, frame))
        if standing.isFollowing {
            leaving[standing.person] = nil
            if online.insert(standing.person).inserted { changed(people: [standing.thanatologist], presence: []) }
        }
        plan()
    }

    /// The client of that call has left.
    func end(_ request: Request) {
        end { $0.request === request }
    }

    func end(where isGone: (Caller) -> Bool) {
        end { isGone($0.request.caller) }
    }

    private func end(_ isGone: (Call) -> Bool) {
        let gone = calls.filter(isGone)
        guard !gone.isEmpty else { return }
        calls.removeAll(where: isGone)
        for call in gone where call.standing.isFollowing {
            let person = call.standing.person
            guard !calls.contains(where: { $0.standing.isFollowing && $0.standing.person == person }) else { continue }
            leaving[person] = (steady() + Self.patience, call.standing.thanatologist)
        }
        plan()
    }

    /// Answers those anew whom a change concerns.
    ///
    /// - Parameters:
    ///   - people: to whom something is told.
    ///   - presence: thanatologists of whom is told otherwise than before whether they are there.
    func changed(people: Set<ID<Person>>, presence: Set<ID<Person>>) {
        guard !people.isEmpty || !presence.isEmpty else { return }
        for call in calls {
            let standing = call.standing
            if people.contains(standing.person) || standing.isFollowing && presence.contains(standing.thanatologist) {
                refresh(call)
            }
        }
    }

    private func refresh(_ call: Call) {
        guard !call.isAsked else {
            call.isStale = true
            return
        }
        (call.isAsked, call.isStale) = (true, false)
        asked[ask((call.request.call, call.request.caller, call.standing.revision))] = call
    }

    /// True if the outcome is of a call that was asked anew.
    func deliver(_ outcome: Outcome) -> Bool {
        guard let call = asked.removeValue(forKey: outcome.number) else { return false }
        call.isAsked = false
        guard call.request.isOpen, calls.contains(where: { $0 === call }) else { return true }
        if let standing = outcome.standing {
            let isNews = outcome.frame != call.frame
            (call.standing, call.frame) = (standing, outcome.frame)
            if isNews { call.request.continue(frame: outcome.frame) }
            if call.isStale { refresh(call) }
        } else if case .failed = outcome.storage {
            call.standing = call.standing.again(at: now() + Self.retry)
        } else {
            // The caller is refused from now on, and hears why.
            call.request.reply(frame: outcome.frame)
            end(call.request)
        }
        plan()
        return true
    }

    // MARK: What the clocks bring

    /// Lets clients go who left, and answers those anew whose answer may be another one by now.
    func wake() {
        let (now, steady) = (now(), steady())
        for (person, gone) in leaving where gone.until <= steady {
            leaving[person] = nil
            online.remove(person)
            changed(people: [gone.thanatologist], presence: [])
        }
        for call in calls {
            guard let until = call.standing.until, until <= now else { continue }
            call.standing = call.standing.again(at: nil)
            refresh(call)
        }
        plan()
    }

    private func plan() {
        do {
            let wall = calls.compactMap(\.standing.until).min()
            try wallTimer?.arm(atMicroseconds: wall.map { UInt64(max(1, $0.microseconds)) } ?? .max)
            let steady = leaving.values.map(\.until).min()
            try steadyTimer?.arm(atMicroseconds: steady.map { UInt64(max(1, $0.microseconds)) } ?? .max)
        } catch {
            say(.warning, "The time at which presence ends cannot be waited for: \(error), carrying on")
        }
    }
}

extension Standing {
    fileprivate func again(at instant: Instant?) -> Standing {
        Standing(
            person: person, isFollowing: isFollowing, thanatologist: thanatologist, revision: revision, until: instant)
    }
}
