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
        let told = try context.store.happenings(of: id).map(\.happening)
        let devices = try context.store.devices(of: id)
        let ofTask = Dictionary(grouping: told) { $0.task }
        let today = context.zone(of: record).day(at: context.now)
        let tasks = try context.assigned(schedule).map { entry in
            let standing = TaskStanding(
                due: entry.due, ofTask[entry.id] ?? [], today: today, isTold: shares.contains(.completed))
            return entry.task(standing)
        }
        context.what = "\(tasks.count)"
        return Reply(
            revision: schedule.revision, takenIn: devices.map(\.revision).max().flatMap { $0 > 0 ? $0 : nil },
            shares: shares.words, tasks: tasks, lastHeard: devices.first.map { context.spelled($0.lastHeard) },
            notes: told.compactMap { happening in
                guard happening.what == .noteWritten, let text = happening.text else { return nil }
                return .init(at: context.spelled(happening.at), task: happening.task?.text, text: text)
            })
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
            completedOn: standing.completedOn?.description, mood: standing.mood)
    }
}

extension Set<Share> {
    /// As the interface spells them, in its order.
    var words: [String] { Share.allCases.filter(contains).map(\.rawValue) }
}

extension CallContext {
    /// The client's own zone; the practice's if this machine no longer has it.
    func zone(of record: Record) -> Zone { ZoneFiles.zone(record.details.timeZone) ?? settings.zone }
}
