public import HomeworkRules
public import Time
import Varlink

extension Standing {
    /// Of several of one day.
    private static let oneAtATime =
        "There is one task at a time: today's, in the schedule's order, before any that is late."

    /// The rule that puts an assignment into this state, as a sentence for people.
    /// - Parameter first: the day of the one that comes before it, where that is why.
    public func rule(behind first: CalendarDay?, on day: CalendarDay) -> String {
        switch self {
        case .locked(.untilItsDay): "A task unlocks at the first instant of its day."
        case .locked(.afterAnother): Self.oneAtATime
        case .locked(.behind) where first == day: Self.oneAtATime
        case .locked(.behind):
            "There is one task at a time: the one in progress; else today's; else the oldest late one."
        case .eligible(late: false, _):
            "Today's task is the one to do; of several, the first in the schedule's order that is not completed."
        case .eligible(late: true, _):
            "Where nothing is left to do today, the oldest late task is the one to do, within its days of grace."
        case .inProgress:
            "What was begun may be finished, also after midnight, through the day after; then it makes way."
        case .completed: "What is completed stays completed."
        case .missed: "A task can be done on its own day and for the days of grace after it; then it is missed."
        }
    }
}

extension Reminding {
    /// What decides, as a sentence for people.
    public var sentence: String {
        switch self {
        case .withItsDay:
            "It is told of when it unlocks: in quiet hours once they end, and beyond the day's limit on the next day."
        case .attended: "Nobody is reminded of it in the middle of it."
        case .full: "This day has brought as many reminders as it may."
        case .snoozed:
            "It is snoozed: one reminder comes when that ends, or when the quiet hours do into which that falls."
        case .quiet: "These are quiet hours: what comes up in them is told once, when they end."
        case .atTimes:
            """
            It is told of at each of the times, on the chosen days, outside quiet hours and within the day's limit; a time \
            that passed unseen is made up for once, unless that is too long ago.
            """
        }
    }
}
