import Companion
import DaybreakInterfaces
import Time

/// The guided way through an assignment as a state machine: it takes inputs and returns actions. It does no I/O, and knows no
/// time but that of its inputs. The screen and the plain lines both show it.
///
/// The daemon owns the truth: the page follows the flow's stage, whoever moved it.
struct Walk: Equatable {
    enum Page: Equatable {
        case instructions, exercise, exerciseDone, waitRoom, session
        /// The choice of a mood, with the place of the one that is pointed at.
        case mood(Int)
        case completed
    }

    /// A layer over the page, which takes the keys first.
    enum Overlay: Equatable {
        case none
        /// The keys are explained.
        case keys
        case question(Question)
        case draft(Draft)
    }

    /// A note on its way: it stays in its field until the daemon has kept it.
    struct Draft: Equatable {
        enum State: Equatable {
            /// It is being written.
            case written
            /// It is entered, and is sent as soon as the daemon can be asked.
            case entered
            /// It is sent and not answered yet. others: the notes with the same text, when it was sent.
            case sent(others: Int)
            /// The connection ended before the answer, so the note may be kept. The notes tell, once the daemon is back.
            case inDoubt(others: Int)
        }

        var text: String
        var state = State.written
        /// It was sent as it is, and nothing tells whether it was kept.
        var mayBeKept = false

        /// The text as it is sent: the line break at the end of a pasted text is left out.
        var note: String { text.withoutEnd }
    }

    /// A question before an action that cannot be undone.
    enum Question: Equatable {
        case restart, leaveSession, logMood(String)
    }

    /// The program that leads the client through the exercise.
    enum Guide: Equatable {
        case nobody
        /// This program has called `Breathe` and has no reply yet. `pauses`: the client wants a pause, so the exercise must
        /// not go on by itself.
        case requested(pauses: Bool)
        case us
        case somebodyElse

        /// This program leads, or is about to.
        var isOurs: Bool {
            switch self {
            case .requested, .us: true
            case .nobody, .somebodyElse: false
            }
        }
    }

    /// The connection to the daemon.
    enum DaemonState: Equatable {
        case ready
        /// A call is not answered yet. Keys that would make another call have no effect.
        case asked(Request)
        case gone
    }

    /// The exercise in the daemon's last reply.
    struct Pace: Equatable {
        var exercise: Homework.Exercise
        /// The time of the reply, in seconds of the monotonic clock.
        var at: Double
    }

    /// The walk's flow, as far as it is known.
    enum Progress: Equatable {
        /// It is not begun, or is over.
        case noFlow
        /// A call began it. A status without a flow is older than that.
        case begun(Homework.Flow)
        /// A status had it. A status without a flow means its end.
        case confirmed(Homework.Flow)

        init(_ status: Homework.Status) { self = status.flow.map(Self.confirmed) ?? .noFlow }
    }

    /// The arrival of a page that came without a key of the client.
    enum Arrival: Equatable {
        case unseen
        /// The page is on the screen since this time of the monotonic clock.
        case seen(at: Double)
    }

    /// There is a link to a practice, and a terminal to talk with it.
    var isLinked = false
    var page = Page.instructions
    var overlay = Overlay.none
    var presentation: Presentation
    /// Since when the client breathes along in the wait room, for calm; in seconds of the monotonic clock.
    var along: Double?
    /// The pattern that was asked for, else the assignment's.
    var pattern: Homework.Pattern
    private let askedPattern: Homework.Pattern?
    var assignment: Homework.Assignment
    /// The last status. A call's reply may have a newer flow.
    var status: Homework.Status
    /// The problem that was there when the walk began, of which `daybreak` has told.
    private let problemBefore: String?
    var progress: Progress
    /// The wall clock's date.
    var wall: CalendarDay?
    var presence: Provider.Presence.Reply?
    /// The notes for the session, the oldest first.
    var notes: [String] = []
    /// A note of an earlier time that was not sent. The field of a note begins with it, until it is kept or dropped.
    var unsentNote: String?
    /// The practice's announcements with their texts; nil while nothing is known of them.
    var announced: Link.Announcements.Reply?
    var pace: Pace?
    var guide = Guide.nobody
    var daemon = DaemonState.ready
    /// The connection ended before the answer of `LogMood`, so the mood may be logged.
    var isMoodInDoubt = false
    /// A line under the page, such as a refusal. It disappears with the next key, breath or page.
    var notice: String?
    /// The number of typed lines that were neither a key nor a choice, nor a note that is short enough.
    var mistypedLines = 0
    /// Not nil until the client has seen a page that came by itself. Keys are not meant for that page before.
    var arrival: Arrival?

    /// Begins at the instructions, or at the stage of the flow.
    init(
        status: Homework.Status, assignment: Homework.Assignment, presentation: Presentation = Presentation(),
        pattern: Homework.Pattern? = nil
    ) {
        self.assignment = assignment
        self.presentation = presentation
        self.pattern = pattern ?? assignment.pattern
        askedPattern = pattern
        self.status = status
        problemBefore = status.problem
        progress = Progress(status)
        if let flow, flow.stage != .exercise { page = Self.page(for: flow.stage) }
    }

    /// Goes over to another assignment, which nothing was begun of.
    mutating func turn(to assignment: Homework.Assignment) {
        self.assignment = assignment
        pattern = askedPattern ?? assignment.pattern
        notice = nil
    }

    static func page(for stage: Homework.Stage) -> Page {
        switch stage {
        case .exercise: .exercise
        case .waiting: .waitRoom
        case .session: .session
        case .mood: .mood(0)
        }
    }
}

// Questions about the state.
extension Walk {
    var question: Question? {
        guard case .question(let question) = overlay else { return nil }
        return question
    }

    /// The text of the note in its field.
    var draft: String? { noteInField?.text }

    var noteInField: Draft? {
        guard case .draft(let draft) = overlay else { return nil }
        return draft
    }

    var showsKeys: Bool { overlay == .keys }
    /// The verbs of the link that a key runs on this page.
    var mayVisit: Bool { isLinked && [.waitRoom, .session, .completed].contains(page) }
    var isConnected: Bool { daemon != .gone }

    /// True while a call is not answered.
    var isAsking: Bool {
        guard case .asked = daemon else { return false }
        return true
    }

    /// The announcement that the next key of dismissal takes away.
    var dismissable: Link.Announcement? { announced?.announcements?.first(where: \.dismissable) }

    var flow: Homework.Flow? {
        switch progress {
        case .noFlow: nil
        case .begun(let flow), .confirmed(let flow): flow
        }
    }

    /// The task that can be started now. It may not be this walk's.
    var eligible: String? { status.flow == nil ? status.eligible?.id : nil }

    /// The task that is open in place of this one, which waits at its instructions: a day has begun, or there is another schedule.
    var openInstead: String? {
        guard page == .instructions, let open = status.flow?.assignment ?? status.eligible?.id else { return nil }
        return open == assignment.id ? nil : open
    }

    /// The task is done, and the status, which comes on a connection of its own, is still that of before.
    var isStatusBehind: Bool { page == .completed && status.flow?.assignment == assignment.id }

    var mayJoin: Bool { flow?.mayJoin ?? false }
    var moodLogged: Bool { flow?.moodLogged ?? (assignment.mood != nil) }
    /// Another program leads the client through the exercise, and this one has not asked to.
    var isLedElsewhere: Bool { page == .instructions && flow?.exercise?.guided == true }
    /// A problem that came during the walk, as when the disk is full and no breath is counted any more.
    var newProblem: String? { status.problem == problemBefore ? nil : status.problem }

    /// Another program leads the client through the exercise at this moment.
    var isLedByAnother: Bool { flow?.exercise?.guided == true && !guide.isOurs }

    var isPaused: Bool { pace?.exercise.paused ?? false }

    /// The place in a breath, guided or along; nil if nobody breathes.
    func breathing(at time: Double) -> Breathing? {
        if page == .exercise { return pace.map { Breathing($0, at: time, isRunning: isConnected && guide.isOurs) } }
        return along.map { Breathing(pattern, since: $0, at: time) }
    }

    /// True while the breathing runs.
    var isBreathing: Bool { along != nil || (page == .exercise && guide == .us && isConnected && !isPaused) }

    /// True while the walk goes on without the client: a call is not answered yet, or the exercise runs.
    var isUnderWay: Bool {
        isAsking || isLookingForNote || (isConnected && page == .session && presence == nil)
            || (page == .exercise && guide.isOurs && overlay.isPassive && !isPaused)
    }

    /// True until the notes have told whether a note was kept.
    var isLookingForNote: Bool {
        guard isConnected, case .inDoubt = noteInField?.state else { return false }
        return true
    }

    /// True while a page that came by itself has not been seen, and no overlay takes the keys.
    var isArriving: Bool { arrival != nil && overlay == .none }
}

extension Walk.Overlay {
    /// True if the overlay does not wait for an answer of the client.
    fileprivate var isPassive: Bool {
        switch self {
        case .none, .keys: true
        case .question, .draft: false
        }
    }
}

// Inputs and actions.
extension Walk {
    /// A call to the daemon.
    enum Request: Equatable {
        case start, pause, resume, restart, join, leave, presence
        case logMood(String)
        case note(String)
        /// The notes for the session.
        case notes
        /// The practice's announcements.
        case announcements
        /// The announcement of that identifier is shown no more.
        case dismiss(String)
        /// The assignment whose flow ended.
        case get(String)
        /// The assignment to which the walk goes over.
        case turn(String)
    }

    /// Times are those of the monotonic clock.
    enum Input: Equatable {
        case key(Key)
        /// A mood that was typed, by its place.
        case chosen(Int)
        /// A whole note that was typed.
        case wrote(String)
        /// A line that is neither a key nor a choice, nor an answer to the question.
        case mistyped(String)
        /// The link could not be opened.
        case notOpened(String)
        /// Breathing along began.
        case breathingAlong(since: Double)
        /// The page is on the screen.
        case shown(at: Double)
        case status(Homework.Status)
        /// A reply of `Breathe`.
        case guided(Homework.Flow, at: Double)
        /// The last reply of `Breathe`, or its error.
        case guidingEnded(Homework.Flow, at: Double)
        case guidingRefused(String)
        case answered(Request, Answer, at: Double)
        case refused(Request, String)
        /// The history has the assignment of ``Request/get(_:)`` no more.
        case erased
        /// The daemon has not answered a call for a while.
        case unanswered
        /// The daemon disconnected; the daemon can be reached again.
        case gone, back
    }

    /// The reply to a request.
    enum Answer: Equatable {
        case flow(Homework.Flow)
        case step(Homework.Flow?, Homework.Assignment)
        case assignment(Homework.Assignment)
        case presence(Provider.Presence.Reply)
        /// The note. isShared: see ``Wording/Guided/noteIsKept(isShared:)``.
        case kept(isShared: Bool?)
        case notes([String])
        case announcements(Link.Announcements.Reply)
        case dismissed
    }

    enum Action: Equatable {
        case call(Request)
        /// Call `Breathe`, or hang up on it.
        case breathe, stopBreathing
        /// Reply with ``Input/breathingAlong(since:)``.
        case breatheAlong
        /// Show a link with xdg-open.
        case open(String)
        /// Run a verb that talks with the practice, and come back.
        case visit(Visit)
        case end(Ending)
    }

    /// A verb of the link, beside the task.
    enum Visit: String {
        case feedback, profile
    }

    enum Ending: Equatable {
        /// The client left; the flow stays where it is.
        case left
        /// The same, by Ctrl-C.
        case interrupted
        case completed
        /// The task ended by time, or in another program, and is not completed.
        case notInProgress
        /// The task is in the history no more.
        case erased
    }
}
