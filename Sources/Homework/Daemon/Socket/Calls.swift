import DaybreakInterfaces
import HomeworkRules
import HomeworkWire
import TOML
import Time
import Varlink
import VarlinkService

/// What a call of the interfaces comes to. The one place that knows both the caller and what is asked.
struct Calls {
    /// Whose daemon this is.
    let user: UInt32
    /// By which number root is known here, if at all.
    var root: () -> UInt32? = { 0 }
    let clock: () -> (moment: Moment, clock: LocalClock)
    let configuration: () -> Configuration
    var diagnose: () -> Service.Diagnose.Reply = { .init() }

    /// A year of reminders, a few a day, in one reply.
    static let reminderLimit = 2_000

    /// Only the user whose homework it is, and root, who could read the files anyway. Both may do everything.
    func admit(_ user: UInt32) -> Caller? {
        user == self.user || user == root() ? Caller(user: user, rights: []) : nil
    }

    /// A call that can come to nothing is an ask to see its error, in its turn.
    func ask(for request: Request) -> Ask {
        let actor = Actor(user: request.caller.user)
        do { return try ask(for: request.call, actor) } catch {
            return Ask(actor: actor, action: .look, needsHistory: false) { _ in throw error }
        }
    }

    /// Throws an error of Varlink's own, or of the interface, where the call can come to nothing.
    private func ask(for call: Call, _ actor: Actor) throws -> Ask {
        switch call.interface {
        case Provider.name: return try provider(call, actor)
        case Service.name: return try service(call, actor)
        default: return try look(call, actor) ?? homework(call, actor)
        }
    }

    private func service(_ call: Call, _ actor: Actor) throws -> Ask {
        typealias Interface = Service
        switch call.method {
        case Interface.GetPreferences.name:
            let more = call.wantsMore
            return Ask(actor: actor, action: .look, needsHistory: false) {
                Reply.frame($0.preferences, continues: more)
            }
        case Interface.Diagnose.name:
            return Ask(actor: actor, action: .look, needsHistory: false) { [diagnose] _ in Reply.frame(diagnose()) }
        case Interface.Backup.name: return Ask(actor: actor, action: .keep(.backup))
        case Interface.Export.name: return Ask(actor: actor, action: .keep(.export))
        case Interface.GetStorage.name: return Ask(actor: actor, action: .keep(.tell))
        case Interface.Restore.name:
            return Ask(actor: actor, action: .keep(.restore(try call.decode(Interface.Restore.self).file)))
        case Interface.Erase.name:
            let id = try known(try call.decode(Interface.Erase.self).assignment)
            return Ask(actor: actor, action: .keep(.erase(id)))
        case Interface.EraseEverything.name: return Ask(actor: actor, action: .keep(.erase(nil)))
        default: return Ask(actor: actor, action: .reload, reply: { _ in Reply.frame(Nothing()) })
        }
    }

    /// Where only something is to be seen.
    private func look(_ call: Call, _ actor: Actor) throws -> Ask? {
        typealias Interface = Homework
        switch call.method {
        case Interface.List.name:
            let wanted = try call.decode(Interface.List.self)
            let day = try wanted.day.map { text in
                guard let day = CalendarDay(text) else { throw InvalidParameter(parameter: "day") }
                return day
            }
            return Ask(actor: actor, action: .look) { Reply.frame($0.list(all: wanted.all ?? false, due: day)) }
        case Interface.Get.name:
            let id = try known(try call.decode(Interface.Get.self).assignment)
            return Ask(actor: actor, action: .look) {
                Reply.frame(Interface.Get.Reply(assignment: try $0.assignment(id)))
            }
        case Interface.Explain.name:
            let task = try call.decode(Interface.Explain.self).task
            return Ask(actor: actor, action: .look) {
                Reply.frame(Interface.Explain.Reply(explanations: try $0.explanations(of: task)))
            }
        case Interface.Show.name:
            let id = try known(try call.decode(Interface.Show.self).assignment)
            return Ask(actor: actor, action: .look) { Reply.frame(try $0.everything(of: id)) }
        case Interface.GetStatus.name:
            let more = call.wantsMore
            return Ask(
                actor: actor, action: .look, needsHistory: false, reply: { $0.statusReply(continues: more) },
                still: { $0.reply(continues: more) })
        case Interface.GetPattern.name:
            let pattern = try pattern(try call.decode(Interface.GetPattern.self).pattern)
            return Ask(actor: actor, action: .look, needsHistory: false) { _ in
                Reply.frame(Interface.GetPattern.Reply(pattern: Interface.Pattern(pattern)))
            }
        case Interface.Reminders.name: return try reminders(call, actor)
        case Interface.Notes.name:
            let id = try call.decode(Interface.Notes.self).assignment.map(known)
            let more = call.wantsMore
            return Ask(actor: actor, action: .look) { Reply.frame(try $0.notes(of: id), continues: more) }
        default: return nil
        }
    }

    private func reminders(_ call: Call, _ actor: Actor) throws -> Ask {
        let wanted = try call.decode(Homework.Reminders.self)
        let limit = wanted.limit ?? Calls.reminderLimit
        guard (0...Calls.reminderLimit).contains(limit) else { throw InvalidParameter(parameter: "limit") }
        let since = try wanted.since.map { text in
            guard let since = CalendarDay(text).map(clock().clock.start(of:)) ?? DateTime(text)?.instant else {
                throw InvalidParameter(parameter: "since")
            }
            return since
        }
        let more = call.wantsMore
        return Ask(actor: actor, action: .look) {
            Reply.frame(try $0.reminders(since: since, limit: limit, isStream: more), continues: more)
        }
    }

    private func homework(_ call: Call, _ actor: Actor) throws -> Ask {
        typealias Interface = Homework
        switch call.method {
        case Interface.Start.name:
            let start = try call.decode(Interface.Start.self)
            let command = Command.start(try start.assignment.map(known), pattern: try start.pattern.map(pattern))
            return Ask(actor: actor, action: .command(command), reply: flow)
        case Interface.Breathe.name:
            guard call.wantsMore else { throw ExpectedMore() }
            return Ask(actor: actor, action: .command(.breathe)) {
                Reply.frame(Interface.Start.Reply(flow: try $0.flow()), continues: true)
            }
        case Interface.Pause.name: return Ask(actor: actor, action: .command(.pause), reply: flow)
        case Interface.Resume.name: return Ask(actor: actor, action: .command(.resume), reply: flow)
        case Interface.Restart.name: return Ask(actor: actor, action: .command(.restart), reply: flow)
        case Interface.Join.name: return Ask(actor: actor, action: .command(.join), reply: flow)
        case Interface.Snooze.name: return try snooze(call, actor)
        case Interface.EndSnooze.name:
            return Ask(actor: actor, action: .command(.endSnooze)) {
                Reply.frame(Interface.GetStatus.Reply(status: $0.status))
            }
        case Interface.CorrectMood.name: return try correctMood(call, actor)
        case Interface.AddNote.name: return try addNote(call, actor)
        case Interface.Import.name: return try importSchedule(call, actor)
        default: return try step(call, actor)
        }
    }

    private func flow(_ view: View) throws -> [UInt8] {
        Reply.frame(Homework.Start.Reply(flow: try view.flow()))
    }

    /// The calls that may end the flow, and so answer with its assignment.
    private func step(_ call: Call, _ actor: Actor) throws -> Ask {
        typealias Interface = Homework
        let command: Command
        switch call.method {
        case Interface.Leave.name: command = .leave
        case Interface.LogMood.name: command = .logMood(Mood(try call.decode(Interface.LogMood.self).mood))
        case Interface.Cancel.name: command = .cancel
        default: throw MethodNotImplemented(method: call.method)
        }
        return Ask(actor: actor, action: .command(command)) { view in
            guard let id = view.stepped else { throw Interface.NoFlow() }
            let assignment = try view.assignment(id)
            return command == .cancel
                ? Reply.frame(Interface.Get.Reply(assignment: assignment))
                : Reply.frame(Interface.LogMood.Reply(flow: view.maybeFlow, assignment: assignment))
        }
    }

    private func correctMood(_ call: Call, _ actor: Actor) throws -> Ask {
        let wanted = try call.decode(Homework.CorrectMood.self)
        let id = try wanted.assignment.map(known)
        return Ask(actor: actor, action: .command(.correctMood(Mood(wanted.mood), of: id))) { view in
            guard let id = id ?? view.plan.completedLast else { throw Homework.NotCompleted() }
            return Reply.frame(Homework.Get.Reply(assignment: try view.assignment(id)))
        }
    }

    private func addNote(_ call: Call, _ actor: Actor) throws -> Ask {
        let wanted = try call.decode(Homework.AddNote.self)
        guard wanted.assignment == nil || wanted.nextSession != true else {
            throw InvalidParameter(parameter: "nextSession")
        }
        let note: Note
        do { note = try Note(wanted.text) } catch { throw Homework.CannotAddNote(reason: error.sentence) }
        let place = try wanted.assignment.map { NotePlace.assignment(try known($0)) }
        let elsewhere: NotePlace = wanted.nextSession == true ? .nextSession : .here
        return Ask(actor: actor, action: .command(.addNote(note, place ?? elsewhere))) {
            Reply.frame(try $0.written())
        }
    }

    private func snooze(_ call: Call, _ actor: Actor) throws -> Ask {
        let (moment, wall) = clock()
        let text = try call.decode(Homework.Snooze.self).until
        guard let until = When.instant(text, after: moment, on: wall) else {
            throw Homework.CannotSnooze(
                reason: "The time is a length (30m, 1h30m), a time of today's clock (18:00), or an RFC 3339 instant.")
        }
        return Ask(actor: actor, action: .command(.snooze(until: until))) {
            Reply.frame(Homework.GetStatus.Reply(status: $0.status))
        }
    }

    private func importSchedule(_ call: Call, _ actor: Actor) throws -> Ask {
        let wanted = try call.decode(Homework.Import.self)
        let schedule = try ScheduleReader.read(Array(wanted.schedule.utf8), patterns: configuration().patterns)
        guard wanted.dryRun != true else {
            return Ask(actor: actor, action: .look) {
                Reply.frame(Homework.Import.Reply($0.plan.change(by: schedule)))
            }
        }
        let text = Fingerprint(of: Array(wanted.schedule.utf8))
        return Ask(actor: actor, action: .command(.takeSchedule(schedule, file: nil))) {
            var reply = Homework.Import.Reply($0.taken ?? $0.plan.change(by: schedule))
            reply.fileDiffers = $0.isOtherwiseInFile(than: text) ? true : nil
            return Reply.frame(reply)
        }
    }

    private func provider(_ call: Call, _ actor: Actor) throws -> Ask {
        guard call.method == Provider.SetPresence.name else {
            let more = call.wantsMore
            return Ask(actor: actor, action: .look) { Reply.frame($0.presence, continues: more) }
        }
        let told = try call.decode(Provider.SetPresence.self)
        let seconds = told.forSeconds.map { Duration.seconds($0) } ?? configuration().provider.holdFor
        guard seconds >= .seconds(1), seconds <= Presence.longest else {
            throw InvalidParameter(parameter: "forSeconds")
        }
        // As `provider.name` in the settings: it stands on one line of the screen.
        if let name = told.name {
            guard name.utf8.count <= Presence.nameByteLimit, name.unicodeScalars.allSatisfy(\.isPrintable) else {
                throw InvalidParameter(parameter: "name")
            }
        }
        let command = Command.setPresence(online: told.online, name: told.name, lasts: seconds)
        return Ask(actor: actor, action: .command(command)) { _ in Reply.frame(Nothing()) }
    }

    private func pattern(_ text: String) throws -> BreathPattern {
        let book = configuration().patterns
        do { return try book.pattern(text) } catch {
            throw Homework.InvalidPattern(reason: error.sentence, patterns: book.names)
        }
    }

    /// No assignment has a name that could not be one.
    private func known(_ text: String) throws -> AssignmentID {
        guard let id = AssignmentID(text) else { throw Homework.NoSuchAssignment(assignment: text) }
        return id
    }
}
