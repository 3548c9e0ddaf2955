import Companion
import DaybreakInterfaces

// The sentences of a walk, on the screen and as lines.
extension Wording {
    enum Guided {
        static let goesBack = "Enter goes back to the task."
        static let away = "Daybreak is away for a moment. Waiting for it to come back …"
        static let unanswered = "daybreakd does not answer yet. `daybreak doctor` in another terminal tells more."
        static let awayWithNote = "Daybreak is away for a moment. The note is sent when it is back."
        static let noteIsThereAgain = "You wrote this before, and perhaps it was not kept; `daybreak notes` tells."
        static let noteComesAgain =
            "The note in its field is kept until you log out or switch this machine off, and is there again the next time."
        static func noteIsKept(in path: String) -> String {
            "The note in its field is kept in \(path.shown) until you log out or switch this machine off."
        }
        static let noteIsInDoubt = "It is not known whether this note was kept; `daybreak notes` tells"
        static let noteIsFull =
            "The note is full: it takes 4,096 bytes, a long page. Enter keeps it; the rest fits into another."
        static func notPasted(excess: Int) -> String { "Nothing was pasted: \(tooLong(excess))" }
        static func notTaken(excess: Int) -> String { "The note was not taken: \(tooLong(excess))" }
        private static func tooLong(_ excess: Int) -> String {
            "a note takes 4,096 bytes, a long page, and this text has \(Wording.counted(excess, "byte")) too many."
        }
        static let pasteIsNoKey = "A pasted text is none of the keys."
        /// - Parameter isShared: whether the practice hears of it; nil if the client shares no notes.
        static func noteIsKept(isShared: Bool?) -> String {
            switch isShared {
            case nil: "The note is kept."
            case true?: "The note is kept, and your therapist hears of it."
            case false?: "The note is kept with this task, and is not shared."
            }
        }
        static let isDismissed = "The announcement is shown no more."
        static let notePrompt = "Note:"
        static let alongDetail = "breathing along · nothing is counted"
        static let moodIsLogged = "The mood is logged."
        static let moodIsLoggedElsewhere = "The mood was logged in another program."
        static let offer = "The provider is available: join now, or finish first."
        static let offerInWaitRoom = "The provider is available. You may join."
        static let paused = "Paused"
        static let pausedDetail = "This breath begins again when you go on."
        static let ledInAnotherWindow = "The breathing is led in another window now."
        static let begunBefore =
            "You began this task before. It goes on where you left it, and what you did then counts."
        static let ledElsewhere = "You are being led in another terminal; Enter takes it over here."
        static let pausedLine = "Paused."
        static func notOpened(_ link: String) -> String {
            "The link could not be opened here. Open it by hand: \(link.shown)"
        }
        static let settling = "Settle in …"
        static let restartQuestion = "Begin again from the first breath?"
        static let leaveQuestion = "Leave the session? It cannot be joined again."

        /// A typed line that is neither a key nor a choice, nor an answer.
        static func mistyped(_ line: String, in walk: Walk) -> String {
            if walk.question != nil {
                return line.isEmpty
                    ? "An empty line is no answer; type y or n."
                    : "“\(line.shown.cut(to: 40))” is no answer; type y or n."
            }
            if line.isEmpty {
                return Wording.countsChoices(walk.assignment.moods)
                    ? "Type one of the choices, or its number." : "Type one of the choices."
            }
            let line = "“\(line.shown.cut(to: 40))”"
            if case .mood = walk.page {
                return "\(line) is not one of the choices; type \(Wording.oneOf(walk.assignment.moods))."
            }
            return "\(line) is not one of the keys."
        }

        static func breathHeading(_ exercise: Homework.Exercise) -> String {
            "Breath \(exercise.breath) of \(exercise.breaths)"
        }

        static func place(_ exercise: Homework.Exercise, left seconds: Double) -> String {
            "breath \(exercise.breath) of \(exercise.breaths) · \(left(seconds)) left"
        }

        static let mayCorrect = "`daybreak mood --correct` can change it later."
        static func moodQuestion(_ mood: String) -> String { "Log “\(mood.shown)”?" }

        /// The number of choices above the shown ones; nil if there are none.
        static func moreAbove(_ count: Int) -> String? { count > 0 ? "↑ \(count) more" : nil }
        static func moreBelow(_ count: Int) -> String? { count > 0 ? "↓ \(count) more" : nil }

        static func title(_ walk: Walk) -> String {
            switch walk.page {
            case .instructions:
                if walk.flow == nil {
                    task(due: walk.assignment.due, today: walk.status.today)
                } else {
                    walk.isLedElsewhere ? "Under way" : "Welcome back"
                }
            case .exercise: ""
            case .exerciseDone: "That was the last breath"
            case .waitRoom: "The wait room"
            case .session: "The session"
            case .mood: "How do you feel?"
            case .completed: "Completed"
            }
        }

        /// The paragraphs of a page, without its choices.
        /// - Parameter brief: for a small screen, without the sentences that the key hints repeat.
        static func paragraphs(_ walk: Walk, brief: Bool = false) -> [String] {
            switch walk.page {
            case .instructions: instructions(walk, brief: brief) + goesOn(walk)
            case .exercise: []
            case .exerciseDone:
                ["Take a moment. From here it goes on to the wait room, whenever you are ready."]
            case .waitRoom: waitRoom(walk, brief: brief)
            case .session: session(walk, brief: brief)
            case .mood: ["One word for now, out of these. There is no right one."]
            case .completed: completed(walk)
            }
        }

        /// The client's day, if the wall clock shows another one.
        private static func goesOn(_ walk: Walk) -> [String] {
            Wording.stillToday(walk.status.today, ends: walk.status.dayEnds, wall: walk.wall).map { ["It is \($0)."] }
                ?? []
        }

        private static func instructions(_ walk: Walk, brief: Bool) -> [String] {
            if walk.isLedElsewhere { return [ledElsewhere] }
            if let flow = walk.flow {
                let place = flow.exercise.map { ", at breath \($0.breath) of \($0.breaths)" } ?? ""
                return [
                    "The exercise waits where you left it\(place).", "Sit comfortably, and go on when you are ready.",
                ]
            }
            if walk.status.startsWithSession == true {
                return [
                    "The provider is available now, so this goes straight into the session.",
                    "Afterwards you choose one word for how you feel. That is all.",
                ]
            }
            guard walk.assignment.startedAt == nil else { return [begunBefore] }
            let then = "Then you wait for the provider, meet them, and choose one word for how you feel."
            if brief { return ["\(breaths(walk.assignment.breaths)), slowly. \(lead(walk))", then] }
            return [
                "\(breaths(walk.assignment.breaths)), slowly\(lengths(walk)). \(lead(walk))", then,
                "Sit comfortably and let your shoulders drop. You can pause, or leave and come back, at any time.",
            ]
        }

        /// ": 4 seconds in, 7 held, 8 out"; empty if seconds are not shown.
        private static func lengths(_ walk: Walk) -> String {
            guard walk.presentation.countsDown else { return "" }
            let phases = walk.pattern.phases.map { "\(number($0.seconds)) \(done($0.phase))" }
            let unit = walk.pattern.phases.first?.seconds == 1 ? "second" : "seconds"
            return ": " + phases.joined(separator: ", ").replacingFirst(" ", with: " \(unit) ")
        }

        private static func done(_ phase: Homework.Phase) -> String {
            switch phase {
            case .inhale: "in"
            case .hold: "held"
            case .exhale: "out"
            case .rest: "at rest"
            }
        }

        /// The instruction for the exercise: to follow the circle, or the words.
        private static func lead(_ walk: Walk) -> String {
            guard !walk.presentation.isPlain, walk.presentation.moves else {
                return "The words say when to breathe in and out."
            }
            return walk.pattern.hold > 0
                ? "Breathe in while the circle grows, hold while it stays, breathe out while it shrinks."
                : "Breathe in while the circle grows, out while it shrinks."
        }

        private static func waitRoom(_ walk: Walk, brief: Bool) -> [String] {
            let here = brief ? "Here" : "You have been here"
            let since = walk.flow.map { "\(here) since \(Wording.since($0.since, today: walk.status.today)). " } ?? ""
            let away = "The provider is not available yet"
            let next =
                walk.mayJoin
                ? offerInWaitRoom : away + (brief ? "." : "; you will see it here at once when they are.")
            if brief { return [since + next] + talkingPoints(walk) + notes(walk) }
            let mood = walk.moodLogged ? "Your mood is logged." : "Your mood can be logged already."
            let stay = "\(mood) You may leave this screen; `daybreak start` brings you back here."
            return [since + next, stay] + talkingPoints(walk) + notes(walk) + news(walk)
        }

        /// The therapist's talking points.
        private static func talkingPoints(_ walk: Walk) -> [String] {
            guard let points = walk.presence?.talkingPoints, !points.isEmpty else { return [] }
            let who = walk.presence?.name?.shown ?? "Your therapist"
            return ["\(who) wants to speak of: \(quoted(points.map(\.text)))"]
        }

        private static func quoted(_ texts: [String]) -> String {
            texts.map { "“\(onOneLine($0))”" }.joined(separator: " · ")
        }

        private static func onOneLine(_ text: String) -> String {
            text.split(whereSeparator: \.isNewline).joined(separator: " ").shown
        }

        private static func news(_ walk: Walk) -> [String] {
            announced(walk)
                + (Wording.newsLine(walk.status.news, announced: walk.announced, today: walk.status.today).map { [$0] }
                    ?? [])
        }

        /// The announcements, each as far as a page has room beside the others.
        private static func announced(_ walk: Walk) -> [String] {
            let texts = (walk.announced?.announcements ?? []).map {
                onOneLine($0.importance + $0.text).cut(to: longestAnnouncement)
            }
            guard !texts.isEmpty else { return [] }
            let rest = texts.count > mostAnnouncements ? " · and \(texts.count - mostAnnouncements) more" : ""
            let shown = texts.prefix(mostAnnouncements).map { "“\($0)”" }.joined(separator: " · ")
            return ["Your practice announces: \(shown)\(rest): `daybreak announcements`"]
        }

        private static let longestAnnouncement = 160
        private static let mostAnnouncements = 2

        /// The notes for the session.
        private static func notes(_ walk: Walk) -> [String] {
            guard !walk.notes.isEmpty else { return [] }
            guard !walk.presentation.isPlain else { return ["Your notes for the session: \(quoted(walk.notes))"] }
            var (shown, room) = ([String](), mostOfNotes)
            for note in walk.notes.map({ onOneLine($0).cut(to: longestNote) }) {
                room -= note.count
                if room < 0 { break }
                shown.append(note)
            }
            let left = walk.notes.count - shown.count
            let rest = left > 0 ? " · and \(left) more: `daybreak notes`" : ""
            return ["Your notes for the session: \(quoted(shown))\(rest)"]
        }

        private static let longestNote = 160
        /// Characters of all notes on a page.
        private static let mostOfNotes = 240

        private static func session(_ walk: Walk, brief: Bool) -> [String] {
            let who = walk.presence?.name?.shown ?? "the provider"
            let since = walk.flow.map { " since \(Wording.since($0.since, today: walk.status.today))" } ?? ""
            let link = walk.presence?.link.map { ["Meet here: \($0.shown)"] } ?? []
            let then = walk.moodLogged ? "; then the task is done." : "; then comes the mood, and the task is done."
            if brief { return ["With \(who)\(since)."] + link + notes(walk) }
            let end = "When the meeting is over, leave the session" + then
            return ["You have been with \(who)\(since)."] + link + [end] + notes(walk)
        }

        private static func completed(_ walk: Walk) -> [String] {
            let assignment = walk.assignment
            let done =
                "\(task(due: assignment.due, today: walk.status.today)) is done\(countsFor(assignment))\(drawn(assignment))."
            let mood = assignment.mood.map { ["Your mood: \($0.shown)."] } ?? []
            return [done] + mood + goesOn(walk) + [next(walk)].compactMap(\.self) + news(walk)
        }

        /// The breaths that were drawn.
        private static func drawn(_ assignment: Homework.Assignment) -> String {
            switch assignment.breathsDone {
            case 0: ""
            case assignment.breaths...: ": \(breaths(assignment.breathsDone))"
            default: ": \(assignment.breathsDone) of \(breaths(assignment.breaths))"
            }
        }

        /// Nil until the status tells it.
        private static func next(_ walk: Walk) -> String? {
            guard !walk.isStatusBehind else { return nil }
            if let eligible = walk.eligible, eligible != walk.assignment.id {
                return "Another task is open now; `daybreak start` begins it."
            }
            guard let instant = walk.status.nextUnlock else { return "Nothing more is scheduled." }
            return "The next one unlocks \(time(instant, today: walk.status.today))."
        }

        /// The question, after the facts that the client should know.
        static func question(_ question: Walk.Question) -> [String] {
            switch question {
            case .restart: [restartQuestion]
            case .leaveSession: [leaveQuestion]
            case .logMood(let mood): [mayCorrect, moodQuestion(mood)]
            }
        }

        /// The lines under the page: the daemon's absence, a notice, or an offer.
        static func notices(_ walk: Walk) -> [String] {
            if !walk.isConnected {
                return [walk.noteInField.map(\.state) ?? .written == .written ? away : awayWithNote]
            }
            if let notice = walk.notice { return [notice] }
            return switch walk.page {
            case .exercise:
                [walk.newProblem.map(Wording.sentence), walk.isPaused ? pausedDetail : nil, walk.mayJoin ? offer : nil]
                    .compactMap(\.self)
            case .exerciseDone: walk.mayJoin ? [offerInWaitRoom] : []
            // In plain lines, the page of the wait room makes the offer itself.
            case .waitRoom: walk.along != nil && walk.mayJoin && !walk.presentation.isPlain ? [offerInWaitRoom] : []
            default: []
            }
        }

        /// Printed after the walk, on the terminal as it was before.
        static func ending(_ ending: Walk.Ending, of walk: Walk) -> String {
            [end(ending, of: walk), unkept(walk)].compactMap(\.self).joined(separator: "\n")
        }

        private static func end(_ ending: Walk.Ending, of walk: Walk) -> String {
            switch ending {
            case .completed: completed(walk).joined(separator: "\n")
            case .notInProgress: notInProgress(walk)
            case .erased:
                "The task is gone: it was erased elsewhere, or another history was restored. `daybreak` shows what there is now."
            case .left, .interrupted: leaving(walk)
            }
        }

        /// The cause of a task that a program has given up cannot be told from that of one that the daemon has set aside.
        private static func notInProgress(_ walk: Walk) -> String {
            let assignment = walk.assignment
            let reason = Wording.reason(assignment.cause, else: assignment.reason, today: walk.status.today)
            let begin = assignment.startedAt == nil ? "begins it again" : "goes on with it"
            return switch assignment.state {
            case .locked, .missed: "The task is not in progress any more. \(reason) What was done is kept."
            case .eligible where assignment.cause?.kind == .late:
                "The task is not in progress any more: it was set aside as the day began, or given up elsewhere. \(reason) "
                    + "`daybreak start` \(begin)."
            case .eligible, .completed:
                "The task is not in progress any more: it was given up elsewhere, or another history was restored. "
                    + "`daybreak start` \(begin)."
            case .inProgress: "The task was begun anew in another program. `daybreak start` \(begin)."
            }
        }

        /// A note that is still in its field.
        static func unkept(_ walk: Walk) -> String? {
            guard let draft = walk.noteInField, !draft.note.isEmpty else { return nil }
            let lines = draft.note.split(separator: "\n", omittingEmptySubsequences: false)
            let note = "“\(lines.map { String($0).shown }.joined(separator: "\n"))”"
            return switch draft.state {
            case .written where draft.mayBeKept: "\(noteIsInDoubt): \(note)"
            case .written, .entered: "This note was not kept: \(note)"
            case .sent, .inDoubt: "\(noteIsInDoubt): \(note)"
            }
        }

        private static func leaving(_ walk: Walk) -> String {
            switch walk.page {
            case .instructions where walk.isLedByAnother, .exercise where walk.isLedByAnother:
                "The exercise goes on in another terminal; `daybreak start` takes it over."
            case .instructions where walk.flow == nil: "Nothing was begun. `daybreak start` comes back here."
            case .instructions: "The exercise waits where you left it. `daybreak start` goes on from there."
            case .exercise:
                (walk.pace.map { "The exercise is paused at breath \($0.exercise.breath) of \($0.exercise.breaths)." }
                    ?? "The exercise is paused.") + " `daybreak start` goes on from there."
            case .exerciseDone, .waitRoom,
                .mood where walk.flow?.stage == .waiting:
                "You stay in the wait room. `daybreak start` comes back to it."
            case .session: "The session goes on. `daybreak start` comes back to it; `daybreak leave` leaves it."
            case .mood: "The mood is still to be logged. `daybreak start` comes back to it."
            case .completed: ""
            }
        }
    }
}
