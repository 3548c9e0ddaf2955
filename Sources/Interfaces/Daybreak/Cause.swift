extension Homework.Cause {
    /// The cause as one English sentence, the same for the daemon and for its companions.
    /// - Parameter spelled: a day of the interface as the reader writes days.
    public func sentence(_ spelled: (String) -> String) -> String {
        let day = day.map(spelled) ?? ""
        return switch kind {
        case .beforeItsDay: "It unlocks when \(day) begins."
        case .afterAnother: "It unlocks on \(day), after the other one of that day."
        case .behindAnother: "Task \(first ?? "") comes first; this one can be done through \(day)."
        case .today: "It is today's task; it can be done through \(day)."
        case .late: "Its day is over; it can still be done through \(day)."
        case .inProgress: "It is in progress: \(stage?.place ?? "")."
        case .completed: "It was completed on \(day)."
        case .missed: "Its days were over after \(day)."
        }
    }
}

extension Homework.Stage {
    fileprivate var place: String {
        switch self {
        case .exercise: "the breathing comes next"
        case .waiting: "in the wait room"
        case .session: "in the session"
        case .mood: "only its mood is missing"
        }
    }
}
