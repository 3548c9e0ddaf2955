import HomeworkRules
import Time
import Varlink

extension Standing {
    /// For several tasks of one day.
    private static let oneAtATime =
        "There is one task at a time: today's, in the schedule's order, before any that is late."

    /// The rule that puts an assignment into this state, as a sentence for people.
    /// - Parameter first: the due day of the assignment that comes before it; nil if none does.
    func rule(behind first: CalendarDay?, on day: CalendarDay) -> String {
        switch self {
        case .locked(.untilItsDay): "A task unlocks at the first instant of its day."
        case .locked(.afterAnother): Self.oneAtATime
        case .locked(.behind) where first == day: Self.oneAtATime
        case .locked(.behind):
            "There is one task at a time: the one in progress; else today's; else the oldest late one."
        case .eligible(late: false, _):
            "Today's task is the one to do; of several, the first in the schedule's order that is not completed."
        case .eligible(late: true, _):
            "If no task is left for today, the oldest late task is the one to do, within its days of grace."
        case .inProgress:
            "A task in progress can be finished after midnight too, through the day after; then it makes way."
        case .completed: "A completed task stays completed."
        case .missed: "A task can be done on its own day and for the days of grace after it; then it is missed."
        }
    }
}

extension ReminderRule {
    /// This rule as a sentence for people.
    var sentence: String {
        switch self {
        case .withItsDay:
            "A reminder comes when it unlocks: after the quiet hours if it unlocks in them, and the next day if that day is full."
        case .attended:
            "There is no reminder of a task while the client is doing it; a pause counts for half an hour, a session for four hours."
        case .full: "This day has had as many reminders as reminders.at_most allows."
        case .muted:
            "The reminders are muted: one comes when that ends, or after the quiet hours if it ends in them."
        case .quietHours: "These are quiet hours: one reminder comes when they end."
        case .atTimes:
            """
            A reminder comes at each of the times, on the chosen days, outside quiet hours and within the day's limit. If \
            times passed while the machine was off, one reminder makes up for them, unless that is too long ago.
            """
        }
    }
}
