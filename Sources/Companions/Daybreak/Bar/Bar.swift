import DaybreakInterfaces

/// How things stand, at a glance: one line for a status bar or a prompt.
struct Bar: Equatable {
    /// What a bar's style sheet and icons tell apart.
    enum State: String, CaseIterable {
        case away, problem, none, open, breathing, paused, waiting, available, session, mood
    }

    let state: State
    /// Of a few words; empty where there is nothing to do, so that a bar shows nothing.
    let text: String
    /// A few lines for whoever points at it.
    let tooltip: String
    /// Of the exercise, 0 to 100.
    let percentage: Int

    /// The daemon does not answer: what was shown last may no longer be true.
    static let away = Bar(state: .away, text: "", tooltip: Wording.barAway, percentage: 0)

    private init(state: State, text: String, tooltip: String, percentage: Int) {
        self.state = state
        self.text = text
        self.tooltip = tooltip
        self.percentage = percentage
    }

    init(_ status: Homework.Status) {
        state = Self.state(of: status)
        text = Wording.bar(state, status)
        tooltip = Wording.barTooltip(status)
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

    private static func percentage(of flow: Homework.Flow?) -> Int {
        guard let flow else { return 0 }
        guard let exercise = flow.exercise, exercise.breaths > 0 else { return 100 }
        return (exercise.breath - 1) * 100 / exercise.breaths
    }
}

extension Bar {
    /// As Waybar's custom module takes it with `"return-type": "json"` (man 5 waybar-custom).
    struct Waybar: Encodable {
        let text: String
        let alt: String
        let tooltip: String
        let `class`: String
        let percentage: Int
    }

    /// As i3status-rust's custom block takes it with `json = true`.
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
        // An icon of every icon set of theirs.
        return I3StatusRust(
            icon: text.isEmpty ? "" : "tasks", state: urgency, text: text.escapedForPango,
            shortText: Wording.shortBar(state).escapedForPango)
    }
}

extension String {
    /// Both bars read Pango's markup.
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
