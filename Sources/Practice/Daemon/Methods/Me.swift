import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

extension Practice.WhoAmI: Handled {
    static let right = Right.ask
    static let onlyReads = true

    func answer(at desk: Desk) throws -> Reply {
        Reply(
            person: desk.caller.map { Practice.Person($0, .whole) },
            rights: Right.allCases.filter(desk.has).map(\.rawValue), practice: desk.settings.name,
            timeZone: desk.settings.zone.name, currency: desk.settings.currency,
            therapist: desk.settings.therapist, today: desk.today.description)
    }
}

extension Practice.Watch: Handled {
    static let right = Right.watch
    // The thread that writes knows which news the first reply has seen, and which comes after it.
    static let onlyReads = false

    func answer(at desk: Desk) throws -> Reply {
        guard desk.wantsMore else { throw ExpectedMore() }
        guard let person = desk.caller?.id else { throw Practice.NotAllowed(right: Right.watch.rawValue) }
        let newest = try desk.store.newsCount(of: person)
        let from = min(max(since.map { Int($0) ?? 0 } ?? newest, 0), newest)
        desk.watchFrom = (person, from)
        return Reply(cursor: String(from), at: desk.spelled(desk.now), kind: "watching")
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
