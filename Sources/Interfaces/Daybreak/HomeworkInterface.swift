/// `org.daybreak.Homework` in Swift: each type, method and error of `org.daybreak.Homework.varlink`, by the same name
/// and with the same fields.
///
/// Days are ISO 8601 dates, instants RFC 3339 with offset, durations seconds.
public enum Homework {
    /// The interface's full name.
    public static let name = "org.daybreak.Homework"
}

extension Homework {
    public enum State: String, Codable, Sendable, CaseIterable {
        case locked, eligible, inProgress, completed, missed
    }

    public enum Phase: String, Codable, Sendable, CaseIterable {
        case inhale, hold, exhale, rest
    }

    public enum Stage: String, Codable, Sendable, CaseIterable {
        case exercise, waiting, session, mood
    }

    /// The kinds of reminder, as `DAYBREAK_KIND` spells them in the journal.
    public enum ReminderKind: String, Codable, Sendable, CaseIterable {
        case unlocked, stillOpen, overdue, providerAvailable, completed, missed, scheduleTaken, scheduleRefused
    }

    public struct Assignment: Codable, Equatable, Sendable {
        public var id: String
        public var due: String
        public var breaths: Int
        /// Whole breaths drawn so far; fewer than assigned where the session came first.
        public var breathsDone: Int
        /// How each breath goes, unless another pattern is asked for at the start.
        public var pattern: Pattern
        public var moods: [String]
        public var state: State
        /// Why it is in this state, as one sentence for people.
        public var reason: String
        public var changesAt: String?
        public var startedAt: String?
        public var completedAt: String?
        public var completedOn: String?
        public var mood: String?

        public init(
            id: String, due: String, breaths: Int, breathsDone: Int, pattern: Pattern, moods: [String], state: State,
            reason: String, changesAt: String? = nil, startedAt: String? = nil, completedAt: String? = nil,
            completedOn: String? = nil, mood: String? = nil
        ) {
            self.id = id
            self.due = due
            self.breaths = breaths
            self.breathsDone = breathsDone
            self.pattern = pattern
            self.moods = moods
            self.state = state
            self.reason = reason
            self.changesAt = changesAt
            self.startedAt = startedAt
            self.completedAt = completedAt
            self.completedOn = completedOn
            self.mood = mood
        }
    }

    /// What may be shown to anyone who looks over a shoulder: no mood, no choices, no name.
    public struct Summary: Codable, Equatable, Sendable {
        public var id: String
        public var due: String
        public var breaths: Int
        public var state: State
        public var reason: String
        public var changesAt: String?

        public init(id: String, due: String, breaths: Int, state: State, reason: String, changesAt: String? = nil) {
            self.id = id
            self.due = due
            self.breaths = breaths
            self.state = state
            self.reason = reason
            self.changesAt = changesAt
        }
    }

    /// Seconds of each phase of one breath.
    public struct Pattern: Codable, Equatable, Sendable {
        public var inhale: Double
        public var hold: Double
        public var exhale: Double
        public var rest: Double

        public init(inhale: Double, hold: Double, exhale: Double, rest: Double) {
            self.inhale = inhale
            self.hold = hold
            self.exhale = exhale
            self.rest = rest
        }
    }

    public struct Exercise: Codable, Equatable, Sendable {
        public var breaths: Int
        /// The breath that is being drawn, from 1.
        public var breath: Int
        public var pattern: Pattern
        public var phase: Phase
        public var phaseSeconds: Double
        /// As of the reply; stands still while paused.
        public var phaseElapsed: Double
        public var remainingSeconds: Double
        public var paused: Bool
        /// Somebody is being led through it now, by `Breathe`.
        public var guided: Bool

        public init(
            breaths: Int, breath: Int, pattern: Pattern, phase: Phase, phaseSeconds: Double, phaseElapsed: Double,
            remainingSeconds: Double, paused: Bool, guided: Bool
        ) {
            self.breaths = breaths
            self.breath = breath
            self.pattern = pattern
            self.phase = phase
            self.phaseSeconds = phaseSeconds
            self.phaseElapsed = phaseElapsed
            self.remainingSeconds = remainingSeconds
            self.paused = paused
            self.guided = guided
        }
    }

    public struct Flow: Codable, Equatable, Sendable {
        public var assignment: String
        public var stage: Stage
        /// When this stage began.
        public var since: String
        public var exercise: Exercise?
        public var mayJoin: Bool
        public var moodLogged: Bool

        public init(
            assignment: String, stage: Stage, since: String, exercise: Exercise? = nil, mayJoin: Bool, moodLogged: Bool
        ) {
            self.assignment = assignment
            self.stage = stage
            self.since = since
            self.exercise = exercise
            self.mayJoin = mayJoin
            self.moodLogged = moodLogged
        }
    }

    public struct Counts: Codable, Equatable, Sendable {
        public var completed: Int
        public var missed: Int
        public var open: Int
        public var locked: Int

        public init(completed: Int, missed: Int, open: Int, locked: Int) {
            self.completed = completed
            self.missed = missed
            self.open = open
            self.locked = locked
        }
    }

    /// What the status file holds.
    public struct Status: Codable, Equatable, Sendable {
        public var version: Int
        public var today: String
        /// When it ends; nil where that is the wall's midnight.
        public var dayEnds: String?
        public var timeZone: String
        /// When it came to be so.
        public var asOf: String
        public var nextUnlock: String?
        public var nextReminder: String?
        public var snoozedUntil: String?
        public var providerOnline: Bool
        public var eligible: Summary?
        public var flow: Flow?
        public var counts: Counts
        public var problem: String?

        public init(
            version: Int, today: String, dayEnds: String? = nil, timeZone: String, asOf: String,
            nextUnlock: String? = nil, nextReminder: String? = nil, snoozedUntil: String? = nil, providerOnline: Bool,
            eligible: Summary? = nil, flow: Flow? = nil, counts: Counts, problem: String? = nil
        ) {
            self.version = version
            self.today = today
            self.dayEnds = dayEnds
            self.timeZone = timeZone
            self.asOf = asOf
            self.nextUnlock = nextUnlock
            self.nextReminder = nextReminder
            self.snoozedUntil = snoozedUntil
            self.providerOnline = providerOnline
            self.eligible = eligible
            self.flow = flow
            self.counts = counts
            self.problem = problem
        }
    }

    public enum StepKind: String, Codable, Sendable, CaseIterable {
        case unlocked, started, breathingBegan, breathingPaused, guideLeft, breathed, exerciseRestarted
        case exerciseFinished, joined, left, moodLogged, moodCorrected, completed, cancelled, setAside
    }

    /// A step on the way through an assignment.
    public struct Step: Codable, Equatable, Sendable {
        public var at: String
        public var what: StepKind
        /// Whole breaths drawn by then.
        public var breaths: Int?
        /// The one that was started with.
        public var pattern: Pattern?
        public var mood: String?

        public init(at: String, what: StepKind, breaths: Int? = nil, pattern: Pattern? = nil, mood: String? = nil) {
            self.at = at
            self.what = what
            self.breaths = breaths
            self.pattern = pattern
            self.mood = mood
        }
    }

    /// Something to remember.
    public struct Note: Codable, Equatable, Sendable {
        public var at: String
        public var text: String
        /// The one it is kept with; nil where it was written for the next session.
        public var assignment: String?

        public init(at: String, text: String, assignment: String? = nil) {
            self.at = at
            self.text = text
            self.assignment = assignment
        }
    }

    public struct Reminder: Codable, Equatable, Sendable {
        public var id: String
        public var kind: ReminderKind
        public var at: String
        public var assignment: String?
        public var message: String

        public init(id: String, kind: ReminderKind, at: String, assignment: String? = nil, message: String) {
            self.id = id
            self.kind = kind
            self.at = at
            self.assignment = assignment
            self.message = message
        }
    }
}
