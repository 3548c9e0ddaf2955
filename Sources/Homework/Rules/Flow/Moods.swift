import Time

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
    mutating func logMood(_ mood: Mood, of id: AssignmentID, at moment: Moment) {
        (progress[of: id].mood, progress[of: id].moodOn) = (mood, day ?? moment.day)
        moodLoggedLast = id
    }

    /// Forgets the words. The assignment still counts as having a mood.
    mutating func eraseWords(of id: AssignmentID) {
        guard let seen = progress[id] else { return }
        if seen.mood != nil { progress[of: id].mood = .erased }
        progress[of: id].notes = 0
        // Those that wait were for its session, unless it is missed. Then they stay, and do not count.
        if seen.unlockedOn != nil, !seen.sessionLeft { talkingPoints = 0 }
    }
}
