public import Time

/// One occurrence of a survey: the days on which it can be answered.
public struct SurveyOccurrence: Equatable, Sendable {
    /// From 1.
    public let number: Int
    public let opensOn: CalendarDay
    /// The first day on which it cannot be answered any more.
    public let closesOn: CalendarDay

    /// The occurrences of an enrolment that are not over today, in order.
    public static func all(
        of survey: ProgrammeVersion.Survey, since: CalendarDay, today: CalendarDay
    ) -> [SurveyOccurrence] {
        (0..<survey.times).compactMap { place in
            let opensOn = since + (survey.firstDay - 1 + place * survey.everyDays)
            let closesOn = opensOn + survey.openDays
            return closesOn <= today ? nil : SurveyOccurrence(number: place + 1, opensOn: opensOn, closesOn: closesOn)
        }
    }

    public init(number: Int, opensOn: CalendarDay, closesOn: CalendarDay) {
        (self.number, self.opensOn, self.closesOn) = (number, opensOn, closesOn)
    }

    /// The instants between which it can be answered, in the client's zone: from the first, until before the second.
    public func window(in zone: Zone) -> Range<Instant> {
        let opens = zone.start(of: opensOn)
        // A zone may skip a day whole.
        return opens..<max(opens, zone.start(of: closesOn))
    }
}

/// The state of an occurrence that is not answered.
public enum SurveyWindow: String, Equatable, Sendable {
    case upcoming, due, missed

    public init(_ window: Range<Instant>, at now: Instant) {
        self = now < window.lowerBound ? .upcoming : now < window.upperBound ? .due : .missed
    }
}
