extension Decision {
    mutating func logMood(_ mood: Mood) throws(Refusal) {
        let flow = try flow(in: [.waiting, .mood])
        guard plan.progress[flow.assignment]?.mood == nil else { throw .moodAlreadyLogged }
        happen(.moodLogged(flow.assignment, try offered(mood, by: flow.assignment)))
        completeIfDone(flow.assignment)
    }

    /// - Parameter asked: nil for the mood that was logged last, also that of a task in progress.
    mutating func correctMood(_ mood: Mood, of asked: AssignmentID?) throws(Refusal) {
        guard let id = asked ?? plan.moodLoggedLast else { throw .notCompleted(nil) }
        guard plan.agenda[id] != nil else { throw .noSuchAssignment(id) }
        guard plan.progress[id]?.mood != nil else { throw .notCompleted(id) }
        let corrected = try offered(mood, by: id)
        if plan.progress[id]?.mood != corrected { happen(.moodCorrected(id, corrected)) }
    }

    /// The assignment's choice with this word. Capitals may differ if only one choice fits.
    private func offered(_ mood: Mood, by id: AssignmentID) throws(Refusal) -> Mood {
        let offered = plan.agenda[id]?.moods ?? []
        if offered.contains(mood) { return mood }
        let alike = offered.filter { $0.word.lowercased() == mood.word.lowercased() }
        guard alike.count == 1 else { throw .moodNotOffered(offered) }
        return alike[0]
    }
}

extension Plan {
    /// The assignment whose mood was logged last, also one in progress; nil if none was.
    public var moodLoggedLast: AssignmentID? {
        flow.flatMap { progress[$0.assignment]?.mood == nil ? nil : $0.assignment } ?? completedLast
    }

    /// Forgets the word. The assignment still counts as having a mood.
    mutating func eraseMood(of id: AssignmentID) {
        if progress[id]?.mood != nil { progress[of: id].mood = .erased }
    }
}
