import Companion
import DaybreakInterfaces
import Time

/// The guided way through an assignment as a machine: what happened goes in, what is to be done comes out. No I/O, and
/// no time but what the inputs carry. The screen and the plain lines both show it.
///
/// The daemon owns the truth: the page follows the flow's stage, whoever moved it.
struct Walk: Equatable {
    enum Page: Equatable {
        case instructions, exercise, exerciseDone, waitRoom, session
        /// Choosing, with the place of the choice that is pointed at.
        case mood(Int)
        case completed
    }

    /// Something that is asked before it is done.
    enum Question: Equatable {
        case restart, leaveSession, logMood(String)
    }

    /// Who leads through the exercise.
    enum Guide: Equatable {
        case nobody, us, somebodyElse
    }

    /// What the daemon said last of the exercise.
    struct Pace: Equatable {
        var exercise: Homework.Exercise
        /// When it said so, in seconds of the client's monotonic clock.
        var at: Double
    }

    var page = Page.instructions
    var question: Question?
    var presentation: Presentation
    /// The keys are explained in place of what else there is.
    var showsKeys = false
    /// A note that is being written.
    var draft: String?
    /// Since when the client breathes along in the wait room, for calm; in seconds of the monotonic clock.
    var along: Double?
    /// How each breath goes: as was asked for, else as the assignment has it.
    var pattern: Homework.Pattern
    var assignment: Homework.Assignment
    var flow: Homework.Flow?
    var today: String
    /// When today ends, where that is not at the wall's midnight.
    var dayEnds: String?
    /// The date that the wall shows.
    var wall: CalendarDay?
    var nextUnlock: String?
    /// The task that can be begun now, if any; it may be another one than this walk's.
    var eligible: String?
    var presence: Provider.Presence.Reply?
    /// The notes for the session, the oldest first.
    var notes: [String] = []
    var providerOnline = false
    var pace: Pace?
    var guide = Guide.nobody
    var isConnected = true
    /// The status has told of the flow; until then, one without it is of before the start, and says nothing.
    var isFlowTold: Bool
    /// One quiet line: a refusal, or what just came to be. Gone at the next key, breath or page, and where there is news.
    var notice: String?
    /// The client wants a pause: a new guiding, after a lost connection say, must not go on by itself.
    var keepsPause = false
    /// Whether the guiding that stands now has said anything yet.
    var isGuided = false
    /// A call is on its way: keys that would call again wait for its answer.
    var asked: Request?
    /// What leads on came by itself a moment ago; until it was seen, no key is taken for it.
    var arrival: Arrival?

    /// Where the walk takes up: at the instructions, or where the flow stands.
    init(
        status: Homework.Status, assignment: Homework.Assignment, presentation: Presentation = Presentation(),
        pattern: Homework.Pattern? = nil
    ) {
        self.assignment = assignment
        self.presentation = presentation
        self.pattern = pattern ?? assignment.pattern
        today = status.today
        dayEnds = status.dayEnds
        nextUnlock = status.nextUnlock
        eligible = status.flow == nil ? status.eligible?.id : nil
        providerOnline = status.providerOnline
        flow = status.flow
        isFlowTold = status.flow != nil
        if let flow, flow.stage != .exercise { page = Self.page(for: flow.stage) }
    }

    /// What is to be done at once, before anything happens.
    var firstActions: [Action] { actions(on: page) }

    /// What a page asks for when it is turned to.
    private func actions(on page: Page) -> [Action] {
        switch page {
        case .waitRoom, .exerciseDone: [.call(.notes)]
        case .session: [.call(.presence), .call(.notes)]
        default: []
        }
    }

    var mayJoin: Bool { flow?.mayJoin ?? false }
    var moodLogged: Bool { flow?.moodLogged ?? (assignment.mood != nil) }
    /// Before it is gone on with here, somebody is led through it somewhere else.
    var isLedElsewhere: Bool { page == .instructions && flow?.exercise?.guided == true }
    var isPaused: Bool { pace?.exercise.paused ?? false }

    /// Where in a breath one is, led or along; nil where nobody breathes.
    func breathing(at time: Double) -> Breathing? {
        if page == .exercise { return pace.map { Breathing($0, at: time, isRunning: isConnected && guide == .us) } }
        return along.map { Breathing(pattern, since: $0, at: time) }
    }

    /// The breathing goes on.
    var isBreathing: Bool {
        along != nil || (page == .exercise && guide == .us && isGuided && isConnected && !isPaused)
    }
    /// It goes on without the client: an answer is awaited, or the exercise leads.
    var isUnderWay: Bool {
        asked != nil || (page == .exercise && guide == .us && question == nil && draft == nil && !isPaused)
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

// What happened.
extension Walk {
    mutating func carryOut(_ input: Input) -> [Action] {
        switch input {
        case .key(let key): return press(key)
        case .chosen(let place):
            guard case .mood = page, assignment.moods.indices.contains(place) else { return [] }
            page = .mood(place)
            return press(.enter)
        case .wrote(let note):
            draft = note
            return press(.enter)
        case .breathingAlong(let time):
            if page == .waitRoom { along = time }
            return []
        case .shown(let time):
            show(at: time)
            return []
        case .status(let status): return take(status)
        case .guided(let flow, let time): return takeGuided(flow, at: time)
        case .guidingEnded(let flow, let time): return endGuiding(flow, at: time)
        case .guidingRefused(let sentence):
            guide = .nobody
            notice = sentence
            return []
        case .answered(let request, let answer, let time):
            if asked == request { asked = nil }
            return take(answer, to: request, at: time)
        case .refused(let request, let sentence):
            if asked == request { asked = nil }
            if request == .notes { return [] }  // A daemon of before there were notes.
            if request == .presence { presence = presence ?? Provider.Presence.Reply(online: false) }
            notice = sentence
            return []
        case .gone:
            isConnected = false
            asked = nil
            if guide == .us && isGuided { keepsPause = isPaused }
            return []
        case .back:
            isConnected = true
            return page == .exercise && guide == .us ? breathe() : actions(on: page)
        }
    }

    private mutating func take(_ status: Homework.Status) -> [Action] {
        today = status.today
        dayEnds = status.dayEnds
        nextUnlock = status.nextUnlock
        eligible = status.flow == nil ? status.eligible?.id : nil
        let cameOrWent = providerOnline != status.providerOnline
        providerOnline = status.providerOnline
        // The one of after the end says nothing new.
        if page == .completed { return [] }
        if page == .instructions, status.flow?.stage ?? .exercise == .exercise {
            flow = status.flow
            return []
        }
        isFlowTold = isFlowTold || status.flow != nil
        guard isFlowTold else { return [] }
        let wasSession = page == .session
        let actions = follow(status.flow)
        return actions + (cameOrWent && wasSession && page == .session ? [.call(.presence)] : [])
    }

    private mutating func takeGuided(_ flow: Homework.Flow, at time: Double) -> [Action] {
        let isFirst = !isGuided
        guide = .us
        isGuided = true
        pace = flow.exercise.map { Pace(exercise: $0, at: time) }
        pattern = flow.exercise?.pattern ?? pattern
        let actions = follow(flow)
        guard isFirst, let exercise = flow.exercise else { return actions }
        let wanted = keepsPause
        keepsPause = false
        if exercise.paused == wanted { return actions }
        // Else the screen would breathe until the daemon has answered, and a key would mean the opposite.
        if wanted { pace?.exercise.paused = true }
        return actions + [.call(wanted ? .pause : .resume)]
    }

    private mutating func endGuiding(_ flow: Homework.Flow, at time: Double) -> [Action] {
        guide = flow.stage == .exercise ? .somebodyElse : .nobody
        pace = flow.exercise.map { Pace(exercise: $0, at: time) }
        return follow(flow)
    }

    /// Asks to be led through the exercise.
    mutating func breathe() -> [Action] {
        guide = .us
        isGuided = false
        return [.breathe]
    }

    private mutating func take(_ answer: Answer, to request: Request, at time: Double) -> [Action] {
        switch answer {
        case .presence(let presence):
            self.presence = presence
            return []
        case .kept:
            notice = Wording.Guided.noteIsKept
            return [.call(.notes)]
        case .notes(let notes):
            self.notes = notes
            return []
        case .step(let flow, let assignment):
            self.assignment = assignment
            if case .logMood = request, flow != nil { notice = Wording.Guided.moodIsLogged }
            if case .logMood = request, flow?.stage == .waiting { page = .waitRoom }
            if flow == nil { return finish() }
            return follow(flow)
        case .flow(let flow):
            if let exercise = flow.exercise, request != .start { pace = Pace(exercise: exercise, at: time) }
            return follow(flow)
        }
    }

    /// Goes to the page of the flow's stage.
    private mutating func follow(_ new: Homework.Flow?) -> [Action] {
        guard let new else { return flow == nil ? [] : [.call(.look(assignment.id))] }
        if new.mayJoin != flow?.mayJoin || new.exercise?.breath != flow?.exercise?.breath { notice = nil }
        flow = new
        switch (new.stage, page) {
        case (.exercise, .exercise), (.waiting, .waitRoom), (.waiting, .exerciseDone), (.session, .session): return []
        case (.waiting, .mood), (.mood, .mood): return []
        case (.waiting, .exercise):
            turn(to: .exerciseDone)
            return actions(on: page)
        case (.exercise, _):
            turn(to: .exercise)
            return breathe()
        case (.session, _):
            let wasGuided = guide == .us
            turn(to: .session)
            return (wasGuided ? [.stopBreathing] : []) + actions(on: page)
        case (_, _):
            turn(to: Self.page(for: new.stage))
            return actions(on: page)
        }
    }

    private mutating func turn(to next: Page) {
        page = next
        (question, notice) = (nil, nil)
        along = nil
        if next != .exercise {
            guide = .nobody
            isGuided = false
            pace = nil
        }
    }

    /// The flow is over: completed, or given up elsewhere.
    private mutating func finish() -> [Action] {
        guard page != .completed else { return [] }
        flow = nil
        guard assignment.state == .completed else { return [.end(.givenUp)] }
        turn(to: .completed)
        return []
    }
}
