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
            person: desk.caller.map { Practice.Person($0) },
            rights: Right.allCases.filter(desk.has).map(\.rawValue), practice: desk.settings.name,
            timeZone: desk.settings.zone.name, currency: desk.settings.currency,
            therapist: desk.settings.therapist, today: desk.today.description)
    }
}

extension Practice.Watch: Handled {
    static let right = Right.watch
    static let onlyReads = true

    func answer(at desk: Desk) throws -> Reply {
        guard desk.wantsMore else { throw ExpectedMore() }
        guard let person = desk.caller?.id else { throw Practice.NotAllowed(right: Right.watch.rawValue) }
        let newest = try desk.store.newsCount(of: person)
        let from = since.map { Int($0) ?? 0 } ?? newest
        desk.watchFrom = (person, min(max(from, 0), newest))
        return Reply(cursor: String(newest), at: desk.spelled(desk.now), kind: "watching")
    }
}

extension Practice.Person {
    init(_ person: Person) {
        self.init(
            id: person.id.description, name: person.name, role: Role(person.role), account: person.account,
            email: person.email, phone: person.phone, active: person.isActive, since: person.since.description,
            revision: person.revision)
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
