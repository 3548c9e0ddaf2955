import DaybreakInterfaces
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

@Suite struct WordingTests {
    private static func failure(
        _ error: some ErrorReply, at path: String = "/run/user/7/daybreak/control"
    ) throws -> Failure {
        let reply = try Reply(frame: Array(Reply.frame(error: error).dropLast()))
        return Failure(reply, from: .daybreakd, at: path)
    }

    @Test func `a task that was given up goes on with the next start`() {
        let startedAt = #","startedAt":"2026-11-20T08:00:00+00:00""#
        #expect(
            ["", startedAt].map { Wording.outcome(Sample.assignment(also: $0)) } == [
                "The task of Friday 20 November 2026 is open; `daybreak start` begins it.",
                "The task of Friday 20 November 2026 is open; `daybreak start` goes on with it.",
            ])
    }

    @Test func `every refusal is one sentence with the next step`() throws {
        let said: [String] = try [
            Self.failure(Homework.Locked(assignment: "a", unlocksAt: "2026-11-21T00:00:00+01:00")),
            Self.failure(Homework.NotEligible(assignment: "a", eligible: "b", reason: "b comes first")),
            Self.failure(Homework.NothingEligible(nextUnlock: "2026-11-21T00:00:00+01:00")),
            Self.failure(Homework.NothingEligible()),
            Self.failure(Homework.AlreadyCompleted(assignment: "a", completedOn: "2026-11-19")),
            Self.failure(Homework.NoSuchAssignment(assignment: "x\u{1B}[2J")),
            Self.failure(Homework.NoFlow()),
            Self.failure(Homework.WrongStage(stage: "waiting", allowed: ["exercise", "session"])),
            Self.failure(Homework.NotGuided()),
            Self.failure(Homework.ProviderUnavailable()),
            Self.failure(Homework.MoodNotOffered(moods: ["calm", "tired", "glad"])),
            Self.failure(Homework.MoodAlreadyLogged()),
            Self.failure(Homework.NotCompleted(assignment: "a")),
            Self.failure(Homework.NotCompleted()),
            Self.failure(Homework.CannotAddNote(reason: "there is nothing in it.")),
            Self.failure(Homework.CannotSnooze(reason: "that is tomorrow")),
            Self.failure(
                Homework.InvalidPattern(reason: "There is no such pattern; there is box", patterns: [])),
            Self.failure(Homework.PatternStands(pattern: "4-4-4-4")),
            Self.failure(Homework.StorageUnavailable(reason: "disk full")),
            Self.failure(Service.RepliesUnread(bytes: 262_144)),
            Self.failure(Service.CallUnfinished(seconds: 30)),
            Self.failure(Homework.StorageUnavailable(reason: "disk broken", inDoubt: true)),
        ].map { (failure: Failure) in
            #expect(failure.status == 1)
            return failure.sentence
        }
        #expect(
            said == [
                "This task is still locked: it unlocks Saturday 21 November 2026 at 00:00.",
                "This task cannot be started now. B comes first. `daybreak start` takes up the one that is open.",
                "There is no task to do now; the next one unlocks Saturday 21 November 2026 at 00:00.",
                "There is no task to do now, and none is scheduled after it.",
                "This task was completed already, on Thursday 19 November 2026.",
                "There is no task named “x[2J”; `daybreak list --all` shows the names.",
                "No task is in progress; `daybreak start` begins one.",
                "This is not possible now: it belongs to the exercise or the session, and the task is at the wait room. "
                    + "`daybreak start` goes on from there.",
                "Nobody is being led through the exercise now; "
                    + "`daybreak start` or `daybreak breathe` goes on with it.",
                "The provider is not available now; `daybreak start` goes on with the task, and says when they are.",
                "That mood is not among this task's choices; type one of them, or its number:\n  1 calm\n  2 tired\n  3 glad",
                "The mood of this task is logged already. `daybreak mood --correct WORD` changes it.",
                "This task has no mood yet that could be corrected.",
                "No mood is logged yet, so there is none to correct.",
                "The note was not kept. There is nothing in it.",
                "The reminders were not muted. That is tomorrow.",
                "There is no such pattern; there is box.",
                "The exercise was begun with the pattern 4-4-4-4, and goes on with it. "
                    + "`daybreak start` without a pattern goes on.",
                "Nothing was changed, because the history cannot be written. Disk full. "
                    + "`daybreak doctor` tells more.",
                "daybreakd stopped telling more, because too much of it was not read; run this again to go on.",
                "daybreakd did not receive the rest of the call in time; run this again.",
                "It is not known whether this was kept, because the history could not be written to the end. "
                    + "Disk broken. `daybreak doctor` tells more.",
            ])
    }

    @Test func `an invalid parameter is misuse, not a refusal`() throws {
        let failure = try Self.failure(InvalidParameter(parameter: "since"))
        #expect(failure.status == 64)
        #expect(
            failure.sentence
                == "daybreakd cannot make sense of what was given for “since”; write a day (2026-11-20, yesterday, a weekday), "
                + "a length up to now (1h30m) or an instant with its offset (2026-11-20T18:00+01:00)."
        )
    }

    @Test func `a schedule's fault is spelled as an editor finds it`() throws {
        let error = Homework.InvalidSchedule(line: 3, column: 9, entry: 2, reason: "no moods")
        #expect(Schedule.text(error, file: "my tasks.json") == "my tasks.json:3:9: entry 2: no moods")
        let whole = Homework.InvalidSchedule(line: 1, column: 1, reason: "not JSON")
        #expect(Schedule.text(whole, file: "t") == "t:1:1: not JSON")
    }

    @Test func `an unknown method is our fault, not the client's`() throws {
        #expect(try Self.failure(MethodNotFound(method: "org.daybreak.Homework.List")).status == 70)
        #expect(try Self.failure(InterfaceNotFound(interface: "org.daybreak.Service")).status == 70)
    }

    @Test func `advice to a client of a system service names that service`() throws {
        let socket = "/run/daybreak/client/control"
        #expect(
            Failure.noDaemon(.daybreakd, at: socket, why: "it hung up").sentence == """
                daybreakd cannot be reached at \(socket): it hung up.
                Start it with `systemctl restart daybreakd@client`. `daybreak doctor` tells what is wrong if it does not start.
                """)
        #expect(
            try Self.failure(MethodNotFound(method: "Read"), at: socket).sentence.hasSuffix(
                "`systemctl restart daybreakd@client` starts the installed one."))
    }

    @Test func `programs get an error by its name`() throws {
        let failure = try Self.failure(Homework.MoodNotOffered(moods: ["calm"]))
        #expect(failure.json == #"{"error":"org.daybreak.Homework.MoodNotOffered","parameters":{"moods":["calm"]}}"#)
        #expect(
            Failure.noDaemon(.daybreakd, at: "/run/x", why: "it \"sleeps\"").json == #"""
                {"error":"NoDaemon","parameters":{"reason":"daybreakd cannot be reached at /run/x: it \"sleeps\".\nStart it with `systemctl --user restart daybreakd.socket`; where no user manager runs, with `daybreakd &`. `daybreak doctor` tells what is wrong if it does not start."}}
                """#)
    }

    @Test func `the status is written as lines`() {
        #expect(
            Wording.status(Sample.eligible(Sample.status()), ink: .plain) == """
                Friday 20 November 2026 · Europe/Berlin
                  Task      the one of today is open: `daybreak start`
                  Next      unlocks tomorrow at 00:00
                  Reminder  today at 18:00
                  Provider  not available
                  Tasks     35 completed, 2 missed, 1 open, 12 locked

                """)
        var busy = Sample.status(Sample.flow("waiting", mayJoin: true), online: true)
        busy.snoozedUntil = "2026-11-20T18:00:00+01:00"
        busy.problem = "the disk is full"
        busy.nextUnlock = nil
        #expect(
            Wording.status(busy, ink: .plain) == """
                Friday 20 November 2026 · Europe/Berlin
                  Task      You are in the wait room, and the provider is available: `daybreak join`.
                  Reminder  18:00, snoozed until then
                  Provider  available
                  Tasks     35 completed, 2 missed, 1 open, 12 locked
                  Problem   The disk is full.

                """)
        busy.nextReminder = "2026-11-21T09:00:00+01:00"
        #expect(
            Wording.status(busy, ink: .plain).contains("  Reminder  tomorrow at 09:00; snoozed until 18:00\n"))
        busy.nextReminder = nil
        #expect(Wording.status(busy, ink: .plain).contains("  Reminder  snoozed until 18:00\n"))
    }

    @Test func `each stage of a flow is written in words`() {
        let flows = [
            Sample.flow(), Sample.flow(exercise: Sample.exercise(breath: 3, paused: true), mayJoin: true),
            Sample.flow("waiting"), Sample.flow("waiting", moodLogged: true), Sample.flow("session"),
            Sample.flow("mood"),
        ]
        #expect(
            flows.map { Wording.standing(of: $0, today: "2026-11-20") } == [
                "The exercise is at breath 1 of 5, 0:50 left.",
                "The exercise is paused at breath 3 of 5: `daybreak resume` goes on with that breath. "
                    + "The provider is available: `daybreak join`, or finish first.",
                "You have been in the wait room since 14:03; `daybreak mood` can be logged already.",
                "You have been in the wait room since 14:03.",
                "You have been in the session since 14:03; `daybreak leave` ends it.",
                "Only the mood is missing: `daybreak mood` lists the choices.",
            ])
    }

    @Test func `reminders are sorted by days, also when they come one by one`() {
        let reminders: [Homework.Reminder] = Sample.decode(
            """
            [{"id":"1","kind":"missed","at":"2026-11-19T00:00:00+01:00","message":"A task was missed."},
             {"id":"2","kind":"unlocked","at":"2026-11-20T00:00:00+01:00","message":"A task is open."},
             {"id":"3","kind":"stillOpen","at":"2026-11-20T09:00:00+01:00","message":"Still open.\\u001b"}]
            """)
        var day = ""
        let first = Reminders.text(Array(reminders[..<2]), after: &day, ink: .plain)
        let then = Reminders.text(Array(reminders[2...]), after: &day, ink: .plain)
        #expect(
            first + then == """
                Thursday 19 November 2026
                  00:00  A task was missed.

                Friday 20 November 2026
                  00:00  A task is open.
                  09:00  Still open.

                """)
    }

    @Test func `an import prints its changes, or those that it would make`() {
        let reply = Homework.Import.Reply(added: 2, changed: 0, withdrawn: 1, unchanged: 40, kept: 1)
        #expect(
            Schedule.text(reply, dryRun: false)
                == "The schedule was taken in: 2 added, 1 withdrawn, 1 kept, because it was started or missed, 40 unchanged."
        )
        let beside = Homework.Import.Reply(
            added: 1, changed: 0, withdrawn: 0, unchanged: 0, kept: 0, fileDiffers: true)
        #expect(
            Schedule.text(beside, dryRun: false)
                == """
                The schedule was taken in: 1 added.
                tasks.json still has another text: a restart or `daybreak reload` leaves it alone; once it is saved with a \
                change, it takes the place of what was imported.
                """)
        let two = Homework.Import.Reply(added: 0, changed: 0, withdrawn: 0, unchanged: 0, kept: 2)
        #expect(
            Schedule.text(two, dryRun: false)
                == "The schedule was taken in: 2 kept, because they were started or missed.")
        let none = Homework.Import.Reply(added: 0, changed: 0, withdrawn: 0, unchanged: 0, kept: 0)
        #expect(
            Schedule.text(none, dryRun: true) == "The schedule is good. It would mean: no tasks in it.")
    }

    @Test func `the presence is written in words`() {
        var reply = Sample.provider
        reply.until = "2026-11-20T23:00:00+01:00"
        #expect(ProviderVerb.text(reply, today: "2026-11-20") == "Dr. Amsel is available, until 23:00 unless renewed.")
        let away = Provider.Presence.Reply(online: false)
        #expect(ProviderVerb.text(away) == "The provider is not available now.")
    }
}
