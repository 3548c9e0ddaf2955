import DaybreakInterfaces
import HomeworkHistory
import HomeworkRules
import Time

// Notes, and the steps of one assignment, which the plan does not hold: each reply reads them from the history.
extension Snapshot {
    /// The note that was just added.
    func written() throws -> Homework.AddNote.Reply {
        guard let note = news.lazy.compactMap({ Homework.Note($0, spelling) }).first else {
            preconditionFailure("A note was added, and nothing was written")
        }
        let sharesNotes = plan.link?.shares[.notes] != nil
        return Homework.AddNote.Reply(note: note, shared: sharesNotes ? note.assignment == nil : nil)
    }

    /// The notes of an assignment and the talking points for its session. Nil: the notes of the open assignment, and the
    /// talking points for the next session.
    func notes(of id: AssignmentID?) throws -> Homework.Notes.Reply {
        let id = try id.map(known)
        let open = outlook.open?.id
        let kept = try (id ?? open).map(allSteps) ?? []
        let brought = try points(for: id ?? open, orWaiting: id == nil || id == open)
        let written = (kept + brought).sorted { $0.moment.instant < $1.moment.instant }
        return Homework.Notes.Reply(
            notes: written.compactMap { Homework.Note($0, spelling) }, withdrawn: id.flatMap(isWithdrawn))
    }

    func everything(of name: AssignmentID) throws -> Homework.Show.Reply {
        let id = try known(name)
        return Homework.Show.Reply(
            assignment: isWithdrawn(id) == true ? try withdrawn(id) : try assignment(id),
            steps: try allSteps(of: id).compactMap { Homework.Step($0, spelling) },
            notes: try notes(of: id).notes, withdrawn: isWithdrawn(id))
    }

    /// The assignment with that name: its id, or the day of one that was withdrawn and has notes.
    private func known(_ name: AssignmentID) throws -> AssignmentID {
        if plan.agenda[name] != nil || plan.progress[name] != nil { return name }
        guard let day = CalendarDay(name.text),
            let id = try readHistory().noted(on: day).first(where: { isWithdrawn($0) == true })
        else { throw Homework.NoSuchAssignment(assignment: name.text) }
        return id
    }

    /// True if the schedule had the assignment, and has it no more; nil if it has.
    private func isWithdrawn(_ id: AssignmentID) -> Bool? { plan.agenda[id] == nil ? true : nil }

    private func withdrawn(_ id: AssignmentID) throws -> Homework.Assignment {
        guard let last = try readHistory().assignment(id) else {
            throw Homework.NoSuchAssignment(assignment: id.text)
        }
        var shown = Homework.Assignment(
            last, standing: .locked(.untilItsDay(last.due)), changes: nil, in: plan, by: rules.settings, spelling)
        (shown.reason, shown.cause) = ("It was withdrawn from the schedule.", nil)
        return shown
    }

    /// The recorded steps, and those of this turn.
    private func allSteps(of id: AssignmentID) throws -> [Event] {
        try readHistory().steps(of: id) + unrecorded.filter { $0.what.step == id }
    }

    /// The talking points of the assignment's session. If that session was not left yet, the waiting ones, or none if
    /// `wanted` is false.
    private func points(for id: AssignmentID?, orWaiting wanted: Bool) throws -> [Event] {
        if let id, plan.progress[id]?.sessionLeft == true {
            let brought = try readHistory().talkingPoints(for: id)
            if !brought.isEmpty || !unrecorded.contains(where: { $0.what == .left(id) }) { return brought }
        } else if !wanted {
            return []
        }
        var waiting = try readHistory().talkingPoints(for: nil)
        for event in unrecorded {
            switch event.what {
            case .noteWritten(nil, _): waiting.append(event)
            case .left(id): return waiting
            case .left: waiting = []
            default: break
            }
        }
        return waiting
    }
}
