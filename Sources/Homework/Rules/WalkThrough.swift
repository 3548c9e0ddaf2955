import Time

// The flow: exercise, wait room, session, mood, completed.
extension Decision {
    mutating func start(_ asked: AssignmentID?, _ pattern: BreathPattern?) throws(Refusal) {
        if let flow = plan.flow {
            guard asked == nil || asked == flow.assignment else { throw refusal(to: asked ?? flow.assignment) }
            guard pattern == nil || pattern == flow.exercise.pattern || flow.stage != .exercise else {
                throw .patternStands(flow.exercise.pattern)
            }
            return
        }
        guard let open = plan.eligible(by: settings) else {
            if let asked { throw refusal(to: asked) }
            throw .nothingEligible(next: plan.nextUnlock)
        }
        guard asked == nil || asked == open.id else { throw refusal(to: asked ?? open.id) }
        happen(.started(open.id, pattern ?? settings.pattern(of: open)))
        if plan.flow?.stage != .mood, isProviderOnline { happen(.joined(open.id)) }
    }

    /// Why that one cannot be started now.
    private func refusal(to id: AssignmentID) -> Refusal {
        guard let assignment = plan.agenda[id] else { return .noSuchAssignment(id) }
        let eligible = plan.eligible(by: settings)
        let standing = plan.standing(of: assignment, eligible: eligible, by: settings)
        switch standing {
        case .locked(.untilItsDay(let day)): return .locked(id, until: day)
        case .completed(let day, _): return .alreadyCompleted(id, on: day)
        default: return .notEligible(id, eligible: plan.flow?.assignment ?? eligible?.id, reason: standing)
        }
    }

    var isProviderOnline: Bool { plan.presence?.isOnline(at: moment.instant) ?? false }

    mutating func breathe() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        if flow.exercise.run == nil { happen(.breathingBegan(flow.assignment)) }
    }

    mutating func loseGuide() {
        guard let flow = plan.flow, flow.exercise.guided else { return }
        happen(.guideLeft(flow.assignment))
    }

    mutating func pause() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        if flow.exercise.run != nil { happen(.breathingPaused(flow.assignment)) }
    }

    mutating func resume() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        guard flow.exercise.guided else { throw .notGuided }
        if flow.exercise.run == nil { happen(.breathingBegan(flow.assignment)) }
    }

    mutating func restart() throws(Refusal) {
        let flow = try flow(in: [.exercise])
        happen(.exerciseRestarted(flow.assignment))
        if flow.exercise.guided { happen(.breathingBegan(flow.assignment)) }
    }

    mutating func join() throws(Refusal) {
        let flow = try flow(in: [.exercise, .waiting])
        guard isProviderOnline else { throw .providerUnavailable }
        happen(.joined(flow.assignment))
    }

    mutating func leave() throws(Refusal) {
        let flow = try flow(in: [.session])
        happen(.left(flow.assignment))
        completeIfDone(flow.assignment)
    }

    mutating func logMood(_ mood: Mood) throws(Refusal) {
        let flow = try flow(in: [.waiting, .mood])
        guard plan.progress[flow.assignment]?.mood == nil else { throw .moodAlreadyLogged }
        happen(.moodLogged(flow.assignment, try offered(mood, by: flow.assignment)))
        completeIfDone(flow.assignment)
    }

    mutating func correctMood(_ mood: Mood, of asked: AssignmentID?) throws(Refusal) {
        guard let id = asked ?? plan.completedLast else { throw .notCompleted(nil) }
        guard plan.agenda[id] != nil else { throw .noSuchAssignment(id) }
        guard plan.isCompleted(id) else { throw .notCompleted(id) }
        let corrected = try offered(mood, by: id)
        if plan.progress[id]?.mood != corrected { happen(.moodCorrected(id, corrected)) }
    }

    /// The choice that is meant: the word itself, or the only one that differs from it in its capitals.
    private func offered(_ mood: Mood, by id: AssignmentID) throws(Refusal) -> Mood {
        let offered = plan.agenda[id]?.moods ?? []
        if offered.contains(mood) { return mood }
        let alike = offered.filter { $0.word.lowercased() == mood.word.lowercased() }
        guard alike.count == 1 else { throw .moodNotOffered(offered) }
        return alike[0]
    }

    /// Completed is what has its session left and its mood logged; nothing else is.
    private mutating func completeIfDone(_ id: AssignmentID) {
        guard let seen = plan.progress[id], seen.sessionLeft, seen.mood != nil else { return }
        happen(.completed(id, on: day))
        remind(.completed, what: id.text, about: plan.agenda[id])
    }

    mutating func cancel() throws(Refusal) {
        let flow = try flow(in: [.exercise, .waiting, .mood])
        happen(.cancelled(flow.assignment))
        // Only its flow kept it: the day on which it was too late for it has gone by without a word.
        if let assignment = plan.agenda[flow.assignment], plan.lastDay(of: assignment, by: settings) < day {
            remind(.missed, what: assignment.id.text, about: assignment)
        }
    }

    mutating func snooze(_ until: Instant) throws(Refusal) {
        guard until > moment.instant else { throw .cannotSnooze(.inThePast) }
        guard until < moment.dayEnds else { throw .cannotSnooze(.beyondTheDay) }
        guard plan.flow != nil || plan.eligible(by: settings) != nil else { throw .cannotSnooze(.nothingOpen) }
        happen(.snoozed(until: until))
    }

    mutating func tellPresence(_ online: Bool, _ name: String?, _ lasts: Duration) {
        let wasOnline = isProviderOnline
        let until = moment.instant + min(max(lasts, .zero), Presence.longest)
        happen(.presenceTold(Presence(online: online, name: name, since: moment.instant, until: until)))
        guard isProviderOnline, !wasOnline, let waiting = whoWaits else { return }
        remind(.providerAvailable, what: "\(nextNumber(of: .providerAvailable))", about: waiting)
    }

    /// The assignment for which the provider's coming matters now.
    private var whoWaits: Assignment? {
        guard let flow = plan.flow else { return plan.eligible(by: settings) }
        return flow.stage == .exercise || flow.stage == .waiting ? plan.agenda[flow.assignment] : nil
    }
}
