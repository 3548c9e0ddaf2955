import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct SpeakerTests {
    @Test(arguments: ["happy", "", "quiet"])
    func `a word that is no choice is repeated, and the choices are shown again`(line: String) {
        var walk = Sample.walk(Sample.flow("mood"))
        walk.presentation.isPlain = true
        var speaker = Speaker()
        _ = speaker.say(walk, at: 0)
        #expect(TypedLine.inputs(for: line, in: walk) == [.mistyped(line)])
        _ = walk.take(.mistyped(line))
        let what =
            line.isEmpty
            ? "Type one of the choices, or its number."
            : "“\(line)” is not one of the choices; type one of them, or its number."
        #expect(
            speaker.say(walk, at: 1) == """
                \(what)
                  1 calm
                  2 tired
                  3 hopeful
                  4 穏やか
                [a number or the word chooses · q leaves]

                """)
        #expect(walk.overlay == .none)
    }

    @Test func `a word that is no key is repeated in the wait room each time`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        walk.presentation.isPlain = true
        var speaker = Speaker()
        _ = speaker.say(walk, at: 0)
        for _ in 1...2 {
            for input in TypedLine.inputs(for: "calm", in: walk) { _ = walk.take(input) }
            #expect(
                speaker.say(walk, at: 1) == """
                    “calm” is not one of the keys.
                    [m logs the mood · b breathes along · n notes · ? keys · q leaves]

                    """)
        }
    }

    /// The effect of a line, and the text after it.
    private func hear(_ line: String, _ walk: inout Walk) -> (actions: [Walk.Action], said: String) {
        walk.presentation.isPlain = true
        var speaker = Speaker()
        _ = speaker.say(walk, at: 0)
        let actions = TypedLine.inputs(for: line, in: walk).flatMap { walk.take($0) }
        return (actions, speaker.say(walk, at: 1))
    }

    @Test(arguments: [("1", 1), ("10", 0), ("5", 2)])
    func `a number that is one of the words means that word`(line: String, place: Int) {
        var walk = Sample.walk(Sample.flow("mood"))
        walk.assignment.moods = ["10", "1", "5"]
        #expect(TypedLine.inputs(for: line, in: walk) == [.chosen(place)])
    }

    @Test func `a sentence is no key, and the keys are shown again`() {
        var session = Sample.walk(Sample.flow("session"))
        session.presence = Sample.provider
        let heard = hear("leaving the house was hard today", &session)
        #expect(heard.actions == [] && session.question == nil)
        #expect(
            heard.said == """
                “leaving the house was hard today” is not one of the keys.
                [o opens the link · l leaves the session · n notes · ? keys · q closes]

                """)
        var breathing = Sample.breathing()
        #expect(
            hear("quiet now", &breathing).said == """

                “quiet now” is not one of the keys.
                [p pauses · r begins again · n notes · ? keys · q leaves]
                  Breathe in … 3
                """)
        #expect(breathing.daemon == .ready)
    }

    @Test(arguments: [
        ("l", "session", "l"), ("Leave", "session", "l"), ("quit", "session", "q"), ("open", "session", "o"),
        ("note", "waiting", "n"), ("mood", "waiting", "m"), ("breathe ", "waiting", "b"), ("keys", "waiting", "?"),
    ])
    func `a key is typed as its letter or as its word`(line: String, stage: String, key: Character) {
        var walk = Sample.walk(Sample.flow(stage))
        walk.presence = Sample.provider
        #expect(TypedLine.inputs(for: line, in: walk) == [.key(.character(key))])
    }

    @Test func `an empty line answers no question, which is asked again`() {
        var walk = Sample.walk(Sample.flow("session"))
        walk.presence = Sample.provider
        _ = walk.take(.key(.character("l")))
        for line in ["", "yesterday"] {
            let heard = hear(line, &walk)
            #expect(heard.actions == [] && walk.question == .leaveSession)
            #expect(
                heard.said == """
                    \(line.isEmpty ? "An empty line is no answer" : "“yesterday” is no answer"); type y or n.
                    Leave the session? It cannot be joined again.
                    [y yes · n no]

                    """)
        }
        var (yes, no) = (walk, walk)
        #expect(hear("Yes", &yes).actions == [.call(.leave)])
        #expect(hear("no", &no).actions == [] && no.question == nil)
    }

    @Test func `after the last breath a line that is no key is repeated`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        walk.page = .exerciseDone
        #expect(
            hear("r", &walk).said == """
                “r” is not one of the keys.
                [Enter goes on · q leaves]

                """)
    }

    @Test func `an entered note that waits takes no further line but the one that leaves`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        walk.presentation.isPlain = true
        var speaker = Speaker()
        _ = walk.take(.key(.character("n")))
        _ = speaker.say(walk, at: 0)
        _ = walk.take(.gone)
        #expect(
            speaker.say(walk, at: 0) == """
                Daybreak is away for a moment. Waiting for it to come back …

                """)
        for input in TypedLine.inputs(for: "q", in: walk) { _ = walk.take(input) }
        #expect(walk.draft == "q")
        #expect(
            speaker.say(walk, at: 0) == """
                Daybreak is away for a moment. The note is sent when it is back.
                [q leaves]

                """)
        for (line, actions) in [("x", []), ("", []), ("q", [Walk.Action.end(.left)])] {
            var typed = walk
            #expect(TypedLine.inputs(for: line, in: typed).flatMap { typed.take($0) } == actions)
            #expect(typed.draft == "q")
        }
        #expect(walk.take(.back) == [.call(.notes), .call(.note("q"))])
        _ = walk.take(.answered(.note("q"), .kept(isShared: nil), at: 1))
        #expect(
            speaker.say(walk, at: 0) == """
                The note is kept.
                [m logs the mood · b breathes along · n notes · ? keys · q leaves]

                """)
    }

    @Test(arguments: ["no", "help", " "]) func `a word does not begin the task`(line: String) {
        #expect(TypedLine.inputs(for: line, in: Sample.walk()) == [.mistyped(line)])
        #expect(TypedLine.inputs(for: "", in: Sample.walk()) == [.key(.enter)])
        #expect(TypedLine.inputs(for: "quit", in: Sample.walk()) == [.key(.character("q"))])
    }

    @Test func `no keys are offered before the answer to a call`() {
        var speaker = Speaker()
        var walk = Sample.walk(Sample.flow("mood"))
        _ = walk.take(.chosen(1))
        _ = speaker.say(walk, at: 0)
        _ = walk.take(.key(.character("y")))
        #expect(speaker.say(walk, at: 0) == "")
        _ = walk.take(.refused(.logMood("tired"), "The disk is full."))
        #expect(
            speaker.say(walk, at: 0)
                == "The disk is full.\n[a number or the word chooses · q leaves]\n")
    }

    @Test func `the whole walk is spoken`() {
        var walk = Sample.walk()
        walk.presentation.isPlain = true
        var speaker = Speaker()
        var said = ""
        func hear(_ input: Walk.Input?, at time: Double = 0) {
            if let input { _ = walk.take(input) }
            said += speaker.say(walk, at: time)
        }
        hear(nil)
        hear(.key(.enter))
        hear(.answered(.start, .flow(Sample.flow()), at: 0))
        hear(.guided(Sample.flow(), at: 0))
        for tenths in stride(from: 0, through: 41, by: 1) { hear(nil, at: Double(tenths) / 10) }
        hear(.guided(Sample.flow(exercise: Sample.exercise(phase: "exhale", seconds: 6, remaining: 46)), at: 4), at: 4)
        hear(nil, at: 6.5)
        hear(.status(Sample.status(Sample.flow(mayJoin: true), online: true)), at: 6.6)
        hear(
            .answered(.pause, .flow(Sample.flow(exercise: Sample.exercise(paused: true), mayJoin: true)), at: 7), at: 7)
        hear(.answered(.resume, .flow(Sample.flow(mayJoin: true)), at: 8), at: 8)
        hear(.guidingEnded(Sample.flow("waiting", mayJoin: true), at: 50))
        hear(.key(.enter))
        hear(.key(.character("j")))
        hear(.answered(.join, .flow(Sample.flow("session")), at: 60))
        hear(.answered(.presence, .presence(Sample.provider), at: 60))
        hear(.answered(.leave, .step(Sample.flow("mood"), Sample.assignment("inProgress")), at: 70))
        hear(.chosen(1))
        let done = Sample.assignment("completed", also: #","mood":"tired""#)
        walk.status = Sample.status()
        hear(.answered(.logMood("tired"), .step(nil, done), at: 80))
        #expect(said == Self.whole)
    }

    private static let whole = """

        Today's task
        5 breaths, slowly: 4 seconds in, 6 out. The words say when to breathe in and out.
        Then you wait for the provider, meet them, and choose one word for how you feel.
        Sit comfortably and let your shoulders drop. You can pause, or leave and come back, at any time.
        [Enter begins · ? keys · q leaves]
        [p pauses · r begins again · n notes · ? keys · q leaves]
        Breath 1 of 5
          Breathe in … 4 3 2 1
          Breathe out … 6 5 4
        The provider is available: join now, or finish first.
        [p pauses · r begins again · j joins · n notes · ? keys · q leaves]
        Paused.
        This breath begins again when you go on.
        [p goes on · r begins again · j joins · n notes · ? keys · q leaves]
        [p pauses · r begins again · j joins · n notes · ? keys · q leaves]
        Breath 1 of 5
          Breathe in … 4

        That was the last breath
        Take a moment. From here it goes on to the wait room, whenever you are ready.
        The provider is available. You may join.
        [Enter goes on · j joins · q leaves]

        The wait room
        You have been here since 14:03. The provider is available. You may join.
        Your mood can be logged already. You may leave this screen; `daybreak start` brings you back here.
        [j joins · m logs the mood · b breathes along · n notes · ? keys · q leaves]

        The session
        You have been with Dr. Amsel since 14:03.
        Meet here: https://meet.example.org/amsel
        When the meeting is over, leave the session; then comes the mood, and the task is done.
        [o opens the link · l leaves the session · n notes · ? keys · q closes]

        How do you feel?
        One word for now, out of these. There is no right one.
          1 calm
          2 tired
          3 hopeful
          4 穏やか
        [a number or the word chooses · q leaves]
        `daybreak mood --correct` can change it later. Log “tired”?
        [y yes · n no]

        Completed
        Today's task is done: 5 breaths.
        Your mood: tired.
        The next one unlocks tomorrow at 00:00.

        """

    @Test func `only the changes of a page are spoken`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        var speaker = Speaker()
        _ = speaker.say(walk, at: 0)
        #expect(speaker.say(walk, at: 1) == "")
        _ = walk.take(.status(Sample.status(Sample.flow("waiting", mayJoin: true), online: true)))
        #expect(
            speaker.say(walk, at: 2) == """
                You have been here since 14:03. The provider is available. You may join.
                [j joins · m logs the mood · b breathes along · n notes · ? keys · q leaves]

                """)
    }

    @Test func `after a suspend the countdown catches up`() {
        var lines = BreathLines()
        let exercise: Homework.Exercise = Sample.decode(Sample.exercise())
        let pace = Walk.Pace(exercise: exercise, at: 0)
        let said = [0, 0.5, 3.2, 3.9].map { lines.say(exercise, Breathing(pace, at: $0, isRunning: true)) }
        #expect(said == ["Breath 1 of 5\n  Breathe in … 4", "", " 3 2 1", ""])
        #expect(lines.endLine() == "\n")
        #expect(lines.endLine() == "")
    }

    @Test func `after a notice in the middle of a phase, the phase is named again`() {
        var lines = BreathLines()
        let exercise: Homework.Exercise = Sample.decode(Sample.exercise())
        let pace = Walk.Pace(exercise: exercise, at: 0)
        func say(at time: Double) -> String { lines.say(exercise, Breathing(pace, at: time, isRunning: true)) }
        #expect([0, 1.1].map(say) == ["Breath 1 of 5\n  Breathe in … 4", " 3"])
        #expect(lines.endLine() == "\n")
        #expect([1.5, 2.1, 3.1].map(say) == ["", "  Breathe in … 2", " 1"])
    }

    @Test func `without the countdown only the phases are spoken`() {
        var walk = Sample.breathing()
        walk.presentation = Presentation(isPlain: true, countsDown: false)
        var speaker = Speaker(countsDown: false)
        _ = speaker.say(walk, at: 0)
        _ = walk.take(
            .guided(Sample.flow(exercise: Sample.exercise(phase: "exhale", seconds: 6, remaining: 46)), at: 4))
        #expect([4.0, 5, 9.9].map { speaker.say(walk, at: $0) } == ["  Breathe out\n", "", ""])
    }

    @Test func `a question mark explains each key`() {
        var walk = Sample.breathing(mayJoin: true)
        walk.presentation.isPlain = true
        var speaker = Speaker()
        _ = speaker.say(walk, at: 0)
        _ = walk.take(.key(.character("?")))
        #expect(
            speaker.say(walk, at: 0.5) == """

                The keys, each followed by Enter:
                  p pauses; this breath begins again when you go on
                  r begins again from the first breath; you are asked first
                  j joins the provider; the breaths drawn so far are kept
                  n writes a note for the session, kept with the task
                  ? shows this
                  q leaves; `daybreak start` comes back here

                """)
    }

    @Test func `the key that breathes along speaks of no circle, where there is none`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        #expect(
            hear("?", &walk).said == """
                The keys, each followed by Enter:
                  m chooses the word for how you feel, already now
                  b breathes along with the words, for calm; nothing is counted
                  n writes a note for the session, kept with the task
                  ? shows this
                  q leaves; `daybreak start` comes back here

                """)
    }

    @Test func `breathing along is spoken, and so is its end`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        walk.presentation.isPlain = true
        var speaker = Speaker()
        _ = speaker.say(walk, at: 0)
        _ = walk.take(.breathingAlong(since: 10))
        var said = [10, 11, 12, 13, 14, 15].map { speaker.say(walk, at: $0) }.joined()
        _ = walk.take(.key(.character("b")))
        said += speaker.say(walk, at: 15.5)
        #expect(
            said == """
                [m logs the mood · b stops · n notes · ? keys · q leaves]
                  Breathe in … 4 3 2 1
                  Breathe out … 6 5
                [m logs the mood · b breathes along · n notes · ? keys · q leaves]

                """)
    }

    @Test func `a line is a whole note while a note is being written`() {
        var walk = Sample.breathing()
        _ = walk.take(.key(.character("n")))
        #expect(TypedLine.inputs(for: "sleep was better", in: walk) == [.wrote("sleep was better")])
        #expect(walk.take(.wrote("sleep was better")) == [.call(.note("sleep was better"))])
    }

    @Test func `a typed line is a key, or a mood by its word or number`() {
        let mood = Sample.walk(Sample.flow("mood"))
        #expect(TypedLine.inputs(for: "2", in: mood) == [.chosen(1)])
        #expect(TypedLine.inputs(for: "HOPEFUL", in: mood) == [.chosen(2)])
        #expect(TypedLine.inputs(for: "穏やか", in: mood) == [.chosen(3)])
        #expect(TypedLine.inputs(for: "9", in: mood) == [.mistyped("9")])
        #expect(TypedLine.inputs(for: "angry", in: mood) == [.mistyped("angry")])
        #expect(TypedLine.inputs(for: "quit", in: mood) == [.key(.escape)])
        #expect(TypedLine.inputs(for: "", in: Sample.walk()) == [.key(.enter)])
        let waiting = Sample.walk(Sample.flow("waiting", mayJoin: true))
        #expect(TypedLine.inputs(for: "J", in: waiting) == [.key(.character("j"))])
        #expect(TypedLine.inputs(for: "J", in: Sample.walk(Sample.flow("waiting"))) == [.mistyped("J")])
        #expect(TypedLine.inputs(for: "p", in: Sample.breathing()) == [.key(.space)])
    }
}
