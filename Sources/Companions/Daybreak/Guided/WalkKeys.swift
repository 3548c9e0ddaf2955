import Companion
import DaybreakInterfaces

// The keys. On each page, only the keys in ``hints`` work.
extension Walk {
    mutating func press(_ key: Key) -> [Action] {
        if key == .interrupt { return [.end(page == .completed ? .completed : .interrupted)] }
        if isArriving { return key == .character("q") || key == .escape ? leave() : [] }
        notice = nil
        switch overlay {
        case .none: break
        case .draft(let draft): return write(key, in: draft)
        case .question(let question): return answer(question, with: key)
        case .keys:
            overlay = .none
            guard presentation.isPlain, key != .character("?") else { return [] }
        }
        if case .pasted = key {
            notice = Wording.Guided.pasteIsNoKey
            return []
        }
        if case .mood(let place) = page { return choose(key, at: place) }
        if key == .character("q") || key == .escape { return page == .completed ? [.end(.completed)] : leave() }
        guard daemon == .ready else { return [] }
        if key == .character("?"), shows(.keys) {
            overlay = .keys
            return []
        }
        if key == .character("n"), shows(.note) {
            overlay = .draft(Draft(text: unsentNote ?? ""))
            if unsentNote != nil { notice = Wording.Guided.noteIsThereAgain }
            return [.call(.notes)]  // Known before this one, they tell later whether it was kept.
        }
        if mayVisit, let visit = visit(key) { return [.visit(visit)] }
        switch page {
        case .instructions: return ask(.start)
        case .exercise: return pressInExercise(key)
        case .exerciseDone:
            if key == .character("j"), mayJoin { return ask(.join) }
            page = .waitRoom
            return []
        case .waitRoom: return pressInWaitRoom(key)
        case .session: return pressInSession(key)
        case .mood: return []
        case .completed: return [.end(.completed)]
        }
    }

    private func visit(_ key: Key) -> Visit? {
        switch key {
        case .character("f"): .feedback
        case .character("i"): .profile
        default: nil
        }
    }

    func leave() -> [Action] { [.end(page == .completed ? .completed : .left)] }

    mutating func ask(_ request: Request) -> [Action] {
        daemon = .asked(request)
        return [.call(request)]
    }

    private mutating func pressInExercise(_ key: Key) -> [Action] {
        guard guide.isOurs else { return breathe() }
        switch key {
        case .space:
            if case .requested(let pauses) = guide {
                guide = .requested(pauses: !pauses)  // The daemon is told once it leads.
                return []
            }
            return ask(isPaused ? .resume : .pause)
        case .character("r"):
            overlay = .question(.restart)
            return []
        case .character("j") where mayJoin: return ask(.join)
        default: return []
        }
    }

    private mutating func pressInWaitRoom(_ key: Key) -> [Action] {
        switch key {
        case .character("m") where !moodLogged:
            page = .mood(0)
            along = nil
            return []
        case .character("b"):
            guard along != nil else { return [.breatheAlong] }
            along = nil
            return []
        case .character("j") where mayJoin: return ask(.join)
        case .character("a"): return dismissable.map { ask(.dismiss($0.id)) } ?? []
        default: return []
        }
    }

    private mutating func pressInSession(_ key: Key) -> [Action] {
        switch key {
        case .character("o"): return presence?.link.map { [.open($0)] } ?? []
        case .character("l"):
            overlay = .question(.leaveSession)
            return []
        default: return []
        }
    }

    private mutating func answer(_ question: Question, with key: Key) -> [Action] {
        overlay = .none
        guard isConnected, key == .enter || key == .character("y") else { return [] }
        switch question {
        case .restart: return ask(.restart)
        case .leaveSession: return ask(.leave)
        case .logMood(let mood): return ask(.logMood(mood))
        }
    }

    private mutating func choose(_ key: Key, at place: Int) -> [Action] {
        let moods = assignment.moods
        guard !moods.isEmpty else { return leave() }
        switch key {
        case .up: page = .mood((place + moods.count - 1) % moods.count)
        case .down: page = .mood((place + 1) % moods.count)
        case .enter, .space: overlay = .question(.logMood(moods[place]))
        case .escape:
            guard flow?.stage == .waiting else { return leave() }
            page = .waitRoom
        case .character(let letter): return jump(to: letter, from: place)
        default: break
        }
        return []
    }

    /// Points at the next choice that begins with the letter. If none begins with q, `q` leaves.
    private mutating func jump(to letter: Character, from place: Int) -> [Action] {
        let moods = assignment.moods
        let round = (1...moods.count).map { (place + $0) % moods.count }
        if let found = round.first(where: { moods[$0].first?.lowercased() == letter.lowercased() }) {
            page = .mood(found)
            return []
        }
        return letter == "q" ? leave() : []
    }
}

extension Walk {
    /// The keys that work now or in a moment; while they are explained, only the key that goes back.
    var hints: [KeyHint] {
        var hints = seenHints
        guard isArriving else { return hints }
        let leaving = [KeyHint.of(.leave), KeyHint.of(.escape)]
        for place in hints.indices { hints[place].isAwaited = !leaving.contains(hints[place]) }
        return hints
    }

    private func shows(_ does: KeyHint.Effect) -> Bool { seenHints.contains(KeyHint.of(does)) }

    private var seenHints: [KeyHint] {
        let leaves = KeyHint.of(.leave)
        if let draft = noteInField {
            let waits = presentation.isPlain && draft.state != .written
            return waits ? [leaves] : [KeyHint.of(.keep), KeyHint.of(.discard)]
        }
        guard isConnected else { return [leaves] }
        if showsKeys, !presentation.isPlain { return [KeyHint.of(.hideKeys)] }
        if question != nil { return [KeyHint.of(.yes), KeyHint.of(.no)] }
        let join = mayJoin ? [KeyHint.of(.join)] : []
        let keys = KeyHint.of(.keys)
        let note = KeyHint.of(.note)
        let visits = mayVisit ? [KeyHint.of(.feedback), KeyHint.of(.profile)] : []
        switch page {
        case .instructions: return [KeyHint.of(flow == nil ? .begin : .goOn), keys, leaves]
        case .exercise where !guide.isOurs: return [KeyHint.of(.bringBack), leaves]
        case .exercise:
            let pause = KeyHint.of(isPaused ? .resume : .pause)
            return [pause, KeyHint.of(.restart)] + join + [note, keys, leaves]
        case .exerciseDone: return [KeyHint.of(.goOn)] + join + [leaves]
        case .waitRoom:
            let mood = moodLogged ? [] : [KeyHint.of(.mood)]
            let dismiss = dismissable == nil ? [] : [KeyHint.of(.dismiss)]
            return join + mood + [KeyHint.of(along == nil ? .along : .alone), note] + dismiss + visits + [keys, leaves]
        case .session:
            let open = presence?.link == nil ? [] : [KeyHint.of(.open)]
            return open + [KeyHint.of(.leaveSession), note] + visits + [keys, KeyHint.of(.away)]
        case .mood:
            let back = KeyHint.of(flow?.stage == .waiting ? .back : .escape)
            return [KeyHint.of(.choose), KeyHint.of(.take), back]
        case .completed: return visits + [KeyHint.of(visits.isEmpty ? .close : .closeOtherwise)]
        }
    }
}
