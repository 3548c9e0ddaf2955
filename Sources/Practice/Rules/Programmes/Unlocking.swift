public import Time

/// The conditions that keep a client from reading a lesson.
public struct LessonLock: Equatable, Sendable {
    /// The day on which it unlocks at the earliest, if that is to come.
    public var day: CalendarDay?
    /// The title of the lesson that is to be read before.
    public var lesson: String?
    /// The survey that is to be answered before, or whose days are to be over.
    public var survey: Survey?
    /// The day on which the enrolment ended: nothing unlocks any more.
    public var endedOn: CalendarDay?

    public struct Survey: Equatable, Sendable {
        public let title: String
        /// The first day on which it cannot be answered any more.
        public let closesOn: CalendarDay

        public init(title: String, closesOn: CalendarDay) { (self.title, self.closesOn) = (title, closesOn) }
    }

    /// The first day on which the lesson unlocks even if the client does nothing; nil if it never does.
    public var unlocksOn: CalendarDay? {
        guard endedOn == nil, lesson == nil else { return nil }
        return [day, survey?.closesOn].compactMap { $0 }.max()
    }

    /// The reason, for the client and their thanatologist.
    public var sentence: String {
        if let endedOn { return "It was not unlocked when the enrolment ended, on \(endedOn.spoken)." }
        var waits: [String] = []
        if let lesson { waits.append("“\(lesson)” is read") }
        if let survey { waits.append("the survey “\(survey.title)” is answered, or over on \(survey.closesOn.spoken)") }
        let once = waits.isEmpty ? "" : "once \(waits.joined(separator: ", and "))"
        let on = day.map { "on \($0.spoken)" } ?? ""
        return "It unlocks \([on, once].filter { !$0.isEmpty }.joined(separator: ", "))."
    }
}

/// Which lessons of an enrolment are unlocked.
public struct Unlocking: Sendable {
    /// The first day of the enrolment.
    public let since: CalendarDay
    /// The client's day; of an enrolment that ended, the day of its end.
    public let today: CalendarDay
    public let endedOn: CalendarDay?
    public let read: Set<String>
    /// Those of them that were read after the enrolment ended: they unlock nothing.
    private let readSinceEnd: Set<String>
    /// The surveys whose first occurrence is neither answered nor over.
    public let open: [String: LessonLock.Survey]
    private let titles: [String: String]

    public init(
        since: CalendarDay, today: CalendarDay, endedOn: CalendarDay?, read: Set<String>,
        readSinceEnd: Set<String> = [], open: [String: LessonLock.Survey], lessons: [ProgrammeVersion.Lesson]
    ) {
        (self.since, self.today, self.endedOn, self.open) = (since, endedOn ?? today, endedOn, open)
        (self.read, self.readSinceEnd) = (read, readSinceEnd)
        titles = Dictionary(lessons.map { ($0.id, $0.title) }) { first, _ in first }
    }

    /// Nil if the client may read the lesson. A lesson that was read stays unlocked.
    public func lock(of lesson: ProgrammeVersion.Lesson) -> LessonLock? {
        guard !read.contains(lesson.id) else { return nil }
        var lock = LessonLock()
        let day = since + lesson.afterDays
        if day > today { lock.day = day }
        if let before = lesson.afterLesson, !read.contains(before) || readSinceEnd.contains(before) {
            lock.lesson = titles[before] ?? before
        }
        if let survey = lesson.afterSurvey { lock.survey = open[survey] }
        guard lock != LessonLock() else { return nil }
        lock.endedOn = endedOn
        return lock
    }
}
