import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink
import VarlinkService

/// The open calls with `more`, and the last reply to each.
final class Watchers {
    /// The subject that a client watches.
    enum Topic: Equatable {
        case status, presence, preferences, reminders, guide, link, happenings, announcements
        /// The notes of one assignment; nil: those of the open one and of the next session.
        case notes(AssignmentID?)
    }

    private struct Watcher {
        let request: Request
        let topic: Topic
        var lastTold: [UInt8]
    }

    private var watchers: [Watcher] = []
    /// The client that is guided through its breaths. There is one at a time.
    var guide: Request?
    /// The guides that another one has replaced. They get their last reply in the next turn.
    private var replacedGuides: [Request] = []
    private var lastStep: Step?
    /// Called with the error if a note cannot be read.
    private let reportDamage: (any Error) -> Void

    init(reportDamage: @escaping (any Error) -> Void) { self.reportDamage = reportDamage }

    /// Sends the first reply, and the following ones as they become due.
    func add(_ request: Request, _ topic: Topic, _ frame: [UInt8]) {
        watchers.append(Watcher(request: request, topic: topic, lastTold: frame))
        if topic == .guide {
            if let guide { replacedGuides.append(guide) }
            guide = request
            lastStep = nil
        }
        request.continue(frame: frame)
    }

    /// Forgets a client that has disconnected. Returns false if it did not watch.
    func remove(_ request: Request) -> Bool {
        guard let index = watchers.firstIndex(where: { $0.request === request }) else { return false }
        watchers.remove(at: index)
        replacedGuides.removeAll { $0 === request }
        return true
    }

    /// True if somebody watches that topic.
    func watch(_ topic: Topic) -> Bool { watchers.contains { $0.topic == topic } }

    func isGuide(_ request: Request) -> Bool { guide === request }

    /// Sends each client the reply that has changed for it.
    func tell(_ result: Daemon.TurnResult) {
        tellGuide(result.snapshot)
        guard !watchers.isEmpty else { return }
        // Each reply is encoded at most once, however many clients want it.
        lazy var status = result.snapshot.statusReply(continues: true)
        lazy var presence = Reply.frame(result.snapshot.presence, continues: true)
        lazy var preferences = Reply.frame(result.snapshot.preferences, continues: true)
        lazy var reminders = Self.frame(of: result.reminders, result.snapshot)
        for index in watchers.indices {
            switch watchers[index].topic {
            case .status: if result.statusChanged { tell(index, status) }
            case .presence: tell(index, presence)
            case .preferences: tell(index, preferences)
            case .reminders: if result.currentChanged || !result.reminders.isEmpty { tell(index, reminders) }
            case .notes(let id): frame({ try $0.notes(of: id) }, result.snapshot).map { tell(index, $0) }
            case .link: frame({ try $0.link() }, result.snapshot).map { tell(index, $0) }
            case .happenings: frame({ try $0.happenings() }, result.snapshot).map { tell(index, $0) }
            case .announcements:
                tell(index, Reply.frame(result.snapshot.announcements(), continues: true))
            case .guide: break
            }
        }
    }

    /// Nil if the history cannot be read now: the client gets no reply then.
    private func frame(_ reply: (Snapshot) throws -> some Encodable, _ snapshot: Snapshot) -> [UInt8]? {
        guard snapshot.problem == nil else { return nil }
        do { return Reply.frame(try reply(snapshot), continues: true) } catch {
            reportDamage(error)
            return nil
        }
    }

    private func tell(_ index: Int, _ frame: [UInt8]) {
        guard frame != watchers[index].lastTold else { return }
        watchers[index].lastTold = frame
        watchers[index].request.continue(frame: frame)
    }

    private static func frame(of news: [(reminder: Reminder, moment: Moment)], _ snapshot: Snapshot) -> [UInt8] {
        let given = news.map { GivenReminder(reminder: $0.reminder, at: $0.moment.instant) }
        let current = snapshot.spelled(snapshot.currentReminders)
        return Reply.frame(
            Homework.Reminders.Reply(reminders: snapshot.spelled(given), current: current), continues: true)
    }
}

// The guided client.
extension Watchers {
    /// Sends the guided client a reply for each phase, and the last one at the end.
    private func tellGuide(_ snapshot: Snapshot) {
        guard let guide else { return }
        let reply = snapshot.maybeFlow.map(Homework.Start.Reply.init(flow:))
        let last = reply.map { Reply.frame($0) } ?? Reply.frame(error: Homework.NoFlow())
        for replaced in replacedGuides where remove(replaced) { replaced.reply(frame: last) }
        guard let reply, reply.flow.stage == .exercise else {
            self.guide = nil
            if remove(guide) { guide.reply(frame: last) }
            return
        }
        guard let index = watchers.firstIndex(where: { $0.request === guide }) else { return }
        let frame = Reply.frame(reply, continues: true)
        let step = Step(snapshot.outlook)
        // The first reply has told this step already.
        let isNew = lastStep.map { $0 != step } ?? (frame != watchers[index].lastTold)
        lastStep = step
        if isNew { guide.continue(frame: frame) }
    }

    /// The facts whose change brings the guided client a new reply. Time that passes within a phase is none.
    private struct Step: Equatable {
        let flow: Flow?
        let isProviderOnline: Bool
        let breath: Int?
        let phase: Phase?

        init(_ outlook: Outlook) {
            flow = outlook.flow
            isProviderOnline = outlook.isProviderOnline
            breath = outlook.breathing?.breath
            phase = outlook.breathing?.phase
        }
    }
}
