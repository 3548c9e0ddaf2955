import DaybreakInterfaces
import HomeworkRules
import Text
import Time
import Varlink
import VarlinkService

extension Link.Begin: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        guard PracticeLink.isAddress(practice) else { throw InvalidParameter(parameter: "practice") }
        let command = Command.link(
            practice: practice, device: Link.newDevice(), shares: Set(shares.map(\.share)))
        return context.command(command) { Reply(device: try $0.presentLink().device) }
    }
}

extension Link {
    /// A random name, so that it tells nothing of the machine or the client.
    static func newDevice() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Bytes of a sentence of the link's process.
    static let sentenceLimit = 4_096
    /// As many talking points as a practice keeps for one session.
    static let talkingPointLimit = 20
    /// As many announcements as a practice tells a client's machine.
    static let announcementLimit = 10
}

extension Link.SetShares: Handled {
    static let right = Rights.act

    func job(in context: CallContext) -> Job {
        var job = context.command(
            .setShares(Set(shares.map(\.share)), isPracticeTold: practiceTold ?? false, isByClient: from == nil)
        ) { _ in Nothing() }
        if let from {
            job.check = { snapshot in
                guard let link = snapshot.plan.link, Set(link.shares.keys) == Set(from.map(\.share)) else {
                    throw Link.SharesChanged()
                }
            }
        }
        return job
    }
}

extension Link.End: Handled {
    static let right = Rights.act

    func job(in context: CallContext) -> Job {
        var job = context.command(.unlink) { _ in Nothing() }
        job.remember = { $0.forget() }
        return job
    }
}

extension Link.Get: Handled {
    static let right = Rights.read
    static let takesLong = true
    var topic: Watchers.Topic? { .link }

    func job(in context: CallContext) -> Job { context.look { try $0.link() } }
}

extension Link.Happenings: Handled {
    static let right = Rights.read
    static let takesLong = true
    var topic: Watchers.Topic? { .happenings }

    func job(in context: CallContext) -> Job { context.look { try $0.happenings() } }
}

extension Link.Reported: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        guard through >= 0 else { throw InvalidParameter(parameter: "through") }
        var job = context.command(.noteReported(through: through, of: device)) { _ in Nothing() }
        job.check = { snapshot in
            // Another device is refused by the rules, with its name.
            if snapshot.plan.link?.device == device { try snapshot.checkHeard(through, id) }
        }
        let now = context.now.instant
        job.remember = { $0.heard = now }
        return job
    }
}

extension Link.RenewDevice: Handled {
    static let right = Rights.act

    func job(in context: CallContext) -> Job {
        context.command(.renewDevice(device, to: Link.newDevice())) { Reply(device: try $0.presentLink().device) }
    }
}

extension Link.TakeSchedule: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        guard (0...Int(Int32.max)).contains(revision) else { throw InvalidParameter(parameter: "revision") }
        let schedule = try assigned(context)
        let done = (done ?? []).prefix(Schedule.assignedEntryLimit).compactMap(\.checked)
        var job = context.command(
            .takeSchedule(schedule, file: nil, revision: revision, doneElsewhere: done)
        ) {
            Reply($0.taken ?? ScheduleChange())
        }
        job.check = { snapshot in
            _ = try snapshot.presentLink()
            guard snapshot.takesPracticesSchedule else { throw Link.ScheduleFromFile() }
        }
        return job
    }
}

extension Link.TakeSchedule {
    private func assigned(_ context: CallContext) throws -> Schedule {
        guard schedule.utf8.count <= Schedule.assignedByteLimit else {
            throw whole("The schedule has more than \(Schedule.assignedByteLimit) bytes.")
        }
        let read = try context.schedule(Array(schedule.utf8), isRecorded: true)
        guard read.entries.count <= Schedule.assignedEntryLimit else {
            throw whole("The schedule has more than \(Schedule.assignedEntryLimit) tasks.")
        }
        return read
    }

    private func whole(_ reason: String) -> Homework.InvalidSchedule {
        Homework.InvalidSchedule(line: 1, column: 1, reason: reason)
    }
}

extension Link.TakeSchedule.Reply {
    init(_ change: ScheduleChange) {
        self.init(
            added: change.added, changed: change.changed, withdrawn: change.withdrawn, unchanged: change.unchanged,
            kept: change.kept)
    }
}

// A practice is believed no more than these checks allow: it may be a hostile one.
extension Link.TakeNews: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        let name: String?
        do { name = try provider.flatMap(Presence.checked) } catch { throw InvalidParameter(parameter: "provider") }
        let until = availableUntil.flatMap { DateTime($0)?.instant }
        guard (until == nil) == (availableUntil == nil) else { throw InvalidParameter(parameter: "availableUntil") }
        guard let counts = news.counts else { throw InvalidParameter(parameter: "news") }
        guard link.map(WebAddress.isMeeting) ?? true else { throw InvalidParameter(parameter: "link") }
        let points = talkingPoints.prefix(Link.talkingPointLimit).compactMap(\.checked)
        let leftOut = talkingPoints.count - points.count
        let sound = announcements?.prefix(Link.announcementLimit).compactMap(\.checked)
        let days = surveys?.prefix(SurveyDays.limit).compactMap(\.checked)
        let done = (done ?? []).prefix(Schedule.assignedEntryLimit).compactMap(\.checked)
        let news = PracticeNews(
            isAvailable: available, provider: name, availableUntil: until, counts: counts, surveys: days,
            doneElsewhere: done)
        var job = context.command(.takeNews(news, believed: context.configuration.provider.holdFor)) { _ in
            Reply(leftOut: leftOut > 0 ? leftOut : nil)
        }
        let now = context.now.instant
        job.remember = { report in
            report.heard = now
            report.meeting = link
            report.talkingPoints = points
            report.take(sound)
            report.take(days)
        }
        return job
    }
}

extension Link.Announcements: Handled {
    static let right = Rights.read
    static let takesLong = true
    var topic: Watchers.Topic? { .announcements }

    func job(in context: CallContext) -> Job { context.look(needsHistory: false) { $0.announcements() } }
}

extension Link.Dismiss: Handled {
    static let right = Rights.act

    func job(in context: CallContext) -> Job {
        var job = context.remember { $0.dismiss(announcement) }
        job.check = { try $0.checkDismissable(announcement) }
        return job
    }
}

extension Link.Tell: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        if let sentence { guard Link.isLine(sentence) else { throw InvalidParameter(parameter: "sentence") } }
        let next = nextTry.flatMap { DateTime($0)?.instant }
        guard nextTry == nil || next != nil else { throw InvalidParameter(parameter: "nextTry") }
        return context.remember { $0.process = .running(condition, trouble: sentence, nextTry: next) }
    }
}

extension Link {
    fileprivate static func isLine(_ text: String) -> Bool {
        text.utf8.count <= sentenceLimit && text.firstHidden == nil
    }
}

extension Link.TalkingPoint {
    /// The talking point as a note of the client would be kept; nil if it can be none.
    fileprivate var checked: Self? {
        guard DateTime(at) != nil else { return nil }
        do { return Self(at: at, text: try Note(typed: text).text) } catch { return nil }
    }
}

extension Link.Done {
    /// Nil if the task or the day is none.
    fileprivate var checked: DoneElsewhere? {
        guard let task = AssignmentID(task), let day = CalendarDay(day) else { return nil }
        return DoneElsewhere(task, on: day)
    }
}

extension Link.SurveyDays {
    /// Nil if the name or a time is none, or if it closes before it opens.
    fileprivate var checked: SurveyDays? {
        guard let id = AssignmentID(id), let opens = DateTime(opens)?.instant, let closes = DateTime(closes)?.instant
        else { return nil }
        return SurveyDays(id: id, opens: opens, closes: closes)
    }
}

extension Link.Announcement {
    /// The announcement with a text as a note of the client would be kept; nil if it can be none.
    fileprivate var checked: Self? {
        guard AssignmentID(id) != nil, until.map({ DateTime($0) != nil }) ?? true else { return nil }
        var checked = self
        do { checked.text = try Note(typed: text).text } catch { return nil }
        return checked
    }
}

extension Link.LookNow: Handled {
    static let right = Rights.act

    func job(in context: CallContext) -> Job {
        context.remember { $0.lookNowCalls += 1 }
    }
}
