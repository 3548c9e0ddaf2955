// Pages that come by themselves, while the client still looks at the one before.
extension Walk {
    /// What any key leads on to, where any one does, or Enter does; a key is meant for the one that was seen.
    enum Onward: Equatable {
        case begin(isOnline: Bool), goOn, bringBack, waitRoom, choice, close
    }

    /// What leads on now came to be without the client's doing.
    enum Arrival: Equatable {
        case unseen
        /// It stands on the screen, since a time of the monotonic clock.
        case seen(at: Double)
    }

    /// As long as it takes to see that a page is another one, and to hold a key back, in seconds.
    static let recognition = 0.7

    private var onward: Onward? {
        switch page {
        case .instructions: flow == nil ? .begin(isOnline: providerOnline) : .goOn
        case .exercise: guide == .us ? nil : .bringBack
        case .exerciseDone: .waitRoom
        case .mood: .choice
        case .completed: .close
        case .waitRoom, .session: nil
        }
    }

    /// What leads on was not seen yet, and nothing else asks for keys.
    var isArriving: Bool { arrival != nil && draft == nil && question == nil && !showsKeys }

    /// Takes in what happened, and says what is to be done.
    mutating func take(_ input: Input) -> [Action] {
        let before = onward
        let actions = carryOut(input)
        if onward != before { arrival = onward == nil || presentation.isPlain || input.isClients ? nil : .unseen }
        return actions
    }

    /// The page stood on the screen at a time of the monotonic clock.
    mutating func show(at time: Double) {
        switch arrival {
        case .unseen: arrival = .seen(at: time)
        case .seen(let since) where time - since >= Self.recognition: arrival = nil
        case .seen, nil: break
        }
    }
}

extension Walk.Input {
    /// The client's own doing, or what the daemon made of it.
    fileprivate var isClients: Bool {
        switch self {
        case .key, .chosen, .wrote: true
        case .answered(let request, _, _): request.leadsOn
        default: false
        }
    }
}

extension Walk.Request {
    fileprivate var leadsOn: Bool {
        switch self {
        case .start, .join, .leave, .logMood: true
        case .pause, .resume, .restart, .presence, .note, .notes, .look: false
        }
    }
}
