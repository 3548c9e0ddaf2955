/// How much the practice had recorded lately. A practice may be hostile, and the history keeps everything for ever: so much at
/// once, and then only so much more with each day.
struct PracticeDay: Hashable, Sendable {
    /// Bytes of the changes of its schedules, about as many as the history needs for them.
    private var scheduleBytes = 0
    /// Events of its news, of presences and of the reminders that followed.
    private var newsEvents = 0
    /// Events that note how far it has heard, and of new names of this history.
    private var reports = 0
    /// Bytes of the changes since the last schedule was taken. They are the practice's if it sent the next one.
    private var changes = 0

    /// Three times the largest schedule that a practice assigns, all of it changed.
    static let scheduleByteLimit = 1_024 * 1_024
    /// Half of the largest schedule, all of it changed. A practice that goes on for years fills 45 MB of each.
    static let scheduleBytesADay = 128 * 1_024
    /// A presence is renewed every eight minutes, and a busy client has a hundred letters.
    static let newsLimit = 2_000
    static let newsADay = 400
    /// A session with shared breaths has some dozens. A practice that forgets everything hears two hundred events with each.
    static let reportLimit = 2_000
    static let reportsADay = 500
    /// The history needs about as many bytes for an event without a text.
    private static let eventBytes = 120

    var isScheduleSpent: Bool { scheduleBytes > Self.scheduleByteLimit }
    var isNewsSpent: Bool { newsEvents > Self.newsLimit }
    var areReportsSpent: Bool { reports > Self.reportLimit }

    mutating func count(_ what: Happening) {
        switch what {
        case .dayBegan:
            scheduleBytes = max(0, min(scheduleBytes, Self.scheduleByteLimit) - Self.scheduleBytesADay)
            newsEvents = max(0, min(newsEvents, Self.newsLimit) - Self.newsADay)
            reports = max(0, min(reports, Self.reportLimit) - Self.reportsADay)
        // Its withdrawal, which must always be possible, is counted with it.
        case .assigned(let task): changes += 2 * Self.eventBytes + task.bytesOfMoods
        case .revised(let task): changes += Self.eventBytes + task.bytesOfMoods
        case .moved: changes += Self.eventBytes
        case .scheduleTaken(_, _, let revision):
            // With a reminder.
            if revision != nil { scheduleBytes += changes + 2 * Self.eventBytes }
            changes = 0
        case .reported, .deviceRenewed: reports += 1
        case .newsHeard, .presenceTold: newsEvents += 1
        case .reminded(let reminder), .held(let reminder): newsEvents += reminder.kind.isOfPractice ? 1 : 0
        default: break
        }
    }
}

extension Assignment {
    /// With the quotation marks and the comma of each.
    fileprivate var bytesOfMoods: Int { moods.reduce(0) { $0 + $1.word.utf8.count + 3 } }
}
