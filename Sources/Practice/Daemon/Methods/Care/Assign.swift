import PracticeInterfaces
import PracticeRules
import PracticeStore
import ScheduleFormat
import Time

extension Care.Assign: Handled {
    static let right = Right.giveHomework

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.openRecord(client)
        let id = record.person.id
        guard let author = context.caller?.id else { throw Practice.NotFound(kind: "client", id: client) }
        let before = try context.store.schedule(of: id)
        let told = try context.store.happeningsWithoutTexts(of: id)
        let standing = try context.standings(of: record, told, context.store.devices(of: id))
        let assigned = try context.assigned(before)
        // Also those of which no device told that they were missed: they stand so in the record.
        let missed = assigned.filter { standing($0).state == .missed }.compactMap(\.id)
        let assigning = Assigning(
            try read(), onto: assigned, begun: told.tasks(\.isOfBegunTask),
            missed: told.tasks { $0 == .missed }.union(missed))
        let text = try context.schedule(assigning.entries).canonicalText
        guard text.utf8.count <= Assigning.textLimit else {
            throw whole("The schedule has more than \(Assigning.textLimit) bytes: leave out tasks that are long over.")
        }
        let isOther = text != before.text
        var revision = isOther ? try context.store.nextScheduleRevision(of: id) : before.revision
        context.isWithoutEffect = !isOther
        context.isDryRun = dryRun == true
        if !context.isWithoutEffect {
            revision = try context.store.addSchedule(
                assigning.entries, text, of: id, by: author, at: context.now)
            try context.tell(id, .homework, id.description)
        }
        // A dry run makes no revision.
        if !context.isDryRun { context.what = "\(revision)" }
        let withdrawn = try named(assigning.withdrawn, of: id, in: context)
        return Reply(
            revision: revision, added: assigning.added, changed: assigning.changed, withdrawn: withdrawn.count,
            withdrawnTasks: withdrawn.isEmpty ? nil : withdrawn)
    }

    private func named(
        _ withdrawn: [Schedule.Entry], of client: ID<Person>, in context: CallContext
    ) throws -> [Reply.WithdrawnTasks] {
        guard !withdrawn.isEmpty else { return [] }
        let programmes = try context.programmes(of: withdrawn, of: client)
        return withdrawn.map { entry in
            .init(
                id: entry.id?.text ?? "", due: entry.due.description,
                programme: entry.id.flatMap { programmes[$0] })
        }
    }

    private func read() throws -> Schedule {
        let read: Schedule
        do { read = try ScheduleReader.read(Array(schedule.utf8)) } catch {
            throw Care.InvalidSchedule(
                line: error.line, column: error.column, entry: error.entry, reason: error.reason)
        }
        guard read.entries.count <= Assigning.entryLimit else {
            throw whole("The schedule has more than \(Assigning.entryLimit) tasks, which is the limit.")
        }
        return read
    }

    private func whole(_ reason: String) -> Care.InvalidSchedule {
        Care.InvalidSchedule(line: 1, column: 1, reason: reason)
    }
}

extension CallContext {
    /// The tasks of a schedule that this practice wrote.
    func assigned(_ schedule: AssignedSchedule) throws -> [Schedule.Entry] {
        do { return try ScheduleReader.read(Array(schedule.text.utf8), isRecorded: true).entries } catch {
            throw Practice.StorageUnavailable(reason: "Revision \(schedule.revision) of a schedule cannot be read.")
        }
    }

    /// Entries that all have an id.
    func schedule(_ entries: [Schedule.Entry]) throws -> Schedule {
        do { return try Schedule(entries) } catch { preconditionFailure("tasks have ids of their own") }
    }
}

extension [HeardHappening] {
    /// The tasks of the happenings of some kinds.
    func tasks(_ isMeant: (PracticeRules.Happening.Kind) -> Bool) -> Set<AssignmentID> {
        Set(filter { isMeant($0.happening.what) }.compactMap(\.happening.task))
    }
}
