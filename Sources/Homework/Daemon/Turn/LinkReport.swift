import DaybreakInterfaces
import HomeworkHistory
import HomeworkRules
import Time

/// The report of the link's process on the practice and on itself. It is kept in memory alone.
struct LinkReport: Equatable {
    var process = Process.ended(trouble: nil)
    /// When the practice was last heard.
    var heard: Instant?
    /// The address of the meeting.
    var meeting: String?
    var talkingPoints: [Link.TalkingPoint] = []
    /// The practice's announcements, the newest first; nil until it has told them.
    private var announcements: [Link.Announcement]?
    /// The revisions of the announcements that the client dismissed, while the practice still tells them.
    private var dismissed: [String: Int] = [:]
    /// The days of the practice's surveys, the first to open first; nil until it has told them.
    private(set) var surveys: [SurveyDays]?
    /// The number of calls of `LookNow`; `wishes` on the wire.
    var lookNowCalls = 0

    /// The link's process, by its last word on itself.
    enum Process: Equatable {
        case running(Link.Condition, trouble: String?, nextTry: Instant?)
        /// It ended, or has not said anything yet. The last trouble holds on.
        case ended(trouble: String?)

        mutating func end() {
            if case .running(_, let trouble, _) = self { self = .ended(trouble: trouble) }
        }
    }

    /// Called when the link ends.
    mutating func forget() { self = LinkReport(lookNowCalls: lookNowCalls) }

    init(lookNowCalls: Int = 0) { self.lookNowCalls = lookNowCalls }

    /// An announcement that the practice has changed is shown again.
    mutating func take(_ announcements: [Link.Announcement]?) {
        self.announcements = announcements
        dismissed = dismissed.filter { id, revision in
            announcements?.contains { $0.id == id && $0.revision == revision } ?? false
        }
    }

    mutating func take(_ surveys: [SurveyDays]?) { self.surveys = surveys }

    /// The surveys that can be answered now, the first to close first.
    func dueSurveys(at now: Instant) -> [SurveyDays]? {
        surveys?.filter { $0.isDue(at: now) }.sorted { $0.closes < $1.closes }
    }

    func shownAnnouncements(at now: Instant) -> [Link.Announcement]? {
        announcements?.filter { announcement in
            let end = announcement.until.flatMap { DateTime($0)?.instant }
            return dismissed[announcement.id] == nil && end.map { now < $0 } ?? true
        }
    }

    mutating func dismiss(_ id: String) {
        guard let found = announcements?.first(where: { $0.id == id }), found.dismissable else { return }
        dismissed[id] = found.revision
    }

    var knownAnnouncements: Int { announcements?.count ?? 0 }

    var dismissedAnnouncements: [String] { dismissed.keys.sorted() }
}

// Replies about the link.
extension Snapshot {
    /// The limits of one reply, in happenings and in bytes of notes: a client that watches is cut off at 256 KiB unread.
    private static let mostHappenings = 200
    private static let mostText = 32 * 1_024

    var takesPracticesSchedule: Bool { configuration.countsPracticesSchedule(plan) }

    func presentLink() throws -> PracticeLink {
        guard let link = plan.link else { throw Link.NotLinked() }
        return link
    }

    func link() throws -> Link.Get.Reply {
        let counting: Link.Get.Reply.ScheduleFrom = takesPracticesSchedule ? .practice : .file
        guard let link = plan.link else { return Link.Get.Reply(scheduleFrom: counting) }
        let history = try readHistory()
        let sharing = Sharing(link)
        let shares = try link.shares.sorted { $0.key < $1.key }.map { share, event in
            Link.Shared(
                share: Link.Share(share), since: spelling.instant(try history.instant(of: event) ?? moment.instant))
        }
        let oldest = try history.shared(sharing, after: link.reported, limit: 1).first
        let (condition, trouble, nextTry): (Link.Condition?, String?, Instant?) =
            switch linkReport.process {
            case .running(let condition, let trouble, let nextTry): (condition, trouble, nextTry)
            case .ended(let trouble): (nil, trouble, nil)
            }
        return Link.Get.Reply(
            practice: link.practice, device: link.device, shares: shares,
            ended: link.endedElsewhere.isEmpty ? nil : link.endedElsewhere.sorted().map(Link.Share.init),
            reported: link.reported,
            waiting: try history.sharedCount(sharing, after: link.reported),
            oldest: oldest.map { spelling.instant($0.event.moment.instant) },
            lastHeard: linkReport.heard.map(spelling.instant), condition: condition,
            sentence: trouble, nextTry: nextTry.map(spelling.instant), revision: link.revision,
            news: Link.News(link.news), scheduleFrom: counting)
    }

    func happenings() throws -> Link.Happenings.Reply {
        guard let link = plan.link else {
            return Link.Happenings.Reply(
                shares: [], practiceTold: true, takesSchedule: false, hold: false, reported: 0, happenings: [],
                waiting: 0,
                wishes: linkReport.lookNowCalls)
        }
        let history = try readHistory()
        let sharing = Sharing(link)
        return Link.Happenings.Reply(
            practice: link.practice, device: link.device, shares: link.shares.keys.sorted().map(Link.Share.init),
            practiceTold: link.isPracticeTold, revision: link.revision, takesSchedule: takesPracticesSchedule,
            hold: plan.flow != nil || configuration.mustHoldLink, reported: link.reported,
            happenings: fitting(
                try history.shared(sharing, after: link.reported, limit: Self.mostHappenings).compactMap {
                    Link.Happening($0.event, $0.sequence, spelling)
                }),
            waiting: try history.sharedCount(sharing, after: link.reported), wishes: linkReport.lookNowCalls,
            dismissed: linkReport.dismissedAnnouncements.isEmpty ? nil : linkReport.dismissedAnnouncements)
    }

    func announcements() -> Link.Announcements.Reply {
        let due = linkReport.dueSurveys(at: moment.instant)?.map { Link.SurveyDays($0, spelling) }
        let surveys = due?.isEmpty == true ? nil : due
        guard let shown = linkReport.shownAnnouncements(at: moment.instant) else {
            return Link.Announcements.Reply(surveys: surveys)
        }
        let more = (plan.link?.news.broadcasts ?? 0) - linkReport.knownAnnouncements
        return Link.Announcements.Reply(announcements: shown, more: more > 0 ? more : nil, surveys: surveys)
    }

    /// Throws unless the client may dismiss that announcement now.
    func checkDismissable(_ id: String) throws {
        _ = try presentLink()
        let shown = linkReport.shownAnnouncements(at: moment.instant) ?? []
        guard let found = shown.first(where: { $0.id == id }) else { throw Link.NoAnnouncement(announcement: id) }
        guard found.dismissable else { throw Link.AnnouncementStays(announcement: id) }
    }

    /// As many of the first happenings as stay within the limit of notes; at least one.
    private func fitting(_ all: [Link.Happening]) -> [Link.Happening] {
        var text = 0
        return Array(
            all.prefix { happening in
                text += happening.text?.utf8.count ?? 0
                return text <= Self.mostText
            })
    }

    /// Throws if the event of that number is not the one that the practice has.
    func checkHeard(_ sequence: Int, _ id: String?) throws {
        guard sequence > 0 else { return }
        guard let instant = try readHistory().instant(of: sequence), id == Link.Happening.id(sequence, instant) else {
            throw Link.HistoryReplaced()
        }
    }
}

extension PracticeLink {
    /// A sentence for the client; nil if there is no problem.
    var problem: String? {
        guard !endedElsewhere.isEmpty else { return nil }
        return "Your practice hears less than you agreed to here: `daybreak link share` shows it, and --change settles "
            + "it."
    }
}

extension Configuration {
    /// True if the practice's schedule counts, not the file's.
    func countsPracticesSchedule(_ plan: Plan) -> Bool {
        switch scheduleFrom {
        case .file: false
        case .practice: true
        case .auto: plan.link != nil
        }
    }
}

extension Link.Share {
    init(_ share: Share) {
        switch share {
        case .completed: self = .completed
        case .moods: self = .moods
        case .breaths: self = .breaths
        case .notes: self = .notes
        case .waiting: self = .waiting
        }
    }

    var share: Share {
        switch self {
        case .completed: .completed
        case .moods: .moods
        case .breaths: .breaths
        case .notes: .notes
        case .waiting: .waiting
        }
    }
}

extension Link.SurveyDays {
    init(_ days: SurveyDays, _ spelling: Spelling) {
        self.init(id: days.id.text, opens: spelling.instant(days.opens), closes: spelling.instant(days.closes))
    }
}

extension Link.News {
    init(_ counts: NewsCounts) {
        self.init(
            unreadMail: counts.unreadMail, urgentMail: counts.urgentMail, unreadChat: counts.unreadChat,
            surveysDue: counts.surveysDue, broadcasts: counts.broadcasts,
            unreadLessons: counts.unreadLessons > 0 ? counts.unreadLessons : nil)
    }

    /// Nil for a count that is negative or beyond the limit.
    var counts: NewsCounts? {
        let all = [unreadMail, urgentMail, unreadChat, surveysDue, broadcasts, unreadLessons ?? 0]
        guard all.allSatisfy({ (0...NewsCounts.limit).contains($0) }) else { return nil }
        return NewsCounts(
            unreadMail: unreadMail, urgentMail: urgentMail, unreadChat: unreadChat, surveysDue: surveysDue,
            broadcasts: broadcasts, unreadLessons: unreadLessons ?? 0)
    }
}

extension Link.Happening {
    /// Made of the event's own facts, so that a history that was restored has the same ids.
    static func id(_ sequence: Int, _ instant: Instant) -> String { "\(instant.microseconds)-\(sequence)" }

    /// Nil for an event of which no practice hears.
    init?(_ event: Event, _ sequence: Int, _ spelling: Spelling) {
        self.init(
            sequence: sequence, id: Self.id(sequence, event.moment.instant),
            at: spelling.instant(event.moment.instant), day: event.moment.day.description, what: "")
        switch event.what {
        case .started(let id, _): (what, task) = ("started", id.text)
        case .completed(let id, let on): (what, task, day) = ("completed", id.text, on.description)
        case .missed(let id): (what, task) = ("missed", id.text)
        case .cancelled(let id): (what, task) = ("cancelled", id.text)
        case .setAside(let id): (what, task) = ("setAside", id.text)
        case .moodLogged(let id, let word): (what, task, mood) = ("moodLogged", id.text, word.wordUnlessErased)
        case .moodCorrected(let id, let word): (what, task, mood) = ("moodCorrected", id.text, word.wordUnlessErased)
        case .breathed(let id, let drawn): (what, task, breaths) = ("breathed", id.text, drawn)
        case .noteWritten(nil, let note): (what, text) = ("noteWritten", note.text)
        case .exerciseFinished(let id): (what, task) = ("exerciseFinished", id.text)
        case .joined(let id): (what, task) = ("joined", id.text)
        case .left(let id): (what, task) = ("left", id.text)
        case .scheduleTaken(_, _, let taken?): (what, revision) = ("scheduleTaken", taken)
        default: return nil
        }
    }
}
