import Text
public import Time

/// How much there is to read or to answer at the practice.
public struct NewsCounts: Hashable, Sendable {
    public var unreadMail = 0
    public var urgentMail = 0
    public var unreadChat = 0
    public var surveysDue = 0
    public var broadcasts = 0
    /// Lessons that can be read and were not. No reminder tells of them.
    public var unreadLessons = 0

    public init() {}

    public init(
        unreadMail: Int, urgentMail: Int, unreadChat: Int, surveysDue: Int, broadcasts: Int, unreadLessons: Int = 0
    ) {
        self.unreadMail = unreadMail
        self.urgentMail = urgentMail
        self.unreadChat = unreadChat
        self.surveysDue = surveysDue
        self.broadcasts = broadcasts
        self.unreadLessons = unreadLessons
    }

    /// The greatest count. A practice that says more is believed no further.
    public static let limit = 100_000

    /// The count of which a kind of reminder tells; nil for a kind that the practice has no part in.
    func count(of kind: Reminder.Kind) -> Int? {
        switch kind {
        case .mail: unreadMail
        case .chat: unreadChat
        case .survey: surveysDue
        case .broadcast: broadcasts
        case .unlocked, .stillOpen, .overdue, .providerAvailable, .completed, .missed, .scheduleTaken, .scheduleRefused:
            nil
        }
    }
}

/// The practice's news, as far as the history keeps them, and the days of its surveys.
public struct PracticeNews: Hashable, Sendable {
    public let isAvailable: Bool
    /// The provider's name.
    public let provider: String?
    /// Until when the provider is available, as far as the practice knows.
    public let availableUntil: Instant?
    public let counts: NewsCounts
    /// Nil from a practice that tells no days of surveys.
    public let surveys: [SurveyDays]?
    public let doneElsewhere: [DoneElsewhere]

    public init(
        isAvailable: Bool, provider: String?, availableUntil: Instant?, counts: NewsCounts,
        surveys: [SurveyDays]? = nil, doneElsewhere: [DoneElsewhere] = []
    ) {
        self.surveys = surveys
        self.doneElsewhere = doneElsewhere
        self.isAvailable = isAvailable
        self.provider = provider
        self.availableUntil = availableUntil
        self.counts = counts
    }
}

extension PracticeNews {
    /// With the surveys that are due by their days. The practice's clock may differ from this one by some seconds.
    fileprivate func countsByDays(at now: Instant) -> NewsCounts {
        var counts = counts
        if let surveys { counts.surveysDue = surveys.count { $0.isDue(at: now) } }
        return counts
    }
}

extension Decision {
    /// - Parameter believed: for how long the provider counts as available unless the practice says so again.
    mutating func take(_ news: PracticeNews, believed: Duration) throws(Refusal) {
        let link = try presentLink()
        let before = events.count
        take(news.doneElsewhere)
        takePresence(news, believed)
        let counts = news.countsByDays(at: moment.instant)
        if counts != link.news {
            happen(.newsHeard(counts))
            let isUrgent = counts.urgentMail > link.news.urgentMail
            for kind in Reminder.Kind.allCases where kind != .survey || news.surveys == nil {
                remind(ofNews: kind, isUrgent: kind == .mail && isUrgent)
            }
        }
        if let surveys = news.surveys { lookAtSurveys(surveys) }
        if events.count > before, plan.link?.today.isNewsSpent == true { throw .practiceSaysTooMuch }
    }

    /// An unchanged presence is recorded again only when half of its time has passed: the practice repeats it every few
    /// minutes.
    private mutating func takePresence(_ news: PracticeNews, _ believed: Duration) {
        let end = moment.instant + min(believed, Presence.longest)
        let until = min(end, news.availableUntil ?? end)
        let isAvailable = news.isAvailable && until > moment.instant
        if plan.presence?.name == news.provider, isProviderOnline == isAvailable, let present = plan.presence {
            guard isAvailable else { return }
            if present.until <= until, until - present.until <= (end - moment.instant) / 2 { return }
        }
        tellPresence(isAvailable, news.provider, isAvailable ? until - moment.instant : .zero)
    }

    private mutating func remind(ofNews kind: Reminder.Kind, isUrgent: Bool) {
        guard let count = plan.link?.news.count(of: kind), isUrgent || count > plan.link?.remindedOf[kind] ?? 0 else {
            return
        }
        remind(kind, named: "\(nextNumber(of: kind))", about: nil, count: count, isUrgent: isUrgent)
    }
}

extension Plan {
    mutating func hear(_ counts: NewsCounts) {
        link?.news = counts
        for kind in Reminder.Kind.allCases {
            guard let count = counts.count(of: kind) else { continue }
            let reminded = link?.remindedOf[kind] ?? 0
            link?.remindedOf[kind] = min(count, reminded)
            if count == 0 { forgetNews(of: kind) }
        }
    }

    /// The client was reminded of this many, or will be once a reminder can be given.
    mutating func noteNews(_ reminder: Reminder) {
        link?.noteWords(reminder)
        if reminder.kind.isOfPractice { link?.remindedOf[reminder.kind] = reminder.count }
    }

    /// The held reminder, with the present count; nil if there is nothing left to read.
    func stillUnread(of held: Reminder) -> Reminder? {
        guard let count = link?.news.count(of: held.kind), count > 0 else { return nil }
        return Reminder(id: held.id, kind: held.kind, count: min(count, held.count))
    }

    mutating func forgetNews() {
        for kind in Reminder.Kind.allCases where kind.isOfPractice { forgetNews(of: kind) }
    }

    private mutating func forgetNews(of kind: Reminder.Kind) {
        held.removeAll { $0.kind == kind }
        lastReminders.removeAll { $0.reminder.kind == kind }
    }
}
