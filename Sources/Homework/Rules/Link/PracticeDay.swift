/// How much the practice had recorded on the present day. A practice may be hostile, and the history keeps everything for ever.
struct PracticeDay: Hashable, Sendable {
    /// Bytes of the changes of its schedules, about as many as the history needs for them.
    private var scheduleBytes = 0
    /// Events of its news, of presences and of the reminders that followed.
    private var newsEvents = 0
    /// Bytes of the changes since the last schedule was taken. They are the practice's if it sent the next one.
    private var changes = 0

    /// Three times the largest schedule that a practice assigns, all of it changed.
    static let scheduleByteLimit = 1_024 * 1_024
    /// A presence is renewed every eight minutes, and a busy client has a hundred letters.
    static let newsLimit = 2_000
    /// The history needs about as many bytes for an event without a text.
    private static let eventBytes = 120

    var isScheduleSpent: Bool { scheduleBytes > Self.scheduleByteLimit }
    var isNewsSpent: Bool { newsEvents > Self.newsLimit }

    mutating func count(_ what: Happening) {
        switch what {
        case .dayBegan, .dayTakenBack: self = PracticeDay()
        // Its withdrawal, which must always be possible, is counted with it.
        case .assigned(let task): changes += 2 * Self.eventBytes + task.bytesOfMoods
        case .revised(let task): changes += Self.eventBytes + task.bytesOfMoods
        case .moved: changes += Self.eventBytes
        case .scheduleTaken(_, _, let revision):
            // With a reminder.
            if revision != nil { scheduleBytes += changes + 2 * Self.eventBytes }
            changes = 0
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
