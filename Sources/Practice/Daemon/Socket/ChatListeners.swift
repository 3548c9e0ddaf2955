import PracticeInterfaces
import PracticeRules
import PracticeStore
import Systemd
import Time
import Varlink
import VarlinkService

/// The calls of `Listen`: who is in which room, who types, and who is online.
///
/// The writing thread hands over the rooms' happenings in the order of the commits. Each is encoded once, and sent to the
/// listeners in its room. Typing and presence are known here alone.
final class ChatListeners {
    /// A change that the server passes on.
    enum Change {
        /// A person's last connection has ended.
        case ended(ID<Person>)
        /// A person began to listen.
        case began(ID<Person>)
        /// People are offline, since that instant.
        case gone([ID<Person>], Instant)
    }

    private struct Listener {
        let request: Request
        /// Only this room; nil for all.
        let room: ID<Room>?
        /// The number of the newest happening that the caller knows of.
        let since: Int
    }

    /// A person who listens, or did so within the last half minute.
    private struct Present {
        let person: Correspondent
        var rooms: Set<ID<Room>>
        var listeners: [Listener] = []
        /// The person listens here, or did so within the last half minute.
        var isHere = false
        /// The other daemons at which the person listens.
        var elsewhere: Set<String> = []
        /// The time at which they are offline, and the instant at which their last connection ended.
        var leaving: (until: SteadyInstant, since: Instant)?
    }

    private struct Typist: Hashable {
        let room: ID<Room>
        let person: ID<Person>
    }

    /// A person is online for so long after their last connection ended, because a broken connection comes back.
    static let patience = Duration.seconds(30)

    private let steady: () -> SteadyInstant
    private let now: () -> Instant
    private let spell: (Instant) -> String
    private let say: (Severity, String) -> Void
    private let onChange: (Change) -> Void
    private var present: [ID<Person>: Present] = [:]
    /// The people of `present`, by their rooms.
    private var people: [ID<Room>: Set<ID<Person>>] = [:]
    /// The number of members of each of these rooms.
    private var sizes: [ID<Room>: Int] = [:]
    private var typists: [Typist: (person: Correspondent, told: SteadyInstant, until: SteadyInstant)] = [:]
    /// The number of the newest happening that was told.
    private var newest = 0
    private var timer: WakeTimer?

    /// The people who are online.
    private(set) var online: Set<ID<Person>> = []
    /// The people who type, by their rooms.
    private(set) var typing: [ID<Room>: Set<ID<Person>>] = [:]

    /// - Parameter spell: an instant, in the practice's zone.
    init(
        _ loop: EventLoop, steady: @escaping () -> SteadyInstant, now: @escaping () -> Instant,
        spell: @escaping (Instant) -> String, say: @escaping (Severity, String) -> Void,
        onChange: @escaping (Change) -> Void
    ) throws(SystemdError) {
        (self.steady, self.now, self.spell, self.say, self.onChange) = (steady, now, spell, say, onChange)
        timer = try WakeTimer(loop, .steady) { [unowned self] in wake() }
    }

    /// True if the person has a connection that listens.
    func isListening(_ person: ID<Person>) -> Bool {
        present[person].map { !$0.listeners.isEmpty || !$0.elsewhere.isEmpty } ?? false
    }

    /// The people who listen here, or did so within the last half minute.
    var here: [ID<Person>] { present.values.filter(\.isHere).map(\.person.id) }

    // MARK: Listening

    /// - Parameter first: the first reply, of the person's own coming online.
    func add(_ request: Request, _ listening: Listening, first: [UInt8]) {
        // With others here, the happenings in between are still to be told.
        if present.isEmpty { newest = max(newest, listening.newest) }
        request.continue(frame: first)
        for frame in listening.missed.dropLast(listening.isWhole ? 0 : 1) { request.continue(frame: frame) }
        if !listening.isWhole, let last = listening.missed.last { return request.reply(frame: last) }
        let id = listening.person.id
        enter(listening.person, listening.rooms)
        present[id]?.listeners.append(Listener(request: request, room: listening.room, since: listening.newest))
        present[id]?.leaving = nil
        if present[id]?.isHere == false {
            present[id]?.isHere = true
            onChange(.began(id))
        }
        if online.insert(id).inserted { tellPresence(of: id, .online) }
        plan()
    }

    private func enter(_ person: Correspondent, _ sizes: [ID<Room>: Int]) {
        for (room, size) in sizes {
            self.sizes[room] = size
            people[room, default: []].insert(person.id)
        }
        let rooms = Set(sizes.keys)
        present[person.id, default: Present(person: person, rooms: rooms)].rooms = rooms
    }

    /// A person listens at another daemon.
    func arrive(_ person: Correspondent, _ rooms: [ID<Room>: Int], at daemon: String) {
        enter(person, rooms)
        present[person.id]?.elsewhere.insert(daemon)
        if online.insert(person.id).inserted { tellPresence(of: person.id, .online) }
    }

    /// A person listens no longer at another daemon.
    func depart(_ person: ID<Person>, from daemon: String) {
        guard present[person]?.elsewhere.remove(daemon) != nil else { return }
        leaveIfNowhere(person)
    }

    /// Of the people who listened at other daemons, only these still do.
    func keep(elsewhere: [String: Set<ID<Person>>]) {
        for (id, someone) in present {
            for daemon in someone.elsewhere where elsewhere[daemon]?.contains(id) != true { depart(id, from: daemon) }
        }
    }

    /// Ends calls whose peer disconnected, or who was signed out.
    func end(where isGone: (Request) -> Bool) {
        for (id, someone) in present where someone.listeners.contains(where: { isGone($0.request) }) {
            present[id]?.listeners.removeAll { isGone($0.request) }
            leaveIfLast(id)
        }
        plan()
    }

    private func leaveIfLast(_ id: ID<Person>) {
        guard let someone = present[id], someone.isHere, someone.listeners.isEmpty, someone.leaving == nil else {
            return
        }
        present[id]?.leaving = (steady() + Self.patience, now())
        onChange(.ended(id))
    }

    /// Ends all calls after another database was put in the place of the old one: its numbers may begin again lower.
    func restart(with error: some ErrorReply) {
        for listener in present.values.flatMap(\.listeners) where listener.request.isOpen {
            listener.request.fail(error)
        }
        (present, people, sizes, typists, online, typing, newest) = ([:], [:], [:], [:], [], [:], 0)
    }

    /// The daemon ends: everybody is seen now for the last time.
    func end() {
        let here = present.values.filter { $0.isHere && $0.leaving == nil }.map(\.person.id)
        if !here.isEmpty { onChange(.gone(here, now())) }
    }

    // MARK: Telling

    /// Sends the listeners the happenings of their rooms.
    func tell(_ happenings: [RoomHappening]) {
        for happening in happenings {
            newest = max(newest, happening.number)
            let (room, person) = (happening.room, happening.person.id)
            if let members = happening.members, people[room] != nil { sizes[room] = members }
            switch happening.kind {
            case .message: _ = forget(Typist(room: room, person: person))
            case .left: stop(Typist(room: room, person: person))
            case .joined where present[person] != nil:
                present[person]?.rooms.insert(room)
                people[room, default: []].insert(person)
                if let members = happening.members { sizes[room] = members }
            default: break
            }
            guard let inRoom = people[room] else { continue }
            let leaving: Set<ID<Person>> =
                switch happening.kind {
                case .left: [person]
                case .gone: inRoom
                default: []
                }
            let reply = Chat.Listen.Reply(happening: Chat.Happening(happening, spell))
            // A call that listens to this room alone ends with it.
            for id in leaving.intersection(inRoom) {
                for listener in present[id]?.listeners ?? [] where listener.room == room {
                    listener.request.reply(frame: Reply.frame(reply))
                }
                present[id]?.listeners.removeAll { $0.room == room }
            }
            send(Reply.frame(reply, continues: true), to: room, number: happening.number)
            for id in leaving { remove(id, from: room) }
        }
    }

    /// - Parameters:
    ///   - number: the happening's. A caller who knows of it already is not told again.
    ///   - person: is told nothing.
    private func send(
        _ frame: [UInt8], to room: ID<Room>, number: Int = .max, except person: ID<Person>? = nil
    ) {
        for id in people[room] ?? [] where id != person {
            for listener in present[id]?.listeners ?? []
            where listener.since < number && (listener.room == nil || listener.room == room) {
                listener.request.continue(frame: frame)
            }
        }
    }

    /// The person is no longer in the room.
    private func remove(_ person: ID<Person>, from room: ID<Room>) {
        leave(person, room)
        guard present[person]?.rooms.remove(room) != nil else { return }
        leaveIfLast(person)
        plan()
    }

    private func leave(_ person: ID<Person>, _ room: ID<Room>) {
        people[room]?.remove(person)
        if people[room]?.isEmpty == true { (people[room], sizes[room]) = (nil, nil) }
    }

    private func happening(
        _ what: Chat.Happening.What, _ person: Correspondent, in room: ID<Room>? = nil
    ) -> [UInt8] {
        Reply.frame(
            Chat.Listen.Reply(
                happening: .init(
                    cursor: "\(newest)", at: spell(now()), what: what, room: room?.description,
                    person: person.id.description, name: person.name)), continues: true)
    }

    /// Tells each listener who shares a room with the person, once.
    private func tellPresence(of person: ID<Person>, _ what: Chat.Happening.What) {
        guard let someone = present[person] else { return }
        let frame = happening(what, someone.person)
        var told: Set<ID<Person>> = [person]
        let small = someone.rooms.filter { sizes[$0] ?? 0 <= ChatRules.presenceLimit }
        for room in small {
            for other in people[room] ?? [] where told.insert(other).inserted {
                for listener in present[other]?.listeners ?? [] where listener.room.map(small.contains) ?? true {
                    listener.request.continue(frame: frame)
                }
            }
        }
    }

    // MARK: Typing

    /// Somebody types. The members are told, unless they were told within the last seconds.
    func type(_ typing: Typing) { if mustTell(typing) { tell(typing) } }

    /// Notes that somebody types. False if the members were told within the last seconds.
    func mustTell(_ typing: Typing) -> Bool {
        let (now, typist) = (steady(), Typist(room: typing.room, person: typing.person.id))
        let told = typists[typist]?.told
        let isTold = told.map { now < $0 + ChatRules.typingPause } ?? false
        note(typing, told: isTold ? told ?? now : now)
        return !isTold
    }

    /// Tells the members that somebody types.
    func tell(_ typing: Typing) {
        note(typing, told: steady())
        send(happening(.typing, typing.person, in: typing.room), to: typing.room, except: typing.person.id)
    }

    private func note(_ typing: Typing, told: SteadyInstant) {
        let typist = Typist(room: typing.room, person: typing.person.id)
        typists[typist] = (typing.person, told, steady() + ChatRules.typing)
        self.typing[typing.room, default: []].insert(typing.person.id)
        plan()
    }

    /// The person, if they typed.
    private func forget(_ typist: Typist) -> Correspondent? {
        typing[typist.room]?.remove(typist.person)
        if typing[typist.room]?.isEmpty == true { typing[typist.room] = nil }
        return typists.removeValue(forKey: typist)?.person
    }

    private func stop(_ typist: Typist) {
        guard let person = forget(typist) else { return }
        send(happening(.stopped, person, in: typist.room), to: typist.room, except: typist.person)
    }

    // MARK: Timers

    /// Ends the typing of those who stopped, and the presence of those who left.
    func wake() {
        let now = steady()
        for (typist, typed) in typists where typed.until <= now { stop(typist) }
        var gone: [(person: ID<Person>, since: Instant)] = []
        for (id, someone) in present {
            guard let leaving = someone.leaving, leaving.until <= now else { continue }
            present[id]?.isHere = false
            present[id]?.leaving = nil
            leaveIfNowhere(id)
            gone.append((id, leaving.since))
        }
        for (person, since) in gone { onChange(.gone([person], since)) }
        plan()
    }

    private func leaveIfNowhere(_ id: ID<Person>) {
        guard let someone = present[id], !someone.isHere, someone.elsewhere.isEmpty else { return }
        for room in someone.rooms { stop(Typist(room: room, person: id)) }
        tellPresence(of: id, .offline)
        online.remove(id)
        present[id] = nil
        for room in someone.rooms { leave(id, room) }
    }

    private func plan() {
        let next = (present.values.compactMap(\.leaving?.until) + typists.values.map(\.until)).min()
        do {
            try timer?.arm(atMicroseconds: next.map { UInt64(max(1, $0.microseconds)) } ?? .max)
        } catch {
            say(.warning, "The end of typing and of presence cannot be waited for: \(error), carrying on")
        }
    }
}
