import Time

// Notes: kept with an assignment, or as talking points for the next session.
extension Decision {
    mutating func addNote(_ note: Note, _ place: NotePlace) throws(Refusal) {
        let id = try assignment(for: place)
        let count = id.map { plan.progress[$0]?.notes ?? 0 } ?? plan.talkingPoints
        guard count < Note.countLimit else { throw .cannotAddNote(.tooMany) }
        happen(.noteWritten(id, note))
    }

    /// Nil for the next session.
    private func assignment(for place: NotePlace) throws(Refusal) -> AssignmentID? {
        switch place {
        case .nextSession: return nil
        case .here:
            return plan.flow?.assignment ?? plan.completedLast.flatMap { plan.isOver($0, before: day) ? nil : $0 }
        case .assignment(let id):
            guard let assignment = plan.agenda[id] else { throw .noSuchAssignment(id) }
            // What is locked may still be taken off the schedule, and the note would be with nothing.
            guard assignment.due <= day else { throw .locked(id, until: assignment.due) }
            return id
        }
    }
}

extension Plan {
    /// It was completed on an earlier day.
    fileprivate func isOver(_ id: AssignmentID, before day: CalendarDay) -> Bool {
        progress[id]?.completedOn.map { $0 < day } ?? true
    }
}
