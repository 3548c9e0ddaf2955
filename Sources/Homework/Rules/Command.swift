public import Time

// The table of contents: every command, refusal and event, and the rule that carries it out or applies it.

/// A request to the rules, from a client, a provider, a file or the clock.
public enum Command: Hashable, Sendable {
    /// Finds everything that time has brought: a new day, finished breaths, reminders that are due. Every turn does this.
    case lookAtClock
    /// The daemon has just started, so no client is being guided.
    case wakeUp
    /// Reminders with these ids have been given to the journal or the desktop.
    case noteSent([String])

    /// Starts an assignment, or the eligible one. `pattern` replaces the assignment's own.
    case start(AssignmentID?, pattern: BreathPattern? = nil)
    case breathe
    /// The program that guided the client through the breathing disconnected.
    case guideLost
    case pause
    case resume
    case restart
    case join
    case leave
    case logMood(Mood)
    /// Replaces the mood of a completed assignment, or of the one completed last.
    case correctMood(Mood, of: AssignmentID?)
    case addNote(Note, NotePlace)
    case cancel

    case snooze(until: Instant)
    case endSnooze

    /// `lasts`: for how long the report is believed.
    case setPresence(online: Bool, name: String?, lasts: Duration)
    /// `file` is nil for an import by hand. `revision`: the practice sent it.
    case takeSchedule(
        Schedule, file: Fingerprint?, revision: Int? = nil, doneElsewhere: [DoneElsewhere] = [])
    /// The schedule file could not be read.
    case refuseSchedule(file: Fingerprint?)

    /// Links with a practice, as the device of that name.
    case link(practice: String, device: String, shares: Set<Share>)
    case setShares(Set<Share>, isPracticeTold: Bool, isByClient: Bool = false)
    case unlink
    /// The practice has heard of this device's events up to that number.
    case noteReported(through: Int, of: String)
    case renewDevice(String, to: String)
    /// `believed`: for how long the provider's presence is believed.
    case takeNews(PracticeNews, believed: Duration)
    /// The days of the practice's surveys, as it told them last. Every turn looks at them.
    case lookAtSurveys([SurveyDays])
}

/// The reason why the rules refuse a command, with the facts that tell the client what to do next.
public enum Refusal: Error, Hashable, Sendable {
    case locked(AssignmentID, until: CalendarDay)
    /// Another assignment, `eligible`, comes first.
    case notEligible(AssignmentID, eligible: AssignmentID?, reason: Standing)
    case nothingEligible(next: CalendarDay?)
    case alreadyCompleted(AssignmentID, on: CalendarDay)
    case noSuchAssignment(AssignmentID)
    case noFlow
    case wrongStage(Stage, allowed: [Stage])
    case notGuided
    case providerUnavailable
    /// With the assignment's choices.
    case moodNotOffered([Mood])
    case moodAlreadyLogged
    /// Nil if no assignment was completed yet.
    case notCompleted(AssignmentID?)
    case cannotAddNote(NoteFault)
    case cannotSnooze(SnoozeFault)
    /// The exercise keeps the pattern with which it was begun.
    case patternStands(BreathPattern)
    case notLinked
    /// With the address of the present practice.
    case linkedAlready(String)
    /// With the name of the present device.
    case otherDevice(String)
    /// The practice has heard of events that this history does not have.
    case historyReplaced
    /// The practice changed the schedule, or its news, more often today than a practice does.
    case practiceSaysTooMuch
}

/// The content of an event. The history's coding spells it on disk.
public enum Happening: Hashable, Sendable {
    case dayBegan(CalendarDay)
    /// The clock had been wrong and had begun a later day. It was set right, and shows this day.
    case dayTakenBack(to: CalendarDay)

    case assigned(Assignment)
    /// The provider changed an assignment that was not started.
    case revised(Assignment)
    /// An assignment changed its place among those of its day.
    case moved(AssignmentID, position: Int)
    case withdrawn(AssignmentID)
    /// `revision`: of the practice's schedule, if the practice sent it.
    case scheduleTaken(ScheduleChange, file: Fingerprint?, revision: Int? = nil)
    case scheduleRefused(file: Fingerprint?)

    case unlocked(AssignmentID)
    case started(AssignmentID, BreathPattern)
    case breathingBegan(AssignmentID)
    case breathingPaused(AssignmentID)
    case guideLeft(AssignmentID)
    /// `breaths`: whole breaths since the exercise was last restarted.
    case breathed(AssignmentID, breaths: Int)
    case exerciseRestarted(AssignmentID)
    case exerciseFinished(AssignmentID)
    case joined(AssignmentID)
    case left(AssignmentID)
    case moodLogged(AssignmentID, Mood)
    /// The mood logged first stays in the history.
    case moodCorrected(AssignmentID, Mood)
    /// The assignment is nil for a talking point, which waits for the next session.
    case noteWritten(AssignmentID?, Note)
    /// The mood and the notes of one assignment were erased; with nil, all text before this event.
    case erased(AssignmentID?)
    /// The talking points that waited for the next session were erased.
    case talkingPointsErased
    case completed(AssignmentID, on: CalendarDay)
    case cancelled(AssignmentID)
    /// The clock ended a flow: it was not finished by the day after it was begun, or its day was taken back.
    case setAside(AssignmentID)

    case presenceTold(Presence)
    case snoozed(until: Instant)
    case snoozeEnded
    case reminded(Reminder)
    /// A reminder came up in quiet hours, in a snooze or beyond the day's limit. It is given later if it is still true.
    case held(Reminder)
    /// The reminder with this id was given to the journal or the desktop.
    case reminderSent(String)

    /// A task's last day has passed. Recorded only for a practice that the client lets hear of it.
    case missed(AssignmentID)
    /// This machine was linked with a practice, as the device of that name.
    case linked(practice: String, device: String)
    /// The client changed their shares. `isPracticeTold`: the practice knows.
    case sharesChanged(Set<Share>, isPracticeTold: Bool)
    /// The practice has heard of the device's events up to that number.
    case reported(through: Int, of: String)
    /// The history was replaced, and has another name for the practice since.
    case deviceRenewed(String)
    case newsHeard(NewsCounts)
    case unlinked
    /// The client did the assignment on another of their machines, by the practice's word. It has neither mood nor breaths here.
    case completedElsewhere(AssignmentID, on: CalendarDay)
}

extension Happening {
    /// The assignment that this event belongs to as a step of its flow; nil for all other events.
    public var step: AssignmentID? {
        switch self {
        case .unlocked(let id), .started(let id, _), .breathingBegan(let id), .breathingPaused(let id),
            .guideLeft(let id), .breathed(let id, _), .exerciseRestarted(let id), .exerciseFinished(let id),
            .joined(let id), .left(let id), .moodLogged(let id, _), .moodCorrected(let id, _), .completed(let id, _),
            .cancelled(let id), .setAside(let id), .missed(let id), .completedElsewhere(let id, _):
            id
        case .noteWritten(let id, _), .erased(let id): id
        case .dayBegan, .dayTakenBack, .assigned, .revised, .moved, .withdrawn, .scheduleTaken, .scheduleRefused,
            .talkingPointsErased, .presenceTold, .snoozed, .snoozeEnded, .reminded, .held, .reminderSent, .linked,
            .sharesChanged, .reported,
            .deviceRenewed, .newsHeard, .unlinked:
            nil
        }
    }
}

extension Decision {
    mutating func carryOut(_ command: Command) throws(Refusal) {
        switch command {
        case .lookAtClock, .wakeUp: break
        case .noteSent(let ids): noteSent(ids)
        case .start(let id, let pattern): try start(id, pattern)
        case .breathe: try breathe()
        case .guideLost: loseGuide()
        case .pause: try pause()
        case .resume: try resume()
        case .restart: try restart()
        case .join: try join()
        case .leave: try leave()
        case .logMood(let mood): try logMood(mood)
        case .correctMood(let mood, let id): try correctMood(mood, of: id)
        case .addNote(let note, let place): try addNote(note, place)
        case .cancel: try cancel()
        case .snooze(let until): try snooze(until)
        case .endSnooze: endSnooze()
        case .setPresence(let online, let name, let lasts): tellPresence(online, name, lasts)
        case .takeSchedule(let schedule, let file, let revision, let done):
            try take(schedule, from: file, revision, doneElsewhere: done)
        case .refuseSchedule(let file): refuseSchedule(file)
        case .link(let practice, let device, let shares): try link(practice, device, shares)
        case .setShares(let shares, let isPracticeTold, let isByClient):
            try setShares(shares, isPracticeTold, isByClient)
        case .unlink: unlink()
        case .noteReported(let through, let device): try noteReported(through, of: device)
        case .renewDevice(let old, let new): try renewDevice(old, new)
        case .takeNews(let news, let believed): try take(news, believed: believed)
        case .lookAtSurveys(let surveys): lookAtSurveys(surveys)
        }
    }
}

extension Plan {
    /// The agenda must be settled after the last event.
    mutating func applyUnsettledEvent(_ event: Event) {
        let moment = event.moment
        let wasAttended = flow?.isAttended(at: moment.instant) ?? false
        eventCount += 1
        link?.today.count(event.what)
        switch event.what {
        case .dayBegan(let day): begin(day, at: moment)
        case .dayTakenBack(let day): takeBack(to: day, at: moment)
        case .assigned(let assignment), .revised(let assignment): put(assignment)
        case .moved(let id, let position): move(id, to: position)
        case .withdrawn(let id): withdraw(id)
        case .scheduleTaken(_, let file, let revision): takeSchedule(from: file, revision)
        case .scheduleRefused(let file):
            isScheduleRefused = true
            if let file { (scheduleFile, isImported) = (file, false) }
        case .unlocked(let id): progress[of: id].unlockedOn = day ?? moment.day
        case .started(let id, let pattern): start(id, pattern, at: moment)
        case .breathingBegan: beginBreathing(at: moment)
        case .breathingPaused: pauseBreathing(at: moment)
        case .guideLeft: loseGuide()
        case .breathed(let id, let breaths): count(breaths, for: id)
        case .exerciseRestarted(let id): restartExercise(id)
        case .exerciseFinished(let id): finishExercise(id, at: moment)
        case .joined: enter(.session, at: moment)
        case .left(let id): leave(id, at: moment)
        case .moodLogged(let id, let mood): logMood(mood, of: id, at: moment)
        case .moodCorrected(let id, let mood): progress[of: id].mood = mood
        case .noteWritten(let id, _): countNote(with: id)
        case .erased(let id): if let id { eraseWords(of: id) }
        case .talkingPointsErased: talkingPoints = 0
        case .completed(let id, let day): complete(id, on: day, at: moment)
        case .cancelled: flow = nil
        case .setAside: setAside()
        case .presenceTold(let presence): take(presence)
        case .snoozed(let until): mutedUntil = until
        case .snoozeEnded: endSnooze(at: moment)
        case .reminded(let reminder): note(reminder, at: moment)
        case .held(let reminder): hold(reminder)
        case .reminderSent(let id): unsent.removeAll { $0.reminder.id == id }
        case .missed: break
        case .linked(let practice, let device): link(practice, device)
        case .sharesChanged(let shares, let isPracticeTold): change(shares, isPracticeTold)
        case .reported(let through, _): link?.reported = through
        case .deviceRenewed(let device): renewDevice(device)
        case .newsHeard(let counts): hear(counts)
        case .unlinked: unlink()
        case .completedElsewhere(let id, let day): completeElsewhere(id, on: day, at: moment)
        }
        if wasAttended, flow?.isAttended(at: moment.instant) != true { settleReminders(through: moment.wall) }
    }
}
