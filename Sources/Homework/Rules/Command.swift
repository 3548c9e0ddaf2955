public import Time

// The table of contents: every command, refusal and event, and the rule that carries it out or applies it.

/// A request to the rules, from a client, a provider, a file or the clock.
public enum Command: Hashable, Sendable {
    /// Finds everything that time has brought: a new day, finished breaths, reminders that are due. Every turn does this.
    case lookAtClock
    /// The daemon has just started; nobody is being guided any more.
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
    /// `file` is nil for an import by hand.
    case takeSchedule(Schedule, file: Fingerprint?)
    /// The schedule file could not be read.
    case refuseSchedule(file: Fingerprint?)
}

/// Why the rules refuse a command, with the facts that tell the client what to do next.
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
    case scheduleTaken(ScheduleChange, file: Fingerprint?)
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
}

extension Happening {
    /// The assignment that this event belongs to as a step of its flow; nil for all other events.
    public var step: AssignmentID? {
        switch self {
        case .unlocked(let id), .started(let id, _), .breathingBegan(let id), .breathingPaused(let id),
            .guideLeft(let id), .breathed(let id, _), .exerciseRestarted(let id), .exerciseFinished(let id),
            .joined(let id), .left(let id), .moodLogged(let id, _), .moodCorrected(let id, _), .completed(let id, _),
            .cancelled(let id), .setAside(let id):
            id
        case .noteWritten(let id, _), .erased(let id): id
        case .dayBegan, .dayTakenBack, .assigned, .revised, .moved, .withdrawn, .scheduleTaken, .scheduleRefused,
            .presenceTold, .snoozed, .snoozeEnded, .reminded, .held, .reminderSent:
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
        case .takeSchedule(let schedule, let file): take(schedule, from: file)
        case .refuseSchedule(let file): refuseSchedule(file)
        }
    }
}

extension Plan {
    /// The agenda must be settled after the last event.
    mutating func applyUnsettledEvent(_ event: Event) {
        let moment = event.moment
        let wasAttended = flow?.isAttended ?? false
        switch event.what {
        case .dayBegan(let day): begin(day, at: moment)
        case .dayTakenBack(let day): takeBack(to: day, at: moment)
        case .assigned(let assignment), .revised(let assignment): agenda.put(assignment)
        case .moved(let id, let position): move(id, to: position)
        case .withdrawn(let id): withdraw(id)
        case .scheduleTaken(_, let file): takeSchedule(from: file)
        case .scheduleRefused(let file):
            isScheduleRefused = true
            if let file { (scheduleFile, isImported) = (file, false) }
        case .unlocked(let id): progress[of: id].unlockedOn = day ?? moment.day
        case .started(let id, let pattern): start(id, pattern, at: moment)
        case .breathingBegan: beginBreathing(at: moment)
        case .breathingPaused: flow?.exercise.run = nil
        case .guideLeft: loseGuide()
        case .breathed(let id, let breaths): count(breaths, for: id)
        case .exerciseRestarted(let id): restartExercise(id)
        case .exerciseFinished(let id): finishExercise(id, at: moment)
        case .joined: enter(.session, at: moment)
        case .left(let id): leave(id, at: moment)
        case .moodLogged(let id, let mood), .moodCorrected(let id, let mood): progress[of: id].mood = mood
        case .noteWritten(let id, _): countNote(with: id)
        case .erased(let id): if let id { eraseMood(of: id) }
        case .completed(let id, let day): complete(id, on: day, at: moment)
        case .cancelled: flow = nil
        case .setAside: setAside()
        case .presenceTold(let told): tell(told)
        case .snoozed(let until): mutedUntil = until
        case .snoozeEnded: endSnooze(at: moment)
        case .reminded(let reminder): note(reminder, at: moment)
        case .held(let reminder): hold(reminder)
        case .reminderSent(let id): unsent.removeAll { $0.reminder.id == id }
        }
        if wasAttended, flow?.isAttended != true { settleReminders(through: moment.wall) }
    }
}
