import PracticeInterfaces
import PracticeRules
import PracticeStore
import ScheduleFormat
import Time

extension Programmes.ListEnrolments: Handled {
    static let right = Right.seeEnrolments

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.subject(client)
        let found = try context.store.enrolments(of: record.person.id, past: past == true)
        context.what = "\(found.count)"
        return Reply(enrolments: try found.map { try context.told($0, of: record) })
    }
}

extension Programmes.Enrol: Handled {
    static let right = Right.enrol

    func answer(in context: CallContext) throws -> Reply {
        let made = try context.once(key) { () -> ID<ClientEnrolment> in
            let record = try context.openRecord(client)
            guard let known = try context.store.programme(programme) else {
                throw Practice.NotFound(kind: "programme", id: programme)
            }
            guard known.isOffered else { throw Practice.Invalid("programme", "must be one that is offered.") }
            let current = try context.store.enrolments(of: record.person.id, past: false)
            if let same = current.first(where: { $0.programme == known.id }) {
                throw Practice.Invalid("programme", "must be another: the client is in this one (\(same.id)).")
            }
            guard current.count < ProgrammeLimits.enrolments else {
                throw Practice.Invalid("programme", "must wait: the client is in \(current.count) programmes.")
            }
            let since = try context.firstDay(from, of: record)
            return try context.enrol(record, in: known, since: since)
        }
        let (enrolment, record) = try context.enrolment(made.description)
        context.what = enrolment.id.description
        return Reply(enrolment: try context.told(enrolment, of: record))
    }
}

extension Programmes.Withdraw: Handled {
    static let right = Right.enrol

    func answer(in context: CallContext) throws -> Reply {
        let (found, record) = try context.enrolment(enrolment)
        let checked = try context.form { faults in faults.check("reason", reason, Field.reason) }
        context.what = found.id.description
        if let end = found.end {
            throw Practice.Invalid("enrolment", "must be one that goes on: this one ended on \(end.on).")
        }
        try context.withdraw(found, of: record, reason: checked)
        return Reply(enrolment: try context.told(try context.enrolment(enrolment).found, of: record))
    }
}

extension CallContext {
    /// The named client's record; without a name, that of the calling client.
    func subject(_ client: String?) throws -> Record {
        if let client { return try record(client) }
        guard role == .client else { throw Practice.Invalid("client", "must be named.") }
        let record = try ownRecord()
        note(record.person.id)
        return record
    }

    /// An enrolment that the caller may see, with the client's record.
    func enrolment(_ id: String) throws -> (found: ClientEnrolment, record: Record) {
        guard let found = try store.enrolment(ID(id), of: holder) else {
            throw Practice.NotFound(kind: "enrolment", id: id)
        }
        return (found, try record(found.client.description))
    }

    func told(_ enrolment: ClientEnrolment, of record: Record) throws -> Programmes.Enrolment {
        let state: Programmes.Enrolment.State =
            switch enrolment.end?.kind {
            case nil: .active
            case .finished: .finished
            case .withdrawn: .withdrawn
            }
        let isClient = role == .client
        let unlocked = try unlocking(of: enrolment, record)
        return Programmes.Enrolment(
            id: enrolment.id.description, client: enrolment.client.description, programme: enrolment.programme,
            name: enrolment.name, state: state, since: enrolment.since.description,
            until: enrolment.end?.on.description, lessonsRead: enrolment.lessonsRead, lessons: enrolment.lessons,
            unlocked: unlocked.lessons.count(where: { unlocked.rules.lock(of: $0) == nil }),
            surveysDue: try store.dueSurveys(in: enrolment.id, at: now),
            reason: isClient || enrolment.end?.kind != .withdrawn ? nil : enrolment.end?.reason,
            revision: enrolment.revision, summary: enrolment.summary,
            closedWith: enrolment.end?.reason == Self.closing ? true : nil)
    }

    /// The reason of the withdrawals by a closing.
    private static let closing = "The record was closed."

    /// Tells the client and their thanatologist that an enrolment changed.
    func tell(of enrolment: ID<ClientEnrolment>, _ record: Record) throws {
        for person in [record.thanatologist, record.person.id] { try tell(person, .programme, enrolment.description) }
    }

    // MARK: Beginning

    fileprivate func firstDay(_ from: String?, of record: Record) throws -> CalendarDay {
        let today = zone(of: record).day(at: now)
        return try form { faults in
            faults.check("from", from) { (text) throws(FieldError) in
                guard let text else { return today }
                let day = try Field.day(text)
                guard abs(day - today) <= ProgrammeLimits.begin else {
                    throw FieldError("must be within a year of today, \(today).")
                }
                return day
            }
        }
    }

    fileprivate func enrol(
        _ record: Record, in programme: OfferedProgramme, since: CalendarDay
    ) throws -> ID<ClientEnrolment> {
        let client = record.person.id
        let (zone, revision) = (zone(of: record), programme.revision)
        let today = zone.day(at: now)
        let surveys = try store.surveys(of: programme.id, revision).flatMap { survey in
            SurveyOccurrence.all(of: survey, since: since, today: today).map { (survey.id, $0) }
        }
        guard programme.lessons > 0 || !surveys.isEmpty else {
            throw Practice.Invalid("from", "must be later: all surveys of the programme would be over.")
        }
        let id = try store.addEnrolment(
            of: client, in: programme.id, revision, since: since, by: caller?.id, at: now)
        for (survey, occurrence) in surveys {
            try store.addSurvey(survey, occurrence, in: id, of: client, occurrence.window(in: zone))
        }
        let tasks = try store.tasks(of: programme.id, revision).map { task in (since + (task.day - 1), task) }
            .filter { $0.0 >= today }
        for task in try addTasks(tasks.map { Self.entry($0.0, $0.1) }, to: client) {
            try store.addTask(task.text, to: id, of: client)
        }
        changesSurveys = true
        try tell(of: id, record)
        return id
    }

    private static func entry(_ due: CalendarDay, _ task: ProgrammeVersion.Task) -> Schedule.Entry {
        do {
            return try Schedule.Entry(
                breaths: task.breaths, moods: task.moods, due: due,
                pattern: task.pattern.map { try PatternBook.standard.pattern($0) })
        } catch { preconditionFailure("a task of a programme was checked at its import: \(error)") }
    }

    /// Adds tasks to a client's schedule, and returns their ids.
    private func addTasks(_ entries: [Schedule.Entry], to client: ID<Person>) throws -> [AssignmentID] {
        guard !entries.isEmpty else { return [] }
        let old = try assigned(try store.schedule(of: client))
        var taken = Set(old.compactMap(\.id))
        let added = entries.map { entry in
            var ordinal = 1
            while !taken.insert(AssignmentID(due: entry.due, ordinal: ordinal)).inserted { ordinal += 1 }
            return entry.named(AssignmentID(due: entry.due, ordinal: ordinal))
        }
        // The place is a second key, because the sort is not stable.
        let all = (old + added).enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
            .map(\.element)
        let text = try schedule(all).canonicalText
        guard all.count <= Assigning.entryLimit, text.utf8.count <= Assigning.textLimit else {
            throw Practice.Invalid(
                "programme", "has more tasks than fit into the client's schedule: leave out some that are long over.")
        }
        _ = try store.addSchedule(all, text, of: client, by: caller?.id ?? ID(0), at: now)
        try tell(client, .homework, client.description)
        return added.compactMap(\.id)
    }

    /// The tasks that an enrolment added. A schedule that was assigned since then may have another task under the same id.
    private struct AddedTasks {
        let ids: Set<String>
        let entries: Set<Schedule.Entry>

        func contains(_ entry: Schedule.Entry) -> Bool {
            entry.id.map { ids.contains($0.text) } ?? false && entries.contains(entry.named(nil))
        }
    }

    private func tasks(of enrolment: ClientEnrolment) throws -> AddedTasks {
        let ids = try store.tasks(of: enrolment.id)
        guard !ids.isEmpty else { return AddedTasks(ids: [], entries: []) }
        let entries = try store.tasks(of: enrolment.programme, enrolment.revision).map {
            Self.entry(enrolment.since + ($0.day - 1), $0)
        }
        return AddedTasks(ids: ids, entries: Set(entries))
    }

    /// The names of the programmes that added these tasks of a client.
    func programmes(of tasks: [Schedule.Entry], of client: ID<Person>) throws -> [AssignmentID: String] {
        var names: [AssignmentID: String] = [:]
        for enrolment in try store.enrolments(of: client, past: true) {
            let added = try self.tasks(of: enrolment)
            for task in tasks where added.contains(task) {
                if let id = task.id { names[id] = enrolment.name }
            }
        }
        return names
    }

    // MARK: Ending

    /// Withdraws all enrolments of a client that go on, because the record is closed.
    func withdrawAll(of record: Record) throws {
        for enrolment in try store.enrolments(of: record.person.id, past: false) {
            try withdraw(enrolment, of: record, reason: Self.closing)
        }
    }

    /// Ends an enrolment, and takes its tasks that are not over and not begun out of the client's schedule.
    fileprivate func withdraw(_ enrolment: ClientEnrolment, of record: Record, reason: String) throws {
        let client = record.person.id
        let today = zone(of: record).day(at: now)
        try store.end(enrolment, .withdrawn, on: today, by: caller?.id, at: now, reason: reason)
        try tell(of: enrolment.id, record)
        let added = try tasks(of: enrolment)
        guard !added.ids.isEmpty else { return }
        let begun = try store.happeningsWithoutTexts(of: client).tasks(\.isOfBegunTask)
        let old = try assigned(try store.schedule(of: client))
        let left = old.filter { entry in
            guard let id = entry.id, added.contains(entry), entry.due >= today else { return true }
            return begun.contains(id)
        }
        guard left.count < old.count else { return }
        _ = try store.addSchedule(
            left, try schedule(left).canonicalText, of: client, by: caller?.id ?? ID(0), at: now)
        try tell(client, .homework, client.description)
    }

    /// Ends an enrolment as finished if nothing in it is left to do.
    func finishIfDone(_ id: ID<ClientEnrolment>, of record: Record) throws {
        guard let enrolment = try store.enrolment(id, of: nil), enrolment.end == nil, try store.isDone(enrolment) else {
            return
        }
        let today = zone(of: record).day(at: now)
        try store.end(enrolment, .finished, on: max(today, enrolment.since), by: caller?.id, at: now, reason: "")
        try tell(of: id, record)
    }
}
