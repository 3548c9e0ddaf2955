import DaybreakInterfaces
import HomeworkRules
import HomeworkWire
import Time
import Varlink

/// What is told to those who asked for more than one reply.
extension ControlServer {
    /// What a call with `more` watches; nil where it is answered once.
    static func stream(of call: Call) -> Connection.Stream? {
        switch call.method {
        case Homework.GetStatus.name: return .status
        case Homework.Reminders.name: return .reminders
        case Homework.Breathe.name: return .guide
        case Homework.Notes.name:
            // What cannot be read is answered with an error, and nothing is watched.
            let wanted = try? call.decode(Homework.Notes.self).assignment
            return .notes(wanted.flatMap { AssignmentID($0) })
        case Provider.Presence.name: return .presence
        case Service.GetPreferences.name: return .preferences
        default: return nil
        }
    }

    func begin(_ stream: Connection.Stream, on connection: Connection, _ frame: [UInt8]) {
        connection.stream = stream
        connection.lastStreamed = frame
        guard stream == .guide else { return }
        if let before = guide, before !== connection { relieved.append(before) }
        guide = connection
        lastStep = nil
    }

    private func finishStream(_ connection: Connection, _ frame: [UInt8]) {
        connection.stream = nil
        connection.send(frame)
        attend(to: connection)
    }

    func tell(_ shown: Daemon.Shown) {
        guideOn(shown.view)
        let watchers = connections.values.filter { $0.stream != nil }
        guard !watchers.isEmpty else { return }
        // Each is spelled once, if anybody wants it.
        lazy var status = shown.view.statusReply(continues: true)
        lazy var presence = Reply.frame(shown.view.presence, continues: true)
        lazy var preferences = Reply.frame(shown.view.preferences, continues: true)
        lazy var reminders = Self.spell(shown.reminders, shown.view)
        for watcher in watchers {
            switch watcher.stream {
            case .status: if shown.statusChanged { stream(status, to: watcher) }
            case .presence: stream(presence, to: watcher)
            case .preferences: stream(preferences, to: watcher)
            case .reminders:
                if shown.currentChanged || !shown.reminders.isEmpty { stream(reminders, to: watcher) }
            case .notes(let id): notes(of: id, shown.view).map { stream($0, to: watcher) }
            case .guide, nil: break
            }
        }
    }

    /// Nil where they cannot be read now.
    private func notes(of id: AssignmentID?, _ view: View) -> [UInt8]? {
        // What was said of them stands then.
        guard view.problem == nil else { return nil }
        do { return Reply.frame(try view.notes(of: id), continues: true) } catch {
            daemon.noteDamage(in: error)
            return nil
        }
    }

    private func stream(_ frame: [UInt8], to watcher: Connection) {
        guard frame != watcher.lastStreamed else { return }
        watcher.lastStreamed = frame
        send(frame, to: watcher)
    }

    private func send(_ frame: [UInt8], to watcher: Connection) {
        watcher.send(frame)
        if watcher.isClosed { attend(to: watcher) }
    }

    private static func spell(_ news: [(reminder: Reminder, moment: Moment)], _ view: View) -> [UInt8] {
        let given = news.map { GivenReminder(reminder: $0.reminder, at: $0.moment.instant) }
        let current = view.spelled(view.currentReminders)
        return Reply.frame(
            Homework.Reminders.Reply(reminders: view.spelled(given), current: current), continues: true)
    }

    /// Tells the one who is being guided of each phase, and of the end.
    private func guideOn(_ view: View) {
        guard let guide else { return }
        let reply = view.maybeFlow.map(Homework.Start.Reply.init(flow:))
        func last() -> [UInt8] { reply.map { Reply.frame($0) } ?? Reply.frame(error: Homework.NoFlow()) }
        for before in relieved { finishStream(before, last()) }
        relieved = []
        guard let reply, reply.flow.stage == .exercise else { return dismiss(guide, last()) }
        let frame = Reply.frame(reply, continues: true)
        let step = Step(view.outlook)
        // Right after the first reply, which knows no step: what it told already is not told again.
        guard lastStep.map({ $0 != step }) ?? (frame != guide.lastStreamed) else { return lastStep = step }
        lastStep = step
        send(frame, to: guide)
    }

    private func dismiss(_ guide: Connection, _ last: [UInt8]) {
        self.guide = nil
        finishStream(guide, last)
    }
}

extension ControlServer {
    /// What makes one reply to a guide differ from the next: not the time that passes within a phase.
    struct Step: Equatable {
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
