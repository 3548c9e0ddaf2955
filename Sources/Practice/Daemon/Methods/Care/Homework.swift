import PracticeInterfaces
import PracticeRules
import PracticeStore
import ScheduleFormat
import Time

extension Care.Homework: Handled {
    static let right = Right.seeHomework

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.record(client)
        let id = record.person.id
        let schedule = try context.store.schedule(of: id)
        let shares = try context.store.shares(of: id)
        let told = try context.store.happeningsWithoutTexts(of: id)
        let notes = try context.store.newestNotes(of: id, limit: Self.mostNotes + 1)
        let devices = try context.store.devices(of: id)
        let standing = try context.standings(of: record, told, devices)
        let assigned = try context.assigned(schedule)
        let entries = try assigned + context.withdrawn(since: assigned, of: id, told.map(\.happening))
        let tasks = entries.sorted { $0.due < $1.due }.map { $0.task(standing($0)) }
        let points = try context.store.openTalkingPoints(for: id, in: context.settings.zone)
        context.what = "\(tasks.count)"
        return Reply(
            revision: schedule.revision, takenIn: devices.map(\.revision).max().flatMap { $0 > 0 ? $0 : nil },
            shares: shares.words, tasks: tasks, lastHeard: devices.first.map { context.spelled($0.lastHeard) },
            notes: notes.suffix(Self.mostNotes).map { note in
                .init(at: context.spelled(note.at), task: note.task?.text, text: note.text ?? "")
            }, moreNotes: notes.count > Self.mostNotes ? true : nil,
            talkingPoints: points.isEmpty
                ? nil : points.map { .init(at: context.spelled($0.at), text: $0.text) })
    }

    /// More are read in the case file.
    private static let mostNotes = 200
}

extension CallContext {
    /// The standing of each task of a client, by what their devices told.
    func standings(
        of record: Record, _ told: [HeardHappening], _ devices: [Device]
    ) throws -> (Schedule.Entry) -> TaskStanding {
        let ofTask = Dictionary(grouping: told) { $0.happening.task }
        let zone = zone(of: record)
        let today = zone.day(at: now)
        let sharedOn = try store.sharesSince(.completed, of: record.person.id).map(zone.day)
        let heardOn = devices.map(\.lastHeard).max().map(zone.day)
        return { entry in
            let ofEntry = (ofTask[entry.id] ?? []).map { ($0.device, $0.happening) }
            return TaskStanding(due: entry.due, ofEntry, today: today, sharedOn: sharedOn, heardOn: heardOn)
        }
    }

    /// The tasks that were withdrawn although the client had begun or missed them, of which the practice had not heard yet: what
    /// came back of them is shown.
    fileprivate func withdrawn(
        since assigned: [Schedule.Entry], of client: ID<Person>, _ told: [PracticeRules.Happening]
    ) throws -> [Schedule.Entry] {
        let kept = told.filter { $0.what.isOfBegunTask || $0.what == .missed }
        var missing = Set(kept.compactMap(\.task)).subtracting(assigned.compactMap(\.id))
        guard !missing.isEmpty else { return [] }
        return try store.schedules(of: client).reversed().flatMap { earlier in
            try self.assigned(earlier).filter { entry in entry.id.map { missing.remove($0) != nil } ?? false }
        }
    }
}

private typealias AssignedTask = Care.Task

extension Schedule.Entry {
    fileprivate func task(_ standing: TaskStanding) -> AssignedTask {
        let state: Care.Task.State =
            switch standing.state {
            case .assigned: .assigned
            case .inProgress: .inProgress
            case .completed: .completed
            case .missed: .missed
            }
        return Care.Task(
            id: id?.text ?? "", due: "\(due)", breaths: breaths, breathsDone: standing.breathsDone, state: state,
            completedOn: standing.completedOn?.description, mood: standing.mood, late: standing.isLate ? true : nil)
    }
}

extension Set<Share> {
    /// As the interface spells them, in its order.
    var words: [String] { Share.allCases.filter(contains).map(\.rawValue) }
}

extension CallContext {
    /// The client's own zone; the practice's if this machine no longer has it.
    func zone(of record: Record) -> Zone { zones[record.details.timeZone] }
}

/// The zones of the clients in the calls of one transaction, each read once. The next transaction reads them anew, because the
/// machine's zones may have changed.
final class ClientZones {
    private let practice: Zone
    private var known: [String: Zone] = [:]

    init(practice: Zone) { self.practice = practice }

    /// The zone of that name; the practice's if this machine does not have it.
    subscript(name: String) -> Zone {
        if let zone = known[name] { return zone }
        let zone = ZoneFiles.zone(name) ?? practice
        known[name] = zone
        return zone
    }
}
