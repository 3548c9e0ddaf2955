// Days, identifiers and moods as tests write them: "2027-03-05", "1", "calm".
import HomeworkRules
import Time

extension CalendarDay: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let day = CalendarDay(text) else { preconditionFailure("\(text) is no day") }
        self = day
    }
}

extension AssignmentID: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) {
        guard let id = AssignmentID(text) else { preconditionFailure("\(text) is no identifier") }
        self = id
    }
}

extension Mood: ExpressibleByStringLiteral {
    public init(stringLiteral word: String) { self.init(word) }
}
