import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct WalkTests {
    @Test func `a client led in another terminal reads that Enter takes the exercise over`() {
        func said(guided: Bool) -> [String] {
            let status = Sample.status(Sample.flow(), guided: guided)
            let walk = Walk(status: status, assignment: Sample.assignment("inProgress"))
            return [Wording.Guided.title(walk)] + Wording.Guided.paragraphs(walk)
        }
        #expect(
            said(guided: true) == ["Under way", "You are being led in another terminal; Enter takes it over here."])
        #expect(
            said(guided: false) == [
                "Welcome back", "The exercise waits where you left it, at breath 1 of 5.",
                "Sit comfortably, and go on when you are ready.",
            ])
    }

    @Test func `the walk goes from the instructions to the completed task`() {
        var walk = Sample.walk()
        #expect(walk.page == .instructions)
        #expect(walk.take(.key(.enter)) == [.call(.start)])
        #expect(walk.take(.answered(.start, .flow(Sample.flow()), at: 0)) == [.breathe])
        #expect(walk.page == .exercise)
        #expect(walk.take(.guided(Sample.flow(), at: 0)) == [])
        #expect(walk.take(.guidingEnded(Sample.flow("waiting"), at: 50)) == [.call(.notes)])
        #expect(walk.page == .exerciseDone)
        walk.isSeen()
        #expect(walk.take(.key(.space)) == [])
        #expect(walk.page == .waitRoom)
        #expect(walk.take(.status(Sample.status(Sample.flow("waiting", mayJoin: true), online: true))) == [])
        #expect(walk.take(.key(.character("j"))) == [.call(.join)])
        #expect(
            walk.take(.answered(.join, .flow(Sample.flow("session")), at: 60)) == [.call(.presence), .call(.notes)])
        #expect(walk.page == .session)
        #expect(walk.take(.answered(.presence, .presence(Sample.provider), at: 60)) == [])
        #expect(walk.take(.key(.character("o"))) == [.open("https://meet.example.org/amsel")])
        #expect(walk.take(.key(.character("l"))) == [])
        #expect(walk.question == .leaveSession)
        #expect(walk.take(.key(.character("y"))) == [.call(.leave)])
        let step = Walk.Answer.step(Sample.flow("mood"), Sample.assignment("inProgress"))
        #expect(walk.take(.answered(.leave, step, at: 70)) == [])
        #expect(walk.page == .mood(0))
        #expect(walk.take(.key(.down)) == [])
        #expect(walk.take(.key(.enter)) == [])
        #expect(walk.question == .logMood("tired"))
        #expect(walk.take(.key(.enter)) == [.call(.logMood("tired"))])
        let done = Walk.Answer.step(nil, Sample.assignment("completed", also: #","mood":"tired""#))
        #expect(walk.take(.answered(.logMood("tired"), done, at: 80)) == [])
        #expect(walk.page == .completed)
        #expect(walk.take(.key(.space)) == [.end(.completed)])
    }

    /// A terminal that is left open over midnight, or while the provider saves another schedule.
    @Test func `the instructions go over to the task that is open, and a key is not meant for it before it was seen`() {
        var walk = Sample.walk()
        var status = Sample.status()
        status.eligible = .init(id: "2026-11-21", due: "2026-11-21", breaths: 7, state: .eligible, reason: "")
        #expect(walk.take(.status(status)) == [.call(.turn("2026-11-21"))])
        #expect(walk.take(.key(.enter)) == [])
        let next = Walk.Answer.assignment(Sample.assignment(due: "2026-11-21", breaths: 7))
        #expect(walk.take(.answered(.turn("2026-11-21"), next, at: 0)) == [])
        #expect(walk.assignment.breaths == 7)
        #expect(walk.take(.key(.enter)) == [])
        walk.isSeen()
        #expect(walk.take(.key(.enter)) == [.call(.start)])
    }

    /// Ctrl-Z, and `fg` after the task was done and another was begun in another terminal.
    @Test(arguments: ["exercise", "waiting", "session", "mood"])
    func `a task that was begun while this program stood still is not taken for its own`(stage: String) {
        var walk = Sample.walk(Sample.flow("waiting"))
        var other = Sample.flow(stage)
        other.assignment = "2026-11-19"
        #expect(walk.take(.status(Sample.status(other))) == [.call(.get("2026-11-20"))])
        #expect(walk.page == .waitRoom)
        let done = Walk.Answer.step(nil, Sample.assignment("completed", also: #","mood":"tired""#))
        #expect(walk.take(.answered(.get("2026-11-20"), done, at: 0)) == [])
        #expect(walk.page == .completed)
    }

    @Test func `a start that is refused because a day has begun goes over to the open task`() {
        var walk = Sample.walk()
        var status = Sample.status()
        status.eligible = .init(id: "2026-11-21", due: "2026-11-21", breaths: 5, state: .eligible, reason: "")
        #expect(walk.take(.key(.enter)) == [.call(.start)])
        #expect(walk.take(.status(status)) == [])
        #expect(walk.take(.refused(.start, "It waits.")) == [.call(.turn("2026-11-21"))])
    }

    @Test func `an available provider leads straight into the session`() {
        var walk = Sample.walk(online: true)
        _ = walk.take(.key(.space))
        #expect(
            walk.take(.answered(.start, .flow(Sample.flow("session")), at: 0)) == [.call(.presence), .call(.notes)])
        #expect(walk.page == .session)
    }

    @Test(arguments: [false, true])
    func `the page before a task that was begun and given up promises no step that may be done`(brief: Bool) {
        let startedAt = #","startedAt":"2026-11-20T08:00:00+00:00""#
        let walk = Walk(status: Sample.status(), assignment: Sample.assignment(also: startedAt))
        #expect(
            Wording.Guided.paragraphs(walk, brief: brief)
                == ["You began this task before. It goes on where you left it, and what you did then counts."])
    }

    @Test
    func `the page explains the breathing even if the provider is still there from the session before`() {
        func first(startsWithSession: Bool?) -> String? {
            var status = Sample.status(online: true)
            status.startsWithSession = startsWithSession
            let walk = Walk(status: status, assignment: Sample.assignment())
            return Wording.Guided.paragraphs(walk, brief: true).first
        }
        #expect(
            first(startsWithSession: true) == "The provider is available now, so this goes straight into the session.")
        #expect(first(startsWithSession: nil)?.hasPrefix("5 breaths, slowly.") == true)
    }

    @Test(arguments: [
        ("exercise", Walk.Page.instructions), ("waiting", .waitRoom), ("session", .session), ("mood", .mood(0)),
    ])
    func `the walk begins on the page of the flow's stage`(_ stage: String, _ page: Walk.Page) {
        #expect(Sample.walk(Sample.flow(stage)).page == page)
    }

    @Test func `a mood logged in the wait room leads back there, and leaving the session completes the task`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        _ = walk.take(.key(.character("m")))
        #expect(walk.page == .mood(0))
        _ = walk.take(.key(.character("h")))
        #expect(walk.page == .mood(2))
        _ = walk.take(.key(.enter))
        #expect(walk.take(.key(.enter)) == [.call(.logMood("hopeful"))])
        let logged = Walk.Answer.step(
            Sample.flow("waiting", moodLogged: true), Sample.assignment("inProgress", also: #","mood":"hopeful""#))
        _ = walk.take(.answered(.logMood("hopeful"), logged, at: 0))
        #expect(walk.page == .waitRoom)
        #expect(walk.notice == "The mood is logged.")
        #expect(walk.take(.key(.character("m"))) == [])
        #expect(walk.page == .waitRoom)
    }

    @Test func `an open choice of moods closes when the mood is logged in another program`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        for key in [Key.character("m"), .enter] { _ = walk.take(.key(key)) }
        #expect(walk.question == .logMood("calm"))
        #expect(walk.take(.status(Sample.status(Sample.flow("waiting", moodLogged: true)))) == [.call(.notes)])
        #expect(walk.page == .waitRoom && walk.question == nil)
        #expect(walk.notice == "The mood was logged in another program.")
    }

    @Test func `a mood that was logged without an answer is not said to be another program's`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        for key in [Key.character("m"), .enter, .enter] { _ = walk.take(.key(key)) }
        #expect(walk.daemon == .asked(.logMood("calm")))
        for input in [Walk.Input.gone, .back] { _ = walk.take(input) }
        #expect(walk.take(.status(Sample.status(Sample.flow("waiting", moodLogged: true)))) == [.call(.notes)])
        #expect(walk.page == .waitRoom && walk.notice == "The mood is logged.")
    }

    @Test func `notes for which a page has no room are counted`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        func said() -> String? { Wording.Guided.paragraphs(walk).last }
        walk.notes = ["one", "two\nlines", "three"]
        #expect(said() == "Your notes for the session: “one” · “two lines” · “three”")
        walk.notes = [String(repeating: "x", count: 200), "two", String(repeating: "y", count: 80), "four"]
        let first = String(repeating: "x", count: 159)
        #expect(said() == "Your notes for the session: “\(first)…” · “two” · and 2 more: `daybreak notes`")
        walk.presentation.isPlain = true
        #expect(said()?.hasSuffix("y” · “four”") == true)
    }

    @Test func `space pauses and resumes, and r asks before it restarts`() {
        var walk = Sample.breathing()
        #expect(walk.take(.key(.space)) == [.call(.pause)])
        #expect(walk.take(.key(.space)) == [])  // The answer is still on its way.
        let paused = Sample.flow(exercise: Sample.exercise(paused: true))
        _ = walk.take(.answered(.pause, .flow(paused), at: 1))
        #expect(walk.isPaused)
        #expect(!walk.isBreathing)
        #expect(walk.take(.key(.space)) == [.call(.resume)])
        _ = walk.take(.answered(.resume, .flow(Sample.flow()), at: 2))
        #expect(walk.take(.key(.character("r"))) == [])
        #expect(walk.take(.key(.character("n"))) == [])
        #expect(walk.question == nil)
        _ = walk.take(.key(.character("r")))
        #expect(walk.take(.key(.character("y"))) == [.call(.restart)])
    }

    @Test func `j joins in the middle of the exercise once the provider is available`() {
        var walk = Sample.breathing()
        #expect(walk.take(.key(.character("j"))) == [])
        _ = walk.take(.status(Sample.status(Sample.flow(mayJoin: true), online: true)))
        #expect(walk.page == .exercise)
        #expect(walk.take(.key(.character("j"))) == [.call(.join)])
        let joined = walk.take(.answered(.join, .flow(Sample.flow("session")), at: 3))
        #expect(joined == [.stopBreathing, .call(.presence), .call(.notes)])
        #expect(walk.page == .session)
    }

    @Test func `a status does not move the breath`() {
        var walk = Sample.breathing()
        let late = Sample.flow(exercise: Sample.exercise(breath: 4, elapsed: 3))
        _ = walk.take(.status(Sample.status(late)))
        #expect(walk.pace?.exercise.breath == 1)
    }

    @Test func `a status from before the start does not end the walk`() {
        var walk = Sample.walk()
        _ = walk.take(.key(.enter))
        #expect(walk.take(.status(Sample.status())) == [])
        #expect(walk.take(.answered(.start, .flow(Sample.flow()), at: 0)) == [.breathe])
        #expect(walk.take(.status(Sample.status())) == [])
        #expect(walk.take(.status(Sample.status(Sample.flow()))) == [])
        #expect(walk.take(.status(Sample.status())) == [.call(.get("2026-11-20"))])
    }

    @Test func `the page follows the flow, also when another program moves it`() {
        var walk = Sample.walk(Sample.flow("waiting", mayJoin: true))
        #expect(
            walk.take(.status(Sample.status(Sample.flow("session"), online: true))) == [
                .call(.presence), .call(.notes),
            ])
        #expect(walk.page == .session)
        #expect(walk.take(.status(Sample.status(Sample.flow("mood")))) == [])
        #expect(walk.page == .mood(0))
        #expect(walk.take(.status(Sample.status())) == [.call(.get("2026-11-20"))])
        let given = Walk.Answer.step(nil, Sample.assignment("eligible"))
        #expect(walk.take(.answered(.get("2026-11-20"), given, at: 0)) == [.end(.notInProgress)])
    }

    @Test(arguments: [
        (
            "missed", #"{"kind":"missed","day":"2026-11-21"}"#,
            "The task is not in progress any more. Its days were over after Saturday 21 November 2026. What was done is kept."
        ),
        (
            "locked", #"{"kind":"behindAnother","day":"2026-11-23","first":"2026-11-22"}"#,
            "The task is not in progress any more. "
                + "Task 2026-11-22 comes first; this one can be done through Monday 23 November 2026. What was done is kept."
        ),
        (
            "eligible", #"{"kind":"late","day":"2026-11-23"}"#,
            "The task is not in progress any more: it was set aside as the day began, or given up elsewhere. "
                + "Its day is over; it can still be done through Monday 23 November 2026. `daybreak start` begins it again."
        ),
        (
            "eligible", #"{"kind":"today","day":"2026-11-21"}"#,
            "The task is not in progress any more: it was given up elsewhere, or another history was restored. "
                + "`daybreak start` begins it again."
        ),
    ])
    func `a task that is not in progress any more is told by its state`(state: String, cause: String, said: String) {
        var walk = Sample.walk(Sample.flow("waiting"))
        #expect(walk.take(.status(Sample.status())) == [.call(.get("2026-11-20"))])
        let given = Walk.Answer.step(nil, Sample.assignment(state, also: ",\"cause\":\(cause)"))
        #expect(walk.take(.answered(.get("2026-11-20"), given, at: 0)) == [.end(.notInProgress)])
        #expect(Wording.Guided.ending(.notInProgress, of: walk) == said)
    }

    @Test func `a task that was erased in another window ends the walk`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        #expect(walk.take(.status(Sample.status())) == [.call(.get("2026-11-20"))])
        #expect(walk.take(.erased) == [.end(.erased)])
        #expect(walk.take(.status(Sample.status())) == [])
        #expect(
            Wording.Guided.ending(.erased, of: walk)
                == "The task is gone: it was erased elsewhere, or another history was restored. `daybreak` shows what there is now."
        )
    }

    @Test func `an exercise that was ended elsewhere leads to the wait room`() {
        var walk = Sample.walk(Sample.flow())
        #expect(walk.take(.status(Sample.status(Sample.flow("waiting")))) == [.call(.notes)])
        #expect(walk.page == .waitRoom)
    }

    @Test func `an exercise led in another window is taken back only by a key`() {
        var walk = Sample.breathing()
        #expect(walk.take(.guidingEnded(Sample.flow(), at: 2)) == [])
        #expect(walk.guide == .somebodyElse)
        walk.isSeen()
        #expect(walk.take(.status(Sample.status(Sample.flow()))) == [])
        #expect(walk.take(.key(.space)) == [.breathe])
    }

    @Test func `the exercise goes on when the daemon comes back`() {
        var walk = Sample.breathing()
        #expect(walk.take(.gone) == [])
        #expect(!walk.isBreathing)
        #expect(walk.take(.key(.space)) == [])
        #expect(walk.take(.back) == [.breathe])
        #expect(walk.take(.guided(Sample.flow(exercise: Sample.exercise(paused: true)), at: 9)) == [.call(.resume)])
    }

    @Test func `a paused exercise stays paused when the daemon comes back`() {
        var walk = Sample.breathing(Sample.exercise(paused: true))
        _ = walk.take(.answered(.pause, .flow(Sample.flow(exercise: Sample.exercise(paused: true))), at: 1))
        _ = walk.take(.gone)
        _ = walk.take(.gone)
        _ = walk.take(.back)
        #expect(walk.take(.guided(Sample.flow(), at: 9)) == [.call(.pause)])
    }

    @Test func `every other page goes on when the daemon comes back`() {
        for stage in ["waiting", "session", "mood"] {
            var walk = Sample.walk(Sample.flow(stage))
            #expect(walk.take(.gone) == [])
            #expect(walk.take(.back) == walk.firstActions)
        }
    }

    @Test func `a refusal is a quiet line until the next key`() {
        var walk = Sample.walk(Sample.flow("waiting", mayJoin: true))
        _ = walk.take(.key(.character("j")))
        _ = walk.take(.refused(.join, "The provider is not available now."))
        #expect(Wording.Guided.notices(walk) == ["The provider is not available now."])
        #expect(walk.page == .waitRoom)
        _ = walk.take(.key(.character("x")))
        #expect(walk.notice == nil)
    }

    @Test func `after a refused Breathe a key tries again`() {
        var walk = Sample.walk()
        _ = walk.take(.key(.enter))
        _ = walk.take(.answered(.start, .flow(Sample.flow()), at: 0))
        _ = walk.take(.guidingRefused("The history cannot be written."))
        walk.isSeen()
        #expect(walk.hints.map(\.does) == ["goes on here", "leaves"])
        #expect(walk.take(.key(.space)) == [.breathe])
    }

    @Test func `q and Ctrl-C leave from every page, and q chooses a mood that begins with it`() {
        for stage in ["exercise", "waiting", "session", "mood"] {
            for key in [Key.interrupt, .character("q")] {
                var walk = Sample.walk(Sample.flow(stage))
                #expect(walk.take(.key(key)) == [.end(key == .interrupt ? .interrupted : .left)])
            }
        }
        var walk = Sample.walk(Sample.flow("mood"))
        walk.assignment.moods = ["calm", "quiet"]
        #expect(walk.take(.key(.character("q"))) == [])
        #expect(walk.page == .mood(1))
        #expect(walk.take(.key(.escape)) == [.end(.left)])
    }

    @Test func `the choices are circular, and a letter goes to the next choice with it`() {
        var walk = Sample.walk(Sample.flow("mood"))
        walk.assignment.moods = ["calm", "curious", "tired"]
        let pages = [Key.up, .down, .character("c"), .character("C"), .character("T"), .character("x")].map { key in
            _ = walk.take(.key(key))
            return walk.page
        }
        #expect(pages == [.mood(2), .mood(0), .mood(1), .mood(0), .mood(2), .mood(2)])
    }

    @Test func `only the keys that work now are shown`() {
        #expect(Sample.walk().hints.map(\.key) == ["any key", "?", "q"])
        #expect(Sample.breathing().hints.map(\.key) == ["space", "r", "n", "?", "q"])
        #expect(Sample.breathing(mayJoin: true).hints.map(\.key) == ["space", "r", "j", "n", "?", "q"])
        #expect(Sample.walk(Sample.flow("waiting")).hints.map(\.key) == ["m", "b", "n", "?", "q"])
        #expect(
            Sample.walk(Sample.flow("waiting", mayJoin: true, moodLogged: true)).hints.map(\.key) == [
                "j", "b", "n", "?", "q",
            ])
        #expect(Sample.walk(Sample.flow("session")).hints.map(\.key) == ["l", "n", "?", "q"])
        var away = Sample.breathing()
        _ = away.take(.gone)
        #expect(away.hints.map(\.key) == ["q"])
    }

    @Test func `a question mark explains the keys, and the next key goes back`() {
        var walk = Sample.breathing(mayJoin: true)
        #expect(walk.take(.key(.character("?"))) == [])
        #expect(walk.showsKeys)
        #expect(walk.hints == [KeyHint.of(.hideKeys)])
        #expect(walk.isBreathing)
        #expect(walk.take(.key(.character("r"))) == [])
        #expect(!walk.showsKeys && walk.question == nil)
        var lines = Sample.breathing(mayJoin: true)
        lines.presentation.isPlain = true
        _ = lines.take(.key(.character("?")))
        #expect(lines.take(.key(.character("j"))) == [.call(.join)])
    }

    @Test func `a note is written on one line, and the breath goes on`() {
        var walk = Sample.breathing()
        let keys: [Key] = [.character("n"), .character("q"), .space, .character("é"), .character("x"), .erase]
        #expect(keys.flatMap { walk.take(.key($0)) } == [.call(.notes)])
        #expect(walk.draft == "q é")
        #expect(walk.isBreathing)
        #expect(walk.hints.map(\.key) == ["enter", "esc"])
        #expect(walk.take(.key(.enter)) == [.call(.note("q é"))])
        #expect(walk.take(.answered(.note("q é"), .kept(isShared: nil), at: 1)) == [.call(.notes)])
        #expect(walk.notice == "The note is kept.")
        _ = walk.take(.answered(.notes, .notes(["q é"]), at: 1))
        #expect(walk.notes == ["q é"])
    }

    @Test(arguments: [
        (true, "The note is kept, and your therapist hears of it."),
        (false, "The note is kept with this task, and is not shared."),
    ])
    func `with shared notes it is said whether the therapist hears of one`(isShared: Bool, sentence: String) {
        var walk = Sample.breathing()
        _ = walk.take(.answered(.note("sleep"), .kept(isShared: isShared), at: 1))
        #expect(walk.notice == sentence)
    }

    @Test func `an empty note is dropped, escape drops a note, and Ctrl-C leaves`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        for keys in [[Key.character("n"), .space, .enter], [.character("n"), .character("x"), .escape]] {
            #expect(keys.flatMap { walk.take(.key($0)) } == [.call(.notes)])
            #expect(walk.draft == nil)
        }
        _ = walk.take(.key(.character("n")))
        #expect(walk.take(.key(.interrupt)) == [.end(.interrupted)])
    }

    @Test func `a question mark goes on where any key does`() {
        var done = Sample.walk(Sample.flow("waiting"))
        done.page = .exerciseDone
        var led = Sample.breathing()
        _ = led.take(.guidingEnded(Sample.flow(), at: 2))
        led.isSeen()
        for key in [Key.character("?"), .character("n")] {
            var (done, led) = (done, led)
            _ = done.take(.key(key))
            #expect(done.page == .waitRoom)
            #expect(led.take(.key(key)) == [.breathe])
        }
    }

    @Test func `no note is offered on pages without a place for it`() {
        for walk in [Sample.walk(), Sample.walk(Sample.flow("mood"))] {
            var walk = walk
            _ = walk.take(.key(.character("n")))
            #expect(walk.draft == nil)
        }
    }

    @Test func `the client can breathe along in the wait room, uncounted`() throws {
        var walk = Sample.walk(Sample.flow("waiting"))
        #expect(walk.take(.key(.character("b"))) == [.breatheAlong])
        #expect(walk.take(.breathingAlong(since: 100)) == [])
        #expect(walk.isBreathing)
        let breathing = try [100, 103, 104.5, 110, 124].map { try #require(walk.breathing(at: $0)) }
        #expect(breathing.map(\.phase) == [.inhale, .inhale, .exhale, .inhale, .exhale])
        #expect(breathing.map(\.count) == [4, 1, 6, 4, 6])
        #expect(breathing.map(\.remaining) == [nil, nil, nil, nil, nil])
        #expect(walk.hints.map(\.does)[1] == "stops")
        #expect(walk.take(.status(Sample.status(Sample.flow("waiting", mayJoin: true), online: true))) == [])
        #expect(walk.along == 100)
        #expect(Wording.Guided.notices(walk) == ["The provider is available. You may join."])
        #expect(walk.take(.key(.character("b"))) == [])
        #expect(!walk.isBreathing)
        _ = walk.take(.breathingAlong(since: 130))
        _ = walk.take(.status(Sample.status(Sample.flow("session"), online: true)))
        #expect(walk.along == nil)
        #expect(walk.take(.breathingAlong(since: 140)) == [])
        #expect(walk.along == nil)
    }

    @Test func `a notice ends with the next breath, with the page, and before an offer`() {
        func noted() -> Walk {
            var walk = Sample.breathing()
            _ = walk.take(.answered(.note("sleep"), .kept(isShared: nil), at: 1))
            return walk
        }
        #expect(Wording.Guided.notices(noted()) == ["The note is kept."])
        let exhale = Sample.exercise(phase: "exhale", seconds: 6, remaining: 46)
        let next: [(Walk.Input, [String])] = [
            (.guided(Sample.flow(exercise: exhale), at: 4), ["The note is kept."]),
            (.guided(Sample.flow(exercise: Sample.exercise(breath: 2, remaining: 40)), at: 10), []),
            (.guided(Sample.flow(mayJoin: true), at: 2), [Wording.Guided.offer]),
            (.status(Sample.status(Sample.flow(mayJoin: true), online: true)), [Wording.Guided.offer]),
            (.guidingEnded(Sample.flow("waiting"), at: 50), []),
        ]
        for (input, said) in next {
            var walk = noted()
            _ = walk.take(input)
            #expect(Wording.Guided.notices(walk) == said)
        }
        var session = Sample.walk(Sample.flow("session"))
        _ = session.take(.answered(.note("sleep"), .kept(isShared: nil), at: 1))
        #expect(Wording.Guided.notices(session) == ["The note is kept."])
        _ = session.take(.status(Sample.status(Sample.flow("mood"))))
        #expect(Wording.Guided.notices(session) == [])
    }

    @Test func `a pause that is ended while the daemon is away is ended when it is back`() {
        let paused = Sample.flow(exercise: Sample.exercise(paused: true))
        var walk = Sample.breathing()
        _ = walk.take(.guided(paused, at: 1))
        #expect(walk.take(.gone) == [])
        #expect(walk.take(.back) == [.breathe])
        #expect(walk.take(.key(.space)) == [])
        #expect(walk.take(.guided(paused, at: 2)) == [.call(.resume)])
    }

    @Test func `a pause that the daemon has forgotten is shown, and its key ends it`() {
        var walk = Sample.breathing()
        _ = walk.take(.guided(Sample.flow(exercise: Sample.exercise(paused: true)), at: 1))
        _ = walk.take(.gone)
        _ = walk.take(.back)
        #expect(walk.take(.guided(Sample.flow(), at: 2)) == [.call(.pause)])
        #expect(walk.isPaused)
        #expect(walk.take(.key(.space)) == [.call(.resume)])
    }

    @Test func `a problem that comes during the exercise is said, and one of before is not`() {
        var walk = Sample.breathing(Sample.exercise(breath: 3))
        #expect(Wording.Guided.notices(walk) == [])
        walk.status.problem = "the disk is full"
        #expect(Wording.Guided.notices(walk) == ["The disk is full."])
        walk.status.problem = nil
        #expect(Wording.Guided.notices(walk) == [])
        var before = Sample.status(Sample.flow())
        before.problem = "the disk is full"
        var other = Walk(status: before, assignment: Sample.assignment("inProgress"))
        other.page = .exercise
        #expect(Wording.Guided.notices(other) == [])
    }

    @Test func `leaving while another program leads says so`() {
        var walk = Sample.breathing(Sample.exercise(breath: 3))
        #expect(Wording.Guided.ending(.left, of: walk).hasPrefix("The exercise is paused"))
        walk.guide = .somebodyElse
        #expect(
            Wording.Guided.ending(.left, of: walk)
                == "The exercise goes on in another terminal; `daybreak start` takes it over.")
    }

    @Test func `leaving names the way back`() {
        // The mood can be chosen while the client waits.
        var choosing = Sample.walk(Sample.flow("waiting"))
        choosing.page = .mood(0)
        let ends = [
            Sample.walk(), Sample.breathing(Sample.exercise(breath: 3)), Sample.walk(Sample.flow("waiting")),
            Sample.walk(Sample.flow("session")), Sample.walk(Sample.flow("mood")), choosing,
        ]
        #expect(
            ends.map { Wording.Guided.ending(.left, of: $0) } == [
                "Nothing was begun. `daybreak start` comes back here.",
                "The exercise is paused at breath 3 of 5. `daybreak start` goes on from there.",
                "You stay in the wait room. `daybreak start` comes back to it.",
                "The session goes on. `daybreak start` comes back to it; `daybreak leave` leaves it.",
                "The mood is still to be logged. `daybreak start` comes back to it.",
                "You stay in the wait room. `daybreak start` comes back to it.",
            ])
    }
}
