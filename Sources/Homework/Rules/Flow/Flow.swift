public import Time

/// A stage of the flow, in the order in which a client goes through them.
public enum Stage: String, Hashable, Sendable, CaseIterable {
    case exercise, waiting, session, mood
}

/// A client's way through one assignment. There is at most one flow at a time.
public struct Flow: Hashable, Sendable {
    public let assignment: AssignmentID
    public internal(set) var stage: Stage
    /// The day on which it was begun.
    public internal(set) var day: CalendarDay
    /// When the present stage began.
    public internal(set) var since: Instant
    public internal(set) var exercise: Exercise

    /// The client is being guided through the breathing or is in the session: no reminder disturbs them. A pause, or a session,
    /// that lasts too long counts no more: the screen was left open, or the session was not left.
    public func isAttended(at instant: Instant) -> Bool {
        (stage == .session || exercise.guided) && attentionEnds.map { instant < $0 } ?? true
    }

    /// When a client who is attended now counts as gone, if nothing happens until then; nil while they breathe.
    var attentionEnds: Instant? {
        if stage == .session { return since + Self.longestSession }
        return exercise.pausedAt.map { $0 + Self.longestPause }
    }

    /// Longer than anybody looks for a quiet place or takes a call.
    public static let longestPause = Duration.seconds(30 * 60)
    /// Longer than any session: somebody forgot to leave it.
    public static let longestSession = Duration.seconds(4 * 3_600)

    /// The day on which an unfinished flow is set aside.
    public var makesWay: CalendarDay { day + 2 }
}

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
            throw .nothingEligible(next: plan.nextUnlock(by: settings))
        }
        guard asked == nil || asked == open.id else { throw refusal(to: asked ?? open.id) }
        happen(.started(open.id, pattern ?? settings.pattern(of: open)))
        if plan.flow?.stage != .mood, plan.startsWithSession(at: moment.instant) { happen(.joined(open.id)) }
    }

    /// The reason why this assignment cannot be started now.
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

    /// The flow, if it is in one of these stages.
    func flow(in stages: [Stage]) throws(Refusal) -> Flow {
        guard let flow = plan.flow else { throw .noFlow }
        guard stages.contains(flow.stage) else { throw .wrongStage(flow.stage, allowed: stages) }
        return flow
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

    /// Completes the assignment if its session was left and its mood logged.
    mutating func completeIfDone(_ id: AssignmentID) {
        guard let seen = plan.progress[id], seen.sessionLeft, seen.mood != nil else { return }
        happen(.completed(id, on: day))
        remind(.completed, named: id.text, about: plan.agenda[id])
    }

    mutating func cancel() throws(Refusal) {
        let flow = try flow(in: [.exercise, .waiting, .mood])
        happen(.cancelled(flow.assignment))
        // On its last day the flow kept the assignment from being missed. Without the flow it is missed.
        if let assignment = plan.agenda[flow.assignment], plan.lastDay(of: assignment, by: settings) < day {
            if plan.sharesCompletion { happen(.missed(assignment.id)) }
            remind(.missed, named: assignment.id.text, about: assignment)
        }
    }
}

extension Plan {
    mutating func start(_ id: AssignmentID, _ pattern: BreathPattern, at moment: Moment) {
        dropHeldReminders(of: id)
        guard let assignment = agenda[id] else { return }
        progress[of: id].startedAt = progress[id]?.startedAt ?? moment.instant
        let seen = progress[of: id]
        let exercise = Exercise(breaths: assignment.breaths, pattern: pattern, done: seen.breathsDone)
        let stage: Stage = seen.sessionLeft ? .mood : seen.exerciseFinished ? .waiting : .exercise
        flow = Flow(assignment: id, stage: stage, day: day ?? moment.day, since: moment.instant, exercise: exercise)
    }

    mutating func enter(_ stage: Stage, at moment: Moment) {
        loseGuide()
        flow?.stage = stage
        flow?.since = moment.instant
    }

    mutating func leave(_ id: AssignmentID, at moment: Moment) {
        progress[of: id].sessionLeft = true
        // The talking points were for this session.
        talkingPoints = 0
        isProviderAnnounced = false
        enter(.mood, at: moment)
    }

    mutating func setAside() {
        if flow?.stage == .session { isProviderAnnounced = false }
        flow = nil
    }

    mutating func complete(_ id: AssignmentID, on day: CalendarDay, at moment: Moment) {
        completeElsewhere(id, on: day, at: moment)
        completedLast = id
        flow = nil
    }

    mutating func completeElsewhere(_ id: AssignmentID, on day: CalendarDay, at moment: Moment) {
        if !isCompleted(id), let assignment = agenda[id] { completed.insert(assignment.due) }
        progress[of: id].completedAt = moment.instant
        progress[of: id].completedOn = day
        dropHeldReminders(of: id)
    }
}
