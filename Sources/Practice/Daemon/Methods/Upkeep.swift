import Files
import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink
import VarlinkService

extension Upkeep.Status: Chore {
    static let right = Right.seeStatus

    func answer(at errand: Errand) throws -> Reply {
        let (keeper, house) = (errand.keeper, errand.house)
        var counts: Counts?
        var problem = house.damage
        if problem == nil {
            do { counts = try keeper.store().counts() } catch { problem = keeper.failed(error).reason }
        }
        return Reply(
            health: Upkeep.Health(
                version: Product.version, since: errand.spelled(house.since), madeUp: counts?.isMadeUp ?? false,
                staff: counts?.staff, openClients: counts?.openClients, closedClients: counts?.closedClients,
                sessions: counts?.sessions, connections: house.connections, watchers: house.watchers,
                databaseBytes: keeper.bytes,
                lastBackup: Keeper.lastBackup(keeper.nights, at: errand.now).map(errand.spelled),
                storageProblem: problem ?? house.problem, backupProblem: house.backupProblem))
    }
}

extension Upkeep.Diagnose: Chore {
    static let right = Right.maintain

    func answer(at errand: Errand) throws -> Reply {
        var storage = errand.house.damage
        if storage == nil {
            do { try errand.keeper.check() } catch {
                let failure = errand.keeper.failed(error)
                storage = failure.reason
                errand.found = failure
            }
        }
        var settings: String?
        do { _ = try PracticeSettings.load(errand.house.settingsFile) } catch { settings = error.description }
        return Reply(
            storage: storage ?? errand.house.problem, backups: errand.house.backupProblem, settings: settings,
            folder: errand.keeper.nights.folder)
    }
}

extension Upkeep.BackUpNight: Chore {
    static let right = Right.maintain

    func answer(at errand: Errand) throws -> Reply {
        do {
            try errand.keeper.backUpNight(on: errand.today)
            errand.tell(.backupMade)
            return Reply(lastBackup: errand.spelled(errand.now), kept: errand.settings.nights)
        } catch {
            errand.tell(.backupFailed, because: errand.keeper.failed(error).reason)
            throw error
        }
    }
}

extension Upkeep.Backup: Chore {
    static let right = Right.maintain
    static let isAudited = true

    func answer(at errand: Errand) throws -> Reply {
        let name = try errand.keeper.backUpToFetch(at: errand.now)
        errand.what = name
        return Reply(backup: name, bytes: try errand.keeper.bytes(of: name))
    }
}

extension Upkeep.ReadBackup: Chore {
    static let right = Right.maintain

    func answer(at errand: Errand) throws -> Reply {
        let piece = try errand.keeper.read(backup, from: offset)
        return Reply(
            piece: Base64.encode(piece), next: piece.count == Keeper.piece ? offset + piece.count : nil)
    }
}

extension Upkeep.LayRestore: Chore {
    static let right = Right.maintain

    func answer(at errand: Errand) throws -> Reply {
        guard let bytes = Base64.decode(piece), bytes.count <= Keeper.piece else {
            throw InvalidParameter(parameter: "piece")
        }
        let name = restore ?? "restore-\(errand.now.microseconds).db"
        return Reply(restore: name, bytes: try errand.keeper.append(bytes, at: offset, to: name))
    }
}

extension Upkeep.Restore: Chore {
    static let right = Right.maintain
    static let isAudited = true

    func answer(at errand: Errand) throws -> Reply {
        let kept = try errand.keeper.restore(restore, at: errand.now, on: errand.today)
        errand.what = kept.split(separator: "/").last.map(String.init)
        errand.tell(.storageRestored, errand.what)
        let counts = try errand.keeper.store().counts()
        return Reply(
            kept: kept, staff: counts.staff, clients: counts.openClients + counts.closedClients,
            sessions: counts.sessions)
    }
}

extension Upkeep.Fill: Handled {
    static let right = Right.maintain
    static let isAudited = true
    static let message: PracticeMessage? = .practiceFilled

    func answer(at desk: Desk) throws -> Reply {
        guard try desk.store.isEmpty() else { throw Upkeep.NotEmpty() }
        var filling = Filling(at: desk, seed: seed ?? 1)
        try filling.fill()
        try desk.store.state(.madeUp, "1")
        let counts = try desk.store.counts()
        let clients = counts.openClients + counts.closedClients
        desk.what = "\(clients) clients, \(counts.sessions) sessions"
        return Reply(staff: counts.staff, clients: clients, sessions: counts.sessions)
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
        desk.entered = Entered(person: person.id, entrance: .localSocket)
        desk.what = person.id.description
        return Reply(person: person.id.description, name: person.name)
    }
}
