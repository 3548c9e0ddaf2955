public import Time

/// The days on which a survey of the practice can be answered. The practice tells them; the history does not keep them.
public struct SurveyDays: Hashable, Sendable {
    /// The practice's name of the survey.
    public let id: AssignmentID
    public let opens: Instant
    /// It can be answered until before this instant.
    public let closes: Instant

    /// As many as a practice tells a client's machine.
    public static let limit = 20
    /// The client is reminded a last time so long before the end, or in the second half of shorter days.
    static let lastWord = Duration.seconds(24 * 3_600)

    /// Nil if it closes before it opens.
    public init?(id: AssignmentID, opens: Instant, closes: Instant) {
        guard opens < closes else { return nil }
        (self.id, self.opens, self.closes) = (id, opens, closes)
    }

    public func isDue(at now: Instant) -> Bool { opens <= now && now < closes }

    /// When the client is reminded a last time.
    public var closesSoon: Instant { max(closes + (.zero - Self.lastWord), opens + (closes - opens) / 2) }

    /// When the number of surveys that are due, or a reminder of them, may change next.
    public static func nextChange(_ surveys: [SurveyDays], after now: Instant) -> Instant? {
        surveys.flatMap { [$0.opens, $0.closesSoon, $0.closes] }.filter { $0 > now }.min()
    }
}

extension Decision {
    /// Counts the surveys that are due now, and reminds of each twice: when it opens, and before it closes.
    ///
    /// The names of the reminders say which survey it was, so that the history knows what was said.
    mutating func lookAtSurveys(_ surveys: [SurveyDays]) {
        guard let link = plan.link, !link.today.isNewsSpent else { return }
        let due = surveys.filter { $0.isDue(at: moment.instant) }
        if due.count != link.news.surveysDue {
            var counts = link.news
            counts.surveysDue = due.count
            happen(.newsHeard(counts))
        }
        let words = due.compactMap { survey -> String? in
            let last = "closes:\(survey.id)"
            guard !link.saidOfSurveys.contains(last) else { return nil }
            if survey.closesSoon <= moment.instant { return last }
            let first = "opens:\(survey.id)"
            return link.saidOfSurveys.contains(first) ? nil : first
        }
        guard !words.isEmpty else { return }
        remind(.survey, named: words.joined(separator: "+"), about: nil, count: due.count)
    }
}

extension Reminder {
    /// The openings and last words of surveys that it told: `opens:v17`, `closes:v17`.
    var wordsOfSurveys: [String] {
        guard kind == .survey, let name = id.split(separator: "/").last else { return [] }
        // A day that was taken back leaves a mark behind the name.
        return name.prefix { $0 != "~" }.split(separator: "+").map(String.init).filter { $0.contains(":") }
    }

    /// True if it is the last reminder of a survey that closes soon.
    public var isLastWord: Bool { wordsOfSurveys.contains { $0.hasPrefix("closes:") } }
}

extension PracticeLink {
    /// More than a practice tells at once, twice.
    private static let mostWords = 100

    mutating func noteWords(_ reminder: Reminder) {
        saidOfSurveys += reminder.wordsOfSurveys
        saidOfSurveys.removeFirst(max(0, saidOfSurveys.count - Self.mostWords))
    }
}
