import PracticeInterfaces
import PracticeRules
import PracticeStore
import ScheduleFormat
import StaffInterfaces
import Time

extension Care.Report: Handled {
    static let right = Right.haveHomework

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.ownRecord()
        let id = record.person.id
        var device = try context.device(device, of: id)
        guard happenings.count <= Happening.callLimit else {
            throw Practice.Invalid("happenings", "must be no more than \(Happening.callLimit) in one call.")
        }
        let wasWaiting = try context.isWaiting(record)
        let new = try taken(from: &device, of: record, in: context)
        try context.store.keep(device, of: id)
        guard !new.isEmpty else { return Reply(heard: device.heard, heardID: device.heardID) }
        let today = context.settings.zone.start(of: context.today)
        guard try context.store.happeningCount(of: id, since: today) <= Happening.dayLimit else {
            throw Care.TooManyHappenings(limit: Happening.dayLimit)
        }
        if new.contains(where: { $0.text != nil }) {
            let length = try context.store.noteLength(of: id)
            guard length <= Happening.allNotesLimit else { throw Care.TooManyNotes(limit: Happening.allNotesLimit) }
        }
        context.note(id)
        context.what = "\(new.count)"
        // The client's other machines learn what is done.
        if new.contains(where: { $0.what == .completed }) { context.answersAnew(id) }
        try context.tell(of: record, new, wasWaiting: wasWaiting)
        return Reply(heard: device.heard, heardID: device.heardID)
    }

    /// Adds the happenings that were not heard before, and returns them. Throws at the first one that cannot be taken.
    private func taken(
        from device: inout Device, of record: Record, in context: CallContext
    ) throws -> [PracticeRules.Happening] {
        let client = record.person.id
        let today = context.zone(of: record).day(at: context.now)
        let shares = try context.store.shares(of: client)
        var (heard, heardID, revision) = (device.heard, device.heardID, device.revision)
        // Any other id is refused in its turn.
        let ids = happenings.compactMap { $0.id.flatMap { AssignmentID($0)?.text } }
        var known = try context.store.happenings(ids, of: client)
        var new: [PracticeRules.Happening] = []
        for told in happenings {
            let happening = try context.checked(told, today: today)
            if let known = known[happening.id] {
                guard known.covers(happening) else {
                    throw Care.UnfitHappening(
                        sequence: told.sequence, field: "id", reason: "must be new: it is that of another happening.")
                }
            } else {
                // The device went past this number, perhaps with another happening: passing it over would lose this one.
                guard happening.sequence > heard else {
                    throw Care.Reused(device: device.name, sequence: told.sequence)
                }
                if let missing = happening.unshared(by: shares) {
                    throw Care.NotShared(what: missing.rawValue, sequence: told.sequence)
                }
                known[happening.id] = happening
                new.append(happening)
            }
            if happening.sequence > heard { (heard, heardID) = (happening.sequence, happening.id) }
            revision = happening.revision ?? revision
        }
        try context.store.add(new, from: device.name, of: client, received: context.now)
        device = Device(device.name, heard: heard, heardID: heardID, lastHeard: context.now, revision: revision)
        return new
    }
}

extension CallContext {
    fileprivate func checked(_ told: Care.Happening, today: CalendarDay) throws -> PracticeRules.Happening {
        do {
            return try PracticeRules.Happening(
                .init(
                    sequence: told.sequence, id: told.id, at: told.at, day: told.day, what: told.what,
                    task: told.task, breaths: told.breaths, mood: told.mood, text: told.text, revision: told.revision),
                now: now, today: today)
        } catch {
            throw Care.UnfitHappening(sequence: told.sequence, field: error.field, reason: error.reason)
        }
    }

    /// True if the client's last stage of today is the wait room, even without a connected device.
    fileprivate func isWaiting(_ record: Record) throws -> Bool {
        let last = try store.lastStages(of: record.thanatologist, client: record.person.id, at: now).first
        return last?.what.stage == .waiting && last?.day == zone(of: record).day(at: now)
    }

    /// Adds one piece of news for the thanatologist, for all happenings of a call.
    fileprivate func tell(
        of record: Record, _ new: [PracticeRules.Happening], wasWaiting: Bool
    ) throws {
        let isOfWaitRoom = new.contains { PracticeRules.Happening.Kind.ofStages.contains($0.what) }
        try tell(record.thanatologist, isOfWaitRoom ? .waiting : .homework, record.person.id.description)
        guard try !wasWaiting && isWaiting(record) else { return }
        journalLines.append(JournalLine(kind: .clientWaits, what: "\(record.number)"))
    }
}
