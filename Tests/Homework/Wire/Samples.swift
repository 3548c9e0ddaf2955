import HomeworkRules
import Time
import Varlink

@testable import DaybreakInterfaces
@testable import HomeworkWire

// Every type that goes over the socket, once with all it can hold and once with only what it must.
extension Homework {
    static let fullAssignment = Assignment(
        id: "1", due: "2027-03-05", breaths: 5, breathsDone: 5, pattern: box, moods: ["calm", "tired"],
        state: .completed,
        reason: "Because.", changesAt: "2027-03-06T00:00:00+01:00", startedAt: "2027-03-05T09:00:00+01:00",
        completedAt: "2027-03-05T10:00:00+01:00", completedOn: "2027-03-05", mood: "calm")
    static let minimalAssignment = Assignment(
        id: "1", due: "2027-03-05", breaths: 5, breathsDone: 0, pattern: box, moods: ["calm"], state: .locked,
        reason: "Because.")
    private static let box = Pattern(inhale: 4, hold: 4, exhale: 4, rest: 4)

    static let fullExplanation = Explanation(
        assignment: fullAssignment, rule: "A rule.",
        settings: [Setting(name: "day.grace_days", value: "7", file: "daybreak.toml", line: 3)], becomes: .missed,
        reminding: Reminding(
            rule: "Another.", settings: [Setting(name: "reminders.quiet", value: "", file: "daybreak.toml", line: 4)],
            next: "2027-03-06T00:00:00+01:00"))
    static let minimalExplanation = Explanation(
        assignment: minimalAssignment, rule: "A rule.",
        settings: [Setting(name: "day.grace_days", value: "7", file: "daybreak.toml", line: nil)], becomes: nil)

    static let fullSummary = Summary(
        id: "1", due: "2027-03-05", breaths: 5, state: .eligible, reason: "Because.",
        changesAt: "2027-03-06T00:00:00+01:00")
    static let minimalSummary = Summary(id: "1", due: "2027-03-05", breaths: 5, state: .eligible, reason: "Because.")

    static let exercise = Exercise(
        breaths: 5, breath: 2, pattern: Pattern(inhale: 4.5, hold: 0.5, exhale: 5.5, rest: 0), phase: .exhale,
        phaseSeconds: 5.5, phaseElapsed: 1.25, remainingSeconds: 30.75, paused: false, guided: true)

    static let fullFlow = Flow(
        assignment: "1", stage: .exercise, since: "2027-03-05T09:00:00+01:00", exercise: exercise, mayJoin: true,
        moodLogged: false)
    static let minimalFlow = Flow(
        assignment: "1", stage: .session, since: "2027-03-05T09:00:00+01:00", mayJoin: false, moodLogged: true)

    static let counts = Counts(completed: 1, missed: 2, open: 1, locked: 3)
    static let fullStatus = Status(
        version: 1, today: "2027-03-05", dayEnds: "2027-03-06T04:00:00+01:00", timeZone: "Europe/Berlin",
        asOf: "2027-03-05T09:00:00+01:00", nextUnlock: "2027-03-06T00:00:00+01:00",
        nextReminder: "2027-03-05T18:00:00+01:00",
        snoozedUntil: "2027-03-05T17:00:00+01:00", providerOnline: true, eligible: fullSummary, flow: fullFlow,
        counts: counts, problem: "The history cannot be written.")
    static let minimalStatus = Status(
        version: 1, today: "2027-03-05", timeZone: "Europe/Berlin", asOf: "2027-03-05T09:00:00+01:00",
        providerOnline: false, counts: counts)

    static let fullStep = Step(
        at: "2027-03-05T18:00:00+01:00", what: .breathed, breaths: 3,
        pattern: Pattern(inhale: 4.5, hold: 0.5, exhale: 5.5, rest: 0.5), mood: "calm")
    static let minimalStep = Step(at: "2027-03-05T18:00:00+01:00", what: .joined)

    static let fullNote = Note(at: "2027-03-05T18:00:00+01:00", text: "A note.", assignment: "1")
    static let minimalNote = Note(at: "2027-03-05T18:00:00+01:00", text: "A note.")

    static let fullReminder = Reminder(
        id: "r", kind: .stillOpen, at: "2027-03-05T18:00:00+01:00", assignment: "1", message: "A message.")
    static let minimalReminder = Reminder(
        id: "r", kind: .scheduleTaken, at: "2027-03-05T18:00:00+01:00", message: "A message.")
}

/// A method in Swift: calls and replies, the first of each with all that it can hold, the second with what it must.
struct MethodSample {
    let name: String
    let calls: [any Encodable]
    let replies: [any Encodable]

    init<M: Method & Equatable>(_ full: M, _ minimal: M, _ fullReply: M.Reply, _ minimalReply: M.Reply) {
        name = M.name
        calls = [full, minimal]
        replies = [fullReply, minimalReply]
    }

    static var all: [MethodSample] {
        homework + provider + service
    }

    private static var service: [MethodSample] {
        var liked = Service.Preferences()
        liked.soundCommand = ["paplay"]
        return [
            MethodSample(Service.Reload(), .init(), .init(), .init()),
            MethodSample(
                Service.Diagnose(), .init(),
                .init(history: "It is damaged.", configuration: "No.", schedule: "No."), .init()),
            MethodSample(
                Service.GetPreferences(), .init(), .init(preferences: liked), .init(preferences: .init())),
            MethodSample(Service.Backup(), .init(), .init(file: "f"), .init(file: "f")),
            MethodSample(Service.Export(), .init(), .init(file: "f"), .init(file: "f")),
            MethodSample(Service.GetStorage(), .init(), .init(folder: "f"), .init(folder: "f")),
            MethodSample(
                Service.Restore(file: "f"), .init(file: "f"), .init(events: 1, kept: "k"),
                .init(events: 1, kept: "k")),
            MethodSample(Service.Erase(assignment: "1"), .init(assignment: "1"), .init(), .init()),
            MethodSample(Service.EraseEverything(), .init(), .init(), .init()),
        ]
    }

    private static var homework: [MethodSample] {
        let full = Homework.FlowReply(flow: Homework.fullFlow)
        let minimal = Homework.FlowReply(flow: Homework.minimalFlow)
        let fullStep = Homework.StepReply(flow: Homework.fullFlow, assignment: Homework.fullAssignment)
        let minimalStep = Homework.StepReply(assignment: Homework.minimalAssignment)
        let fullOne = Homework.AssignmentReply(assignment: Homework.fullAssignment)
        let minimalOne = Homework.AssignmentReply(assignment: Homework.minimalAssignment)
        let fullStatus = Homework.StatusReply(status: Homework.fullStatus)
        let minimalStatus = Homework.StatusReply(status: Homework.minimalStatus)
        let change = Homework.ImportReply(added: 1, changed: 2, withdrawn: 3, unchanged: 4, kept: 5)
        let unlikeFile = Homework.ImportReply(
            added: 1, changed: 2, withdrawn: 3, unchanged: 4, kept: 5, fileDiffers: true)
        return [
            MethodSample(
                Homework.List(all: true, day: "2027-03-05"), .init(),
                .init(
                    today: "2027-03-05", dayEnds: "2027-03-06T04:00:00+01:00", assignments: [Homework.fullAssignment],
                    earlier: 1, later: 2),
                .init(today: "2027-03-05", assignments: [Homework.minimalAssignment], earlier: 0, later: 0)),
            MethodSample(Homework.Get(assignment: "1"), .init(assignment: "1"), fullOne, minimalOne),
            MethodSample(
                Homework.Explain(task: "today"), .init(), .init(explanations: [Homework.fullExplanation]),
                .init(explanations: [Homework.minimalExplanation])),
            MethodSample(
                Homework.Show(assignment: "1"), .init(assignment: "1"),
                .init(assignment: Homework.fullAssignment, steps: [Homework.fullStep], notes: [Homework.fullNote]),
                .init(
                    assignment: Homework.minimalAssignment, steps: [Homework.minimalStep], notes: [Homework.minimalNote]
                )),
            MethodSample(Homework.GetStatus(), .init(), fullStatus, minimalStatus),
            MethodSample(Homework.Start(assignment: "1", pattern: "box"), .init(), full, minimal),
            MethodSample(
                Homework.GetPattern(pattern: "box"), .init(pattern: "4-0-6-0"), .init(pattern: Homework.Pattern(.box)),
                .init(pattern: Homework.Pattern(.calm))),
            MethodSample(Homework.Breathe(), .init(), full, minimal),
            MethodSample(Homework.Pause(), .init(), full, minimal),
            MethodSample(Homework.Resume(), .init(), full, minimal),
            MethodSample(Homework.Restart(), .init(), full, minimal),
            MethodSample(Homework.Join(), .init(), full, minimal),
            MethodSample(Homework.Leave(), .init(), fullStep, minimalStep),
            MethodSample(Homework.LogMood(mood: "calm"), .init(mood: "calm"), fullStep, minimalStep),
            MethodSample(
                Homework.CorrectMood(mood: "calm", assignment: "1"), .init(mood: "calm"), fullOne, minimalOne),
            MethodSample(Homework.Cancel(), .init(), fullOne, minimalOne),
            MethodSample(Homework.Snooze(until: "30m"), .init(until: "18:00"), fullStatus, minimalStatus),
            MethodSample(Homework.EndSnooze(), .init(), fullStatus, minimalStatus),
            MethodSample(Homework.Import(schedule: "[]", dryRun: true), .init(schedule: "[]"), unlikeFile, change),
            MethodSample(
                Homework.Reminders(since: "2027-03-05", limit: 7), .init(),
                .init(reminders: [Homework.fullReminder]), .init(reminders: [Homework.minimalReminder])),
            MethodSample(
                Homework.AddNote(text: "A note.", assignment: "1", nextSession: false), .init(text: "A note."),
                .init(note: Homework.fullNote), .init(note: Homework.minimalNote)),
            MethodSample(
                Homework.Notes(assignment: "1"), .init(), .init(notes: [Homework.fullNote]),
                .init(notes: [Homework.minimalNote])),
        ]
    }

    private static var provider: [MethodSample] {
        [
            MethodSample(
                Provider.SetPresence(online: true, name: "N", forSeconds: 60), .init(online: false), .init(),
                .init()),
            MethodSample(
                Provider.Presence(), .init(),
                .init(online: true, name: "N", until: "2027-03-05T09:00:00+01:00", link: "https://meet.example.org"),
                .init(online: false)),
        ]
    }
}

/// An error in Swift, with all that it can hold and with what it must.
struct ErrorSample {
    let name: String
    let errors: [any Encodable]

    init<E: ErrorReply>(_ full: E, _ minimal: E) {
        name = E.name
        errors = [full, minimal]
    }

    /// One that must hold all that it can.
    init<E: ErrorReply>(_ error: E) { self.init(error, error) }

    static var all: [ErrorSample] {
        return [
            ErrorSample(Homework.Locked(assignment: "1", unlocksAt: "2027-03-06T00:00:00+01:00")),
            ErrorSample(
                Homework.NotEligible(assignment: "1", eligible: "2", reason: "Because."),
                .init(assignment: "1", reason: "Because.")),
            ErrorSample(Homework.NothingEligible(nextUnlock: "2027-03-06T00:00:00+01:00"), .init()),
            ErrorSample(Homework.AlreadyCompleted(assignment: "1", completedOn: "2027-03-05")),
            ErrorSample(Homework.NoSuchAssignment(assignment: "1")), ErrorSample(Homework.NoFlow()),
            ErrorSample(Homework.WrongStage(stage: "mood", allowed: ["session"])), ErrorSample(Homework.NotGuided()),
            ErrorSample(Homework.ProviderUnavailable()), ErrorSample(Homework.MoodNotOffered(moods: ["calm"])),
            ErrorSample(Homework.MoodAlreadyLogged()), ErrorSample(Homework.NotCompleted(assignment: "1"), .init()),
            ErrorSample(Homework.CannotAddNote(reason: "Because.")),
            ErrorSample(Homework.CannotSnooze(reason: "Because.")),
            ErrorSample(Homework.InvalidPattern(reason: "Because.", patterns: ["box"])),
            ErrorSample(Homework.PatternStands(pattern: "4-4-4-4")),
            ErrorSample(
                Homework.InvalidSchedule(line: 1, column: 2, entry: 3, reason: "Because."),
                .init(line: 1, column: 2, reason: "Because.")),
            ErrorSample(
                Homework.StorageUnavailable(reason: "Because.", inDoubt: true), .init(reason: "Because.")),
            ErrorSample(Service.CannotRestore(reason: "Because.")),
            ErrorSample(
                Service.InvalidConfiguration(file: "f", line: 1, reason: "Because."),
                .init(file: "f", reason: "Because.")),
            ErrorSample(Service.RepliesUnread(bytes: 1)),
            ErrorSample(Service.CallUnfinished(seconds: 1)),
        ]
    }
}
