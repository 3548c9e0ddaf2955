import Companion
import DaybreakInterfaces

/// A key that works now, and what it does.
struct KeyHint: Equatable {
    let key: String
    let does: String
    /// The same at length, after the key's name.
    let means: String
    /// It is not to be shown yet, but will be in its place.
    var isAwaited = false
}

// What the keys do: on each page just those that ``hints`` shows.
extension Walk {
    mutating func press(_ key: Key) -> [Action] {
        if key == .interrupt { return leave() }
        if isArriving { return key == .character("q") || key == .escape ? leave() : [] }
        notice = nil
        if draft != nil { return write(key) }
        if showsKeys {
            showsKeys = false
            guard presentation.isPlain, key != .character("?") else { return [] }
        }
        if let question { return answer(question, with: key) }
        if case .mood(let place) = page { return choose(key, at: place) }
        if key == .character("q") || key == .escape { return page == .completed ? [.end(.completed)] : leave() }
        guard isConnected, asked == nil else { return [] }
        if key == .character("?"), shows(.keys) {
            showsKeys = true
            return []
        }
        if key == .character("n"), shows(.note) {
            draft = ""
            return []
        }
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

    private func leave() -> [Action] { [.end(page == .completed ? .completed : .left)] }

    private mutating func ask(_ request: Request) -> [Action] {
        asked = request
        return [.call(request)]
    }

    private mutating func pressInExercise(_ key: Key) -> [Action] {
        if guide != .us { return breathe() }
        switch key {
        case .space:
            guard isGuided else {
                // Nothing can be resumed before the guiding stands: it is said then.
                keepsPause.toggle()
                return []
            }
            return ask(isPaused ? .resume : .pause)
        case .character("r"):
            question = .restart
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
        default: return []
        }
    }

    private mutating func pressInSession(_ key: Key) -> [Action] {
        switch key {
        case .character("o"): return presence?.link.map { [.open($0)] } ?? []
        case .character("l"):
            question = .leaveSession
            return []
        default: return []
        }
    }

    private mutating func answer(_ question: Question, with key: Key) -> [Action] {
        self.question = nil
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
        case .enter, .space: question = .logMood(moods[place])
        case .escape:
            guard flow?.stage == .waiting else { return leave() }
            page = .waitRoom
        case .character(let letter): return jump(to: letter, from: place)
        default: break
        }
        return []
    }

    /// To the next choice that begins with the letter; q leaves where none does.
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
    /// The keys that work now, and those that will in a moment; while they are explained, the one that goes back.
    var hints: [KeyHint] {
        var hints = seenHints
        guard isArriving else { return hints }
        let leaving = [Wording.Guided.hint(.leave), Wording.Guided.hint(.escape)]
        for place in hints.indices { hints[place].isAwaited = !leaving.contains(hints[place]) }
        return hints
    }

    private func shows(_ does: Wording.Guided.Does) -> Bool { seenHints.contains(Wording.Guided.hint(does)) }

    private var seenHints: [KeyHint] {
        let leaves = Wording.Guided.hint(.leave)
        guard isConnected else { return [leaves] }
        if draft != nil { return [Wording.Guided.hint(.keep), Wording.Guided.hint(.discard)] }
        if showsKeys, !presentation.isPlain { return [Wording.Guided.hint(.hideKeys)] }
        if question != nil { return [Wording.Guided.hint(.yes), Wording.Guided.hint(.no)] }
        let join = mayJoin ? [Wording.Guided.hint(.join)] : []
        let keys = Wording.Guided.hint(.keys)
        let note = Wording.Guided.hint(.note)
        switch page {
        case .instructions: return [Wording.Guided.hint(flow == nil ? .begin : .goOn), keys, leaves]
        case .exercise where guide != .us: return [Wording.Guided.hint(.bringBack), leaves]
        case .exercise:
            let pause = Wording.Guided.hint(isPaused ? .resume : .pause)
            return [pause, Wording.Guided.hint(.restart)] + join + [note, keys, leaves]
        case .exerciseDone: return [Wording.Guided.hint(.goOn)] + join + [leaves]
        case .waitRoom:
            let mood = moodLogged ? [] : [Wording.Guided.hint(.mood)]
            return join + mood + [Wording.Guided.hint(along == nil ? .along : .alone), note, keys, leaves]
        case .session:
            let open = presence?.link == nil ? [] : [Wording.Guided.hint(.open)]
            return open + [Wording.Guided.hint(.leaveSession), note, keys, Wording.Guided.hint(.away)]
        case .mood:
            let back = Wording.Guided.hint(flow?.stage == .waiting ? .back : .escape)
            return [Wording.Guided.hint(.choose), Wording.Guided.hint(.take), back]
        case .completed: return [Wording.Guided.hint(.close)]
        }
    }
}
