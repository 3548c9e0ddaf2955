import Companion
import DaybreakInterfaces
import Text

/// The status in a few words, for a status bar or a prompt. Anybody near the screen may read them.
struct Bar: Equatable {
    /// The states for which style sheets and icons of bars differ.
    enum State: String, CaseIterable {
        case away, problem, none, open, breathing, paused, waiting, available, session, mood
    }

    let state: State
    /// Empty if there is nothing to do.
    let text: String
    /// A few lines, shown under the pointer.
    let tooltip: String
    /// How much of the exercise is done, 0 to 100.
    let percentage: Int

    /// Shown while the daemon does not answer.
    static let away = Bar(state: .away, text: "", tooltip: "daybreakd does not answer.", percentage: 0)

    private init(state: State, text: String, tooltip: String, percentage: Int) {
        self.state = state
        self.text = text
        self.tooltip = tooltip
        self.percentage = percentage
    }

    init(_ status: Homework.Status) {
        state = Self.state(of: status)
        text = Self.text(state, status)
        tooltip = Self.tooltip(status)
        percentage = Self.percentage(of: status.flow)
    }

    private static func state(of status: Homework.Status) -> State {
        guard status.problem == nil else { return .problem }
        guard let flow = status.flow else { return status.eligible == nil ? .none : .open }
        return switch flow.stage {
        case .exercise where flow.exercise?.guided == true && flow.exercise?.paused == false: .breathing
        case .exercise: .paused
        case .waiting: flow.mayJoin ? .available : .waiting
        case .session: .session
        case .mood: .mood
        }
    }

    private static func text(_ state: State, _ status: Homework.Status) -> String {
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

    /// The lines of `daybreak status`, without the heading and the columns.
    private static func tooltip(_ status: Homework.Status) -> String {
        Wording.status(status, ink: .plain).split(separator: "\n").dropFirst().map { line in
            let words = String(line).parts(around: "  ").filter { !$0.isEmpty }
            return words.map { $0.drop { $0 == " " } }.joined(separator: ": ")
        }
        .joined(separator: "\n")
    }

    private static func percentage(of flow: Homework.Flow?) -> Int {
        guard let flow else { return 0 }
        guard let exercise = flow.exercise, exercise.breaths > 0 else { return 100 }
        // The daemon's numbers may be of any size.
        return Int(max(0, min(1, (Double(exercise.breath) - 1) / Double(exercise.breaths))) * 100)
    }
}

extension Bar.State {
    /// One word at most.
    fileprivate var short: String {
        switch self {
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
}

extension Bar {
    /// For Waybar's custom module with `"return-type": "json"` (man 5 waybar-custom).
    struct Waybar: Encodable {
        let text: String
        let alt: String
        let tooltip: String
        let `class`: String
        let percentage: Int
    }

    /// For i3status-rust's custom block with `json = true`.
    struct I3StatusRust: Encodable {
        let icon: String
        let state: String
        let text: String
        let shortText: String

        enum CodingKeys: String, CodingKey {
            case icon, state, text
            case shortText = "short_text"
        }
    }

    var waybar: Waybar {
        Waybar(
            text: text.escapedForPango, alt: state.rawValue, tooltip: tooltip.escapedForPango, class: state.rawValue,
            percentage: percentage)
    }

    var i3StatusRust: I3StatusRust {
        let urgency =
            switch state {
            case .away, .none: "Idle"
            case .problem: "Warning"
            case .open, .breathing, .paused, .waiting, .session, .mood: "Info"
            case .available: "Good"
            }
        // i3status-rust has this icon in every icon set.
        return I3StatusRust(
            icon: text.isEmpty ? "" : "tasks", state: urgency, text: text.escapedForPango,
            shortText: state.short.escapedForPango)
    }
}

extension String {
    /// For Pango's markup, which both bars read.
    fileprivate var escapedForPango: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.append(character)
            }
        }
    }
}
