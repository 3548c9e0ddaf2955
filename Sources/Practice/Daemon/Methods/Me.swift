import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

extension Practice.WhoAmI: Handled {
    static let right = Right.ask
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let zone = context.role == .client ? context.zone(of: try context.ownRecord()) : nil
        return Reply(
            person: context.caller.map { Practice.Person($0, .whole) },
            rights: Right.allCases.filter(context.has).map(\.rawValue), practice: context.settings.name,
            timeZone: context.settings.zone.name, currency: context.settings.currency,
            therapist: context.settings.therapist, today: context.today.description,
            clientToday: zone?.day(at: context.now).description)
    }
}

extension Practice.Watch: Handled {
    static let right = Right.watch
    // Carried out by the writing thread, which knows the last news before the first reply.
    static let onlyReads = false

    func answer(in context: CallContext) throws -> Reply {
        guard context.wantsMore else { throw ExpectedMore() }
        guard let person = context.caller?.id else { throw Practice.NotAllowed(right: Right.watch.rawValue) }
        let unread = try context.store.unreadChat(of: person)
        context.liveQuery = LiveQuery(
            person: person, isFollowing: false, thanatologist: person, rooms: try context.store.heardRooms(of: person),
            unread: LiveQuery.Unread(count: unread, newest: try context.store.newestUnread(of: person)))
        let newest = try context.store.newsCount(of: person)
        guard !context.isAgain else {
            return Reply(cursor: String(newest), at: context.spelled(context.now), kind: "chat", unread: unread)
        }
        let from = min(max(since.map { Int($0) ?? 0 } ?? newest, 0), newest)
        context.watchFrom = (person, from)
        return Reply(cursor: String(from), at: context.spelled(context.now), kind: "watching")
    }
}

extension Practice.Person.Role {
    init(_ role: PracticeRules.Role) {
        switch role {
        case .administrator: self = .administrator
        case .support: self = .support
        case .thanatologist: self = .thanatologist
        case .client: self = .client
        }
    }
}
