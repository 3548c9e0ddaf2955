import Files
import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import TOML
import Time
import Varlink
import VarlinkService

extension Upkeep.Status: MaintenanceMethod {
    static let right = Right.seeStatus
    static let isOfWhole = false

    func answer(in context: MaintenanceContext) throws -> Reply {
        let (storage, state) = (context.storage, context.state)
        var counts: Counts?
        var problem = state.damage
        if problem == nil {
            do {
                if let vain = context.vain { throw StorageFault(vain) }
                counts = try storage.store().counts()
            } catch {
                problem = storage.failed(error).reason
                context.survived = error
            }
        }
        return Reply(
            health: Upkeep.Health(
                version: Product.version, since: context.spelled(state.since), madeUp: counts?.isMadeUp ?? false,
                staff: counts?.staff, openClients: counts?.openClients, closedClients: counts?.closedClients,
                sessions: counts?.sessions, connections: state.connections, watchers: state.watchers,
                // A server that has just failed would be waited for once more.
                databaseBytes: counts == nil && storage.isOnServer ? 0 : storage.bytes,
                // A server's practice has no nightly backups of ours.
                lastBackup: (try? storage.nights).flatMap { PracticeStorage.lastBackup($0, at: context.now) }
                    .map(context.spelled),
                storageProblem: problem ?? state.problem, backupProblem: state.backupProblem,
                onServer: storage.isOnServer ? true : nil))
    }
}

extension Upkeep.Diagnose: MaintenanceMethod {
    static let right = Right.maintain
    static let thread = CallThread.copying

    func answer(in context: MaintenanceContext) throws -> Reply {
        var storage = context.state.damage
        if storage == nil {
            do { try context.storage.check() } catch {
                let failure = context.storage.failed(error)
                storage = failure.reason
                context.found = failure
            }
        }
        var (settings, changed): (String?, [String]) = (nil, [])
        do {
            changed = context.settings.changes(to: try PracticeSettings.load(context.state.settingsFile))
        } catch { settings = error.description }
        let gate = context.settings.gate
        var hostKey: String?
        do { _ = try gate.hostKeyFingerprint() } catch let error as Practice.NoGate { hostKey = error.reason }
        var role: [String]?
        if storage == nil {
            do { role = try context.storage.store().faultsOfRole() } catch {
                role = ["The rights of the daemon's role cannot be read. \(context.storage.failed(error).reason)"]
            }
        }
        return Reply(
            storage: storage ?? context.state.problem, backups: context.state.backupProblem, settings: settings,
            // A server's practice has no folder of backups.
            folder: (try? context.storage.nights.folder) ?? "", hostKey: hostKey, address: gate.reachableAddress,
            addressNamed: !gate.address.isEmpty, changedSettings: changed.isEmpty ? nil : changed, role: role)
    }
}

extension Upkeep.BackUpNight: MaintenanceMethod {
    static let right = Right.maintain
    static let thread = CallThread.copying
    private static let mended = "An index of the database did not list all of its rows; it was made anew."

    func answer(in context: MaintenanceContext) throws -> Reply {
        _ = try context.storage.nights
        do {
            let areMended = try context.storage.backUpNight(on: context.today)
            context.tell(.backupMade, because: areMended ? Self.mended : nil)
            return Reply(lastBackup: context.spelled(context.now), kept: context.settings.nights)
        } catch let step as Step {
            throw step
        } catch {
            context.tell(.backupFailed, because: context.storage.failed(error).reason)
            throw error
        }
    }
}

extension Upkeep.Backup: MaintenanceMethod {
    static let right = Right.maintain

    func answer(in context: MaintenanceContext) throws -> Reply {
        let name = context.step?.backup ?? PracticeStorage.nameToFetch(at: context.now)
        if context.step == nil {
            // Every backup has an entry, because the entry comes first.
            try context.audit(name, try context.storage.store())
            try context.copyElsewhere(name)
        }
        try context.storage.backUpToFetch(name)
        return Reply(backup: name, bytes: try context.storage.bytes(of: name))
    }
}

extension Upkeep.ReadBackup: MaintenanceMethod {
    static let right = Right.maintain
    static let isOfWhole = false

    func answer(in context: MaintenanceContext) throws -> Reply {
        let piece = try context.storage.read(backup, from: offset)
        return Reply(
            piece: Base64.encode(piece), next: piece.count == PracticeStorage.piece ? offset + piece.count : nil)
    }
}

extension Upkeep.UploadRestore: MaintenanceMethod {
    static let right = Right.maintain

    func answer(in context: MaintenanceContext) throws -> Reply {
        guard let bytes = Base64.decode(piece), bytes.count <= PracticeStorage.piece else {
            throw InvalidParameter(parameter: "piece")
        }
        let name = restore ?? "restore-\(context.now.microseconds).db"
        if restore == nil { try context.storage.beginUpload(name, of: size ?? bytes.count) }
        return Reply(restore: name, bytes: try context.storage.append(bytes, at: offset, to: name))
    }
}

extension Upkeep.Restore: MaintenanceMethod {
    static let right = Right.maintain

    func answer(in context: MaintenanceContext) throws -> Reply {
        let name = try context.storage.replacedName(on: context.today, at: context.now)
        // The entry is written before the file replaces the database.
        let restored = try context.storage.restore(restore, keepingAs: name) { try context.audit(name, $0) }
        // Noted first: another database is there now, also if something fails after this.
        context.tell(.storageRestored, name)
        let counts = try counts(of: restored, in: context)
        let returned = restored.returned
        // The pages of a damaged database that can be read need not be all.
        let areAllKnown = returned.areAll && context.state.damage == nil
        return Reply(
            kept: restored.kept, staff: counts.staff, clients: counts.openClients + counts.closedClients,
            sessions: counts.sessions, returned: returned.records.isEmpty ? nil : returned.records,
            returnedStaff: returned.staff.isEmpty ? nil : returned.staff.map { "\($0.name) (\($0.id))" },
            removedKeys: returned.keys > 0 ? returned.keys : nil, another: returned.isOfAnother ? true : nil,
            madeUp: counts.isMadeUp ? true : nil, unknown: areAllKnown ? nil : true)
    }

    /// Throws `inDoubt` if a power cut may bring the database before back, or if the restored one cannot be read.
    private func counts(of restored: PracticeStorage.Restored, in context: MaintenanceContext) throws -> Counts {
        let done = "The backup is in the place of the database."
        if let fault = restored.fault {
            throw StorageFault(.inDoubt("\(done) A power cut may bring the one before back. \(fault)."))
        }
        do { return try context.storage.store().counts() } catch {
            throw StorageFault(.inDoubt("\(done) \(context.storage.failed(error).reason)"))
        }
    }
}

extension Upkeep.Fill: Handled {
    static let right = Right.maintain
    static let isAudited = true
    static let message: PracticeMessage? = .practiceFilled

    func answer(in context: CallContext) throws -> Reply {
        guard try context.store.isEmpty() else { throw Upkeep.NotEmpty() }
        var practice = DemoPractice(in: context, seed: seed ?? 1)
        try practice.fill()
        try context.store.state(.madeUp, "1")
        let counts = try context.store.counts()
        let clients = counts.openClients + counts.closedClients
        context.what = "\(clients) clients, \(counts.sessions) sessions"
        return Reply(staff: counts.staff, clients: clients, sessions: counts.sessions)
    }
}

extension Upkeep.PlayAs: Handled {
    static let right = Right.ask
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard context.settings.isDemo, try context.store.fact(.madeUp) != nil else { throw Upkeep.NotMadeUp() }
        let found = try context.store.people(named: who)
        guard found.count == 1, let person = found.first else {
            throw Upkeep.Unclear(
                choices: found.map { .init(person: "\($0.id)", name: $0.name, role: $0.role.rawValue) })
        }
        context.entered = Entered(person: person.id, entrance: .localSocket)
        context.what = person.id.description
        return Reply(person: person.id.description, name: person.name)
    }
}
