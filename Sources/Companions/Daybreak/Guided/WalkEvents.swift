import Companion
import DaybreakInterfaces

// The effect of each input.
extension Walk {
    /// The actions with which a walk begins.
    var firstActions: [Action] { actions(on: page) }

    private func actions(on page: Page) -> [Action] {
        switch page {
        case .waitRoom, .exerciseDone: [.call(.notes)] + announcementActions
        case .session: [.call(.presence), .call(.notes)] + announcementActions
        case .mood: announcementActions
        default: []
        }
    }

    private var announcementActions: [Action] {
        let counts = [status.news?.broadcasts, status.news?.surveysDue].compactMap { $0 }
        return counts.contains { $0 > 0 } ? [.call(.announcements)] : []
    }

    mutating func take(_ input: Input) -> [Action] {
        let before = onward
        let actions = carryOut(input) + sendNote()
        if onward != before { arrival = onward == nil || presentation.isPlain || input.isClients ? nil : .unseen }
        return actions
    }

    private mutating func carryOut(_ input: Input) -> [Action] {
        switch input {
        case .key(let key): return press(key)
        case .chosen(let place):
            guard case .mood = page, assignment.moods.indices.contains(place) else { return [] }
            page = .mood(place)
            return press(.enter)
        case .wrote(let text):
            let draft = Draft(text: text)
            let excess = draft.note.utf8.count - Self.noteLimit
            guard excess <= 0 else {
                mistypedLines += 1
                notice = Wording.Guided.notTaken(excess: excess)
                return []
            }
            overlay = .draft(draft)
            return press(.enter)
        case .mistyped(let line):
            mistypedLines += 1
            if overlay == .keys { overlay = .none }
            if isConnected { notice = Wording.Guided.mistyped(line, in: self) }
        case .notOpened(let link): notice = Wording.Guided.notOpened(link)
        case .breathingAlong(let time): if page == .waitRoom { along = time }
        case .shown(let time): show(at: time)
        case .status(let status): return take(status)
        case .guided(let flow, let time): return takeGuided(flow, at: time)
        case .guidingEnded(let flow, let time):
            guide = flow.stage == .exercise ? .somebodyElse : .nobody
            pace = flow.exercise.map { Pace(exercise: $0, at: time) }
            return follow(flow)
        case .guidingRefused(let sentence):
            guide = .nobody
            notice = sentence
        case .answered(let request, let answer, let time):
            endCall(request)
            return take(answer, to: request, at: time)
        case .refused(let request, let sentence):
            endCall(request)
            if request == .notes { doubtNote() }
            if request == .notes || request == .announcements { return [] }  // An older daemon has none.
            if request == .presence { presence = presence ?? Provider.Presence.Reply(online: false) }
            if case .note(let text) = request { endSending(text, isKept: false) }
            notice = sentence
            // The status that tells why may have come before the refusal.
            return request == .start ? goOver() : []
        case .erased:
            progress = .noFlow
            return [.end(.erased)]
        case .unanswered: notice = Wording.Guided.unanswered
        case .gone:
            if case .asked(.logMood(_)) = daemon { isMoodInDoubt = true }
            daemon = .gone
            if case .sent(let others) = noteInField?.state { setNote(.inDoubt(others: others)) }
            if guide == .us { guide = .requested(pauses: isPaused) }
        case .back:
            daemon = .ready
            guard page == .exercise, case .requested(let pauses) = guide else {
                let actions = actions(on: page)
                return noteInField == nil || actions.contains(.call(.notes)) ? actions : [.call(.notes)] + actions
            }
            return (noteInField == nil ? [] : [.call(.notes)]) + breathe(pausing: pauses)
        }
        return []
    }

    private mutating func endCall(_ request: Request) {
        if daemon == .asked(request) { daemon = .ready }
        if notice == Wording.Guided.unanswered { notice = nil }
    }

    /// Asks the daemon to lead through the exercise.
    mutating func breathe(pausing: Bool = false) -> [Action] {
        guide = .requested(pauses: pausing)
        return [.breathe]
    }
}

// The daemon's replies.
extension Walk {
    private mutating func take(_ new: Homework.Status) -> [Action] {
        let cameOrWent = status.providerOnline != new.providerOnline
        let hadNone = announcementActions.isEmpty
        status = new
        if page == .completed { return [] }
        if openInstead != nil { return goOver() }
        // While this program stood still, the task ended and another was begun.
        if let flow = status.flow, flow.assignment != assignment.id { return [.call(.get(assignment.id))] }
        if page == .instructions, status.flow?.stage ?? .exercise == .exercise {
            progress = Progress(status)
            return []
        }
        switch progress {
        case .noFlow, .begun: guard status.flow != nil else { return [] }
        case .confirmed: break
        }
        let wasSession = page == .session
        var actions = follow(status.flow, isInStatus: true)
        if hadNone, !actions.contains(.call(.announcements)), page != .exercise { actions += announcementActions }
        return actions + (cameOrWent && wasSession && page == .session ? [.call(.presence)] : [])
    }

    /// Asks for the assignment that is open in place of this one. A call on its way is waited for.
    private mutating func goOver() -> [Action] {
        guard let open = openInstead, !isAsking else { return [] }
        return ask(.turn(open))
    }

    private mutating func takeGuided(_ flow: Homework.Flow, at time: Double) -> [Action] {
        let before = guide
        guide = .us
        pace = flow.exercise.map { Pace(exercise: $0, at: time) }
        pattern = flow.exercise?.pattern ?? pattern
        let actions = follow(flow)
        guard before != .us, let exercise = flow.exercise else { return actions }
        let pauses = before == .requested(pauses: true)
        if exercise.paused == pauses { return actions }
        // Paused at once: until the daemon answers, the screen would go on breathing, and the key would mean the opposite.
        if pauses { pace?.exercise.paused = true }
        return actions + [.call(pauses ? .pause : .resume)]
    }

    private mutating func take(_ answer: Answer, to request: Request, at time: Double) -> [Action] {
        switch answer {
        case .presence(let presence): self.presence = presence
        case .notes(let notes):
            self.notes = notes
            lookForNote()
        case .announcements(let announced): self.announced = announced
        case .dismissed: notice = Wording.Guided.isDismissed
        case .assignment(let assignment):
            turn(to: assignment)
            return take(status)
        case .kept(let isShared):
            if case .note(let text) = request { endSending(text, isKept: true) }
            notice = Wording.Guided.noteIsKept(isShared: isShared)
            return [.call(.notes)]
        case .step(let flow, let assignment):
            self.assignment = assignment
            if case .logMood = request, flow != nil { notice = Wording.Guided.moodIsLogged }
            if case .logMood = request, flow?.stage == .waiting { page = .waitRoom }
            return flow == nil ? finish() : follow(flow)
        case .flow(let flow):
            if let exercise = flow.exercise, request != .start { pace = Pace(exercise: exercise, at: time) }
            return follow(flow)
        }
        return []
    }

    /// Turns to the page of the flow's stage.
    private mutating func follow(_ new: Homework.Flow?, isInStatus: Bool = false) -> [Action] {
        guard let new else { return flow == nil ? [] : [.call(.get(assignment.id))] }
        if new.mayJoin != flow?.mayJoin || new.exercise?.breath != flow?.exercise?.breath { notice = nil }
        switch progress {
        case .confirmed: progress = .confirmed(new)
        case .noFlow, .begun: progress = isInStatus ? .confirmed(new) : .begun(new)
        }
        switch (new.stage, page) {
        case (.exercise, .exercise), (.waiting, .waitRoom), (.waiting, .exerciseDone), (.session, .session): return []
        case (.waiting, .mood) where new.moodLogged && !isAsking:
            let mayBeOurs = isMoodInDoubt
            turn(to: .waitRoom)
            notice = mayBeOurs ? Wording.Guided.moodIsLogged : Wording.Guided.moodIsLoggedElsewhere
            return actions(on: page)
        case (.waiting, .mood), (.mood, .mood): return []
        case (.waiting, .exercise):
            turn(to: .exerciseDone)
            return actions(on: page)
        case (.exercise, _):
            turn(to: .exercise)
            return breathe()
        case (.session, _):
            let wasGuided = guide.isOurs
            turn(to: .session)
            return (wasGuided ? [.stopBreathing] : []) + actions(on: page)
        case (_, _):
            turn(to: Self.page(for: new.stage))
            return actions(on: page)
        }
    }

    /// Turns to a page. The draft of a note stays open; a question is closed.
    private mutating func turn(to next: Page) {
        page = next
        if case .question = overlay { overlay = .none }
        notice = nil
        isMoodInDoubt = false
        along = nil
        if next != .exercise {
            guide = .nobody
            pace = nil
        }
    }

    /// The flow is over: completed, or ended by time or in another program.
    private mutating func finish() -> [Action] {
        guard page != .completed else { return [] }
        progress = .noFlow
        guard assignment.state == .completed else { return [.end(.notInProgress)] }
        turn(to: .completed)
        return []
    }
}

// Pages that come by themselves, while the client still looks at the one before.
extension Walk {
    /// The effect of a key that leads on from the page. A key is meant for the effect that the client has seen.
    private enum Onward: Equatable {
        case begin(String, isOnline: Bool), goOn, bringBack, waitRoom, choice, close
    }

    /// Seconds that a person needs to notice a new page and to hold back a key.
    static let recognition = 0.7

    private var onward: Onward? {
        switch page {
        case .instructions: flow == nil ? .begin(assignment.id, isOnline: status.startsWithSession == true) : .goOn
        case .exercise: guide.isOurs ? nil : .bringBack
        case .exerciseDone: .waitRoom
        case .mood: .choice
        case .completed: .close
        case .waitRoom, .session: nil
        }
    }

    private mutating func show(at time: Double) {
        switch arrival {
        case .unseen: arrival = .seen(at: time)
        case .seen(let since) where time - since >= Self.recognition: arrival = nil
        case .seen, nil: break
        }
    }
}

extension Walk.Input {
    /// True for an action of the client, and for the daemon's answer to one.
    fileprivate var isClients: Bool {
        switch self {
        case .key, .chosen, .wrote, .mistyped: true
        case .answered(let request, _, _):
            switch request {
            case .start, .join, .leave, .logMood: true
            case .pause, .resume, .restart, .presence, .note, .notes, .announcements, .dismiss, .get, .turn: false
            }
        default: false
        }
    }
}
