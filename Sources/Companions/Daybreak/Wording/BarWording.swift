import DaybreakInterfaces

// What a status bar shows: a few words that anyone may see who looks over a shoulder.
extension Wording {
    static let barAway = "daybreakd does not answer."

    static func bar(_ state: Bar.State, _ status: Homework.Status) -> String {
        let breath = status.flow?.exercise.map { "breath \($0.breath) of \($0.breaths)" } ?? ""
        return switch state {
        case .away, .none: ""
        case .problem: "Daybreak: a problem"
        case .open: status.providerOnline ? "task open, provider there" : "task open"
        case .breathing: breath
        case .paused: "paused, \(breath)"
        case .waiting: "wait room"
        case .available: "provider there"
        case .session: "in session"
        case .mood: "mood missing"
        }
    }

    static func shortBar(_ state: Bar.State) -> String {
        switch state {
        case .away, .none: ""
        case .problem: "!"
        case .open: "open"
        case .breathing: "breathe"
        case .paused: "paused"
        case .waiting: "wait"
        case .available: "join"
        case .session: "session"
        case .mood: "mood"
        }
    }

    static func barTooltip(_ status: Homework.Status) -> String {
        Self.status(status, ink: .plain).split(separator: "\n").dropFirst().map { line in
            let words = line.split(separator: "  ", maxSplits: 2).map { $0.drop { $0 == " " } }
            return words.joined(separator: ": ")
        }
        .joined(separator: "\n")
    }
}
