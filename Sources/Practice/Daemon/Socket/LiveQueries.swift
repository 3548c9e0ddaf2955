import PracticeStore
import Systemd
import Time
import Varlink
import VarlinkService

/// The calls with "more" that are answered again after every change: `Follow` of clients' machines, `Waiting` of
/// thanatologists, and `Watch` of everybody, for the messages that they have not read.
///
/// After a change the same call is carried out again, and its answer is sent if it differs from the last one; of `Watch`, the
/// number is told if there are more messages, or newer ones. Changes that come meanwhile lead to one further call.
final class LiveQueries {
    private final class Call {
        let request: Request
        var query: LiveQuery
        /// The last answer.
        var frame: [UInt8]
        /// The call is being carried out again.
        var isAsked = false
        /// Something has changed since the call was sent to the writer.
        var isStale = false

        init(_ request: Request, _ query: LiveQuery, _ frame: [UInt8]) {
            (self.request, self.query, self.frame) = (request, query, frame)
        }
    }

    /// A client counts as connected for so long after their last device left, because a broken link comes back.
    static let patience = Duration.seconds(30)
    /// The pause before a call that the storage failed is carried out again.
    private static let retry = Duration.seconds(5)

    /// The clients with a device that is connected here, or was within the last half minute, and their thanatologists.
    private(set) var here: [ID<Person>: ID<Person>] = [:]
    /// The clients with a device that is connected to other daemons, by these.
    private var elsewhere: [String: Set<ID<Person>>] = [:]
    /// The clients with a device that is connected anywhere. Each call takes it along, so it is there as it is.
    private(set) var online: Set<ID<Person>> = []
    /// Called when a client's first device connected here, and when the last one left.
    var onPresence: (_ client: ID<Person>, _ thanatologist: ID<Person>, _ isOnline: Bool) -> Void = { _, _, _ in }

    private let now: () -> Instant
    private let steady: () -> SteadyInstant
    private let say: (Severity, String) -> Void
    private let tellUnread: (Request, Int) -> Void
    private let ask: ((call: Varlink.Call, caller: Caller, seenRevision: Int?)) -> Int
    private var calls: [Call] = []
    /// The calls that are being carried out again, by the numbers of their jobs.
    private var asked: [Int: Call] = [:]
    private var leaving: [ID<Person>: (until: SteadyInstant, thanatologist: ID<Person>)] = [:]
    private var wallTimer: WakeTimer?
    private var steadyTimer: WakeTimer?

    /// - Parameters:
    ///   - tellUnread: tells the caller of `Watch` how many messages they have not read.
    ///   - ask: carries a call out again, and returns the number of its job.
    init(
        _ loop: EventLoop, now: @escaping () -> Instant, steady: @escaping () -> SteadyInstant,
        say: @escaping (Severity, String) -> Void, tellUnread: @escaping (Request, Int) -> Void,
        ask: @escaping ((call: Varlink.Call, caller: Caller, seenRevision: Int?)) -> Int
    ) throws(SystemdError) {
        (self.now, self.steady, self.say, self.tellUnread, self.ask) = (now, steady, say, tellUnread, ask)
        wallTimer = try WakeTimer(loop, .wall) { [unowned self] in wake() }
        steadyTimer = try WakeTimer(loop, .steady) { [unowned self] in wake() }
    }

    func add(_ request: Request, _ query: LiveQuery, frame: [UInt8]) {
        calls.append(Call(request, query, frame))
        if query.isFollowing {
            leaving[query.person] = nil
            if here.updateValue(query.thanatologist, forKey: query.person) == nil {
                notePresence(of: query.person)
                onPresence(query.person, query.thanatologist, true)
                changed(people: [query.thanatologist], presence: [])
            }
        }
        plan()
    }

    /// A client's first device connected to another daemon, or the last one left it.
    func note(_ client: ID<Person>, of thanatologist: ID<Person>, isOnline: Bool, at daemon: String) {
        let isOther =
            isOnline
            ? elsewhere[daemon, default: []].insert(client).inserted : elsewhere[daemon]?.remove(client) != nil
        notePresence(of: client)
        if isOther { changed(people: [thanatologist], presence: []) }
    }

    /// The server was reached anew. Of the clients whose devices were connected to other daemons, only these still are; and it may
    /// have an older state of the practice than the answers were made from.
    func beginAnew(elsewhere kept: [String: Set<ID<Person>>]) {
        elsewhere = elsewhere.reduce(into: [:]) { $0[$1.key] = $1.value.intersection(kept[$1.key] ?? []) }
        online = elsewhere.values.reduce(Set(here.keys)) { $0.union($1) }
        for call in calls { refresh(call) }
    }

    private func notePresence(of client: ID<Person>) {
        if here[client] != nil || elsewhere.values.contains(where: { $0.contains(client) }) {
            online.insert(client)
        } else {
            online.remove(client)
        }
    }

    /// The peer of that call disconnected.
    func end(_ request: Request) {
        end { $0.request === request }
    }

    func end(where isGone: (Caller) -> Bool) {
        end { isGone($0.request.caller) }
    }

    /// Ends all calls with an error, and forgets who is connected: another database has other people.
    func restart(with error: some ErrorReply) {
        for call in calls where call.request.isOpen { call.request.fail(error) }
        (calls, asked, here, elsewhere, online, leaving) = ([], [:], [:], [:], [], [:])
        plan()
    }

    private func end(_ isGone: (Call) -> Bool) {
        let gone = calls.filter(isGone)
        guard !gone.isEmpty else { return }
        calls.removeAll(where: isGone)
        for call in gone where call.query.isFollowing {
            let person = call.query.person
            guard !calls.contains(where: { $0.query.isFollowing && $0.query.person == person }) else { continue }
            leaving[person] = (steady() + Self.patience, call.query.thanatologist)
        }
        plan()
    }

    /// Carries out again the calls that a change concerns.
    ///
    /// - Parameters:
    ///   - people: the people with news.
    ///   - presence: the thanatologists whose availability changed.
    ///   - followers: the change concerns all clients' machines.
    ///   - rooms: the rooms with other messages. Those who listen hear of them there.
    ///   - isListening: whether a person listens to their rooms.
    func changed(
        people: Set<ID<Person>>, presence: Set<ID<Person>>, followers: Bool = false, rooms: Set<ID<Room>> = [],
        isListening: (ID<Person>) -> Bool = { _ in false }
    ) {
        guard !people.isEmpty || !presence.isEmpty || followers || !rooms.isEmpty else { return }
        for call in calls {
            let query = call.query
            // A call that is being carried out again may be about other rooms and another thanatologist by now.
            let isOfPresence = presence.contains(query.thanatologist) || call.isAsked && !presence.isEmpty
            let isOfFollower = query.isFollowing && (followers || isOfPresence)
            let isOfRooms = !query.rooms.isDisjoint(with: rooms) || call.isAsked && !rooms.isEmpty
            let hasMessages = isOfRooms && !isListening(query.person)
            if isOfFollower || hasMessages || people.contains(query.person) { refresh(call) }
        }
    }

    private func refresh(_ call: Call) {
        guard !call.isAsked else {
            call.isStale = true
            return
        }
        (call.isAsked, call.isStale) = (true, false)
        asked[ask((call.request.call, call.request.caller, call.query.revision))] = call
    }

    /// True if the outcome is that of a call of this list.
    func deliver(_ outcome: Outcome) -> Bool {
        guard let call = asked.removeValue(forKey: outcome.number) else { return false }
        call.isAsked = false
        guard call.request.isOpen, calls.contains(where: { $0 === call }) else { return true }
        if let query = outcome.liveQuery {
            let before = call.query.unread
            let isNews = query.unread == nil && outcome.frame != call.frame
            (call.query, call.frame) = (query, outcome.frame)
            if isNews { call.request.continue(frame: outcome.frame) }
            if let before, let unread = query.unread, unread.tellsMore(than: before) {
                tellUnread(call.request, unread.count)
            }
            if call.isStale { refresh(call) }
        } else if case .failed = outcome.storage {
            call.query = call.query.again(at: now() + Self.retry)
        } else {
            // The caller is refused from now on, and gets the reason.
            call.request.reply(frame: outcome.frame)
            end(call.request)
        }
        plan()
        return true
    }

    // MARK: Timers

    /// Drops the clients who left, and carries out again the calls whose answer may have changed by itself.
    func wake() {
        let (now, steady) = (now(), steady())
        for (person, gone) in leaving where gone.until <= steady {
            leaving[person] = nil
            here[person] = nil
            notePresence(of: person)
            onPresence(person, gone.thanatologist, false)
            changed(people: [gone.thanatologist], presence: [])
        }
        for call in calls {
            guard let until = call.query.until, until <= now else { continue }
            call.query = call.query.again(at: nil)
            refresh(call)
        }
        plan()
    }

    private func plan() {
        do {
            let wall = calls.compactMap(\.query.until).min()
            try wallTimer?.arm(atMicroseconds: wall.map { UInt64(max(1, $0.microseconds)) } ?? .max)
            let steady = leaving.values.map(\.until).min()
            try steadyTimer?.arm(atMicroseconds: steady.map { UInt64(max(1, $0.microseconds)) } ?? .max)
        } catch {
            say(.warning, "The time at which presence ends cannot be waited for: \(error), carrying on")
        }
    }
}

extension LiveQuery {
    fileprivate func again(at instant: Instant?) -> LiveQuery {
        var again = self
        again.until = instant
        return again
    }
}
