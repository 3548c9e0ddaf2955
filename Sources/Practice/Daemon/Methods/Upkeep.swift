import Files
import PracticeInterfaces
import PracticeRules
import PracticeStore
import Varlink

extension Upkeep.Status: Chore {
    static let right = Right.seeStatus

    func answer(at errand: Errand) throws -> Reply {
        var counts: Counts?
        var problem: String?
        do { counts = try errand.keeper.store().counts() } catch { problem = errand.keeper.failed(error) }
        return Reply(
            health: Upkeep.Health(
                version: Product.version, since: errand.spelled(errand.house.since), madeUp: counts?.isMadeUp ?? false,
                staff: counts?.staff, openClients: counts?.openClients, closedClients: counts?.closedClients,
                sessions: counts?.sessions, connections: errand.house.connections, watchers: errand.house.watchers,
                databaseBytes: errand.keeper.bytes, storageProblem: problem))
    }
}

extension Upkeep.PlayAs: Handled {
    static let right = Right.ask
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        guard desk.settings.isDemo, try desk.store.fact(.madeUp) != nil else { throw Upkeep.NotMadeUp() }
        let found = try desk.store.people(named: who)
        guard found.count == 1, let person = found.first else {
            throw Upkeep.Unclear(
                choices: found.map { .init(person: "\($0.id)", name: $0.name, role: $0.role.rawValue) })
        }
        desk.entered = person.id.description
        desk.what = person.id.description
        return Reply(person: person.id.description, name: person.name)
    }
}
