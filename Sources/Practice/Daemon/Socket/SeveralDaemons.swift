import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Systemd
import Time
import Varlink
import VarlinkService
import Workers

// Several daemons that serve one practice.
extension PracticeServer {
    /// The time between two signs of life.
    private static let pulseTime = Duration.seconds(5)

    /// Tells the other daemons, if there are any.
    func share(_ told: [Notice]) { if notices != nil, !told.isEmpty { writer.carryOut([.tell(told)]) } }

    /// The time after which a daemon that hears no notices says so: longer than a restart of the server or a failover.
    static let deafPatience = Duration.seconds(30)
    /// The problem of a daemon whose calls are carried out, while it hears nothing of others' changes.
    static let deafness =
        "The server of the database gives no connection on which to hear of changes: see its log and its limits."

    func beat() {
        heedDeafness()
        // While the server is waited for, each further beat would wait as long once more.
        if !isBeating {
            isBeating = true
            writer.carryOut([.beat])
            if isUnknown { tellAnew() }
        }
        // A daemon that cannot be waken is taken for gone by the others, which lets nothing be lost.
        try? pulse?.arm(afterMicroseconds: UInt64(Self.pulseTime / .microseconds(1)))
    }

    /// Reports it if no notices were heard for so long, and cuts the callers, who hear of no change. While the storage has
    /// another problem, they are told of that one.
    func heedDeafness(after patience: Duration = PracticeServer.deafPatience) {
        guard let since = notices?.deafSince, SystemClock.steady() - since >= patience, state.problem == nil else {
            return
        }
        state.problem = Self.deafness
        report(JournalLine(kind: .storageUnavailable, reason: Self.deafness))
        notices?.forget()
        cutOff()
        onChange()
    }

    private func tellAnew() {
        isUnknown = false
        let listening = chatListeners?.here.map { Notice(.listening, $0) } ?? []
        let online = liveQueries?.here.map { Notice(.online, $0.key, $0.value.description) } ?? []
        writer.carryOut([.tellAnew(listening + online)])
    }

    private func carryOutAgain(_ request: Request, _ number: Int) {
        carryOut([Job(number: number, call: request.call, caller: request.caller, state: counted)])
    }

    /// The notices are heard from now on; with nil, the server was not reached.
    func begin(with presence: [HeardNotice]?) {
        if let presence {
            if state.problem == Self.deafness {
                state.problem = nil
                report(JournalLine(kind: .storageBack))
                onChange()
            }
            // Those who left while nothing was heard are not told of.
            func people(_ kind: Notice.Kind) -> [String: Set<ID<Person>>] {
                presence.filter { $0.notice.kind == kind }.reduce(into: [:]) { found, one in
                    if let person = one.notice.person { found[one.daemon, default: []].insert(person) }
                }
            }
            chatListeners?.keep(elsewhere: people(.listening))
            liveQueries?.beginAnew(elsewhere: people(.online))
            take(presence)
            // Notices of keys and surveys may be among those that were lost.
            keyResponder?.refresh()
            onSurveys()
        }
        for number in early {
            guard let request = requests[number] else { continue }
            if presence != nil {
                carryOutAgain(request, number)
            } else {
                requests[number] = nil
                if let next = lines.end(number) { dispatch([next]) }
                callLimiter.finish(request.caller)
                notices?.isAnswered(number)
                request.fail(
                    Practice.StorageUnavailable(reason: "The server of the database takes no more connections."))
            }
        }
        early = []
    }

    /// Notices were lost: everybody must ask anew.
    func cutOff() {
        server.disconnect(
            with: Practice.StorageUnavailable(reason: "Changes of the database were missed: call again.")
        ) { _ in true }
    }

    /// Tells the callers what all daemons did, in the order of the commits.
    func take(_ heard: [HeardNotice]) {
        var (people, presence, rooms): (Set<ID<Person>>, Set<ID<Person>>, Set<ID<Room>>) = ([], [], [])
        var followers = false
        let watching = Dictionary(grouping: heard.contains { $0.news != nil } ? watchers : [], by: \.person)
        for one in heard {
            let (notice, person) = (one.notice, one.notice.person ?? ID(0))
            // This daemon's own callers and keys know it already.
            let isOfOther = one.daemon != notices?.daemon
            switch notice.kind {
            case .chat, .left, .gone:
                chatListeners?.tell(one.happenings)
                rooms.formUnion(one.happenings.map(\.room))
            case .news:
                if let person = notice.person { people.insert(person) }
                guard let news = one.news else { continue }
                for watcher in watching[news.person] ?? [] { tell(watcher, news) }
            case .read: if let person = notice.person { people.insert(person) }
            case .availability: if let person = notice.person { presence.insert(person) }
            case .broadcasts: followers = true
            case .signedOut: signOut(SignedOut(person: person, by: .anything(account: notice.detail)))
            case .keyRemoved: signOut(SignedOut(person: person, by: .key(notice.detail ?? "")))
            case .typing:
                guard let typist = one.correspondent else { continue }
                chatListeners?.tell(Typing(room: ID(notice.detail ?? ""), person: typist))
            case .surveys: if isOfOther { onSurveys() }
            case .keys: if isOfOther { keyResponder?.refresh() }
            case .listening:
                guard isOfOther, let listener = one.correspondent else { continue }
                chatListeners?.arrive(listener, one.rooms, at: one.daemon)
            case .silent: if isOfOther { chatListeners?.depart(person, from: one.daemon) }
            case .online, .offline:
                guard isOfOther else { continue }
                liveQueries?.note(
                    person, of: ID(notice.detail ?? ""), isOnline: notice.kind == .online, at: one.daemon)
            }
        }
        liveQueries?.changed(people: people, presence: presence, followers: followers, rooms: rooms) {
            [chatListeners] in chatListeners?.isListening($0) ?? false
        }
    }
}
