import HomeworkRules
import Time

/// One kind of event on disk: its name, how it is read, and how it is written.
///
/// The names of kinds and fields never change, and a test holds each. A new kind needs a new version of the history.
struct EventKind: Sendable {
    let name: String
    /// Throws `EventFields.Fault`.
    let read: @Sendable (EventFields) throws -> Happening
    /// Nil for a happening of another kind.
    let write: @Sendable (Happening) -> EventFields?

    static func find(_ name: String) -> EventKind? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The happening's name and fields.
    static func write(_ what: Happening) -> (name: String, fields: EventFields) {
        for kind in all {
            if let fields = kind.write(what) { return (kind.name, fields) }
        }
        preconditionFailure("a kind of event without a row in EventKind.all")
    }

    static let all: [EventKind] = [
        // The schedule. First, because an import has many of these.
        EventKind("assigned", { .assigned(try $0.task()) }) {
            if case .assigned(let task) = $0 { EventFields(task) } else { nil }
        },
        EventKind("revised", { .revised(try $0.task()) }) {
            if case .revised(let task) = $0 { EventFields(task) } else { nil }
        },
        EventKind("moved", { .moved(try $0.id(), position: try $0.number("position")) }) {
            if case .moved(let id, let position) = $0 { EventFields(id, ["position": position]) } else { nil }
        },
        EventKind("withdrawn", about: Happening.withdrawn) { if case .withdrawn(let id) = $0 { id } else { nil } },
        EventKind(
            "scheduleTaken",
            {
                .scheduleTaken(
                    try $0.change(), file: try $0.file(),
                    revision: $0.has("revision") ? try $0.number("revision") : nil)
            }
        ) {
            if case .scheduleTaken(let change, let file, let revision) = $0 {
                EventFields(change, file, revision)
            } else {
                nil
            }
        },
        EventKind("scheduleRefused", { .scheduleRefused(file: try $0.file()) }) {
            if case .scheduleRefused(let file) = $0 { EventFields(nil, ["file": file?.text]) } else { nil }
        },

        // The days.
        EventKind("dayBegan", { .dayBegan(try $0.day("on_day")) }) {
            if case .dayBegan(let day) = $0 { EventFields(nil, ["on_day": day]) } else { nil }
        },
        EventKind("dayTakenBack", { .dayTakenBack(to: try $0.day("on_day")) }) {
            if case .dayTakenBack(let day) = $0 { EventFields(nil, ["on_day": day]) } else { nil }
        },

        // The way through a task.
        EventKind("unlocked", about: Happening.unlocked) { if case .unlocked(let id) = $0 { id } else { nil } },
        EventKind("started", { .started(try $0.id(), try $0.pattern("pattern")) }) {
            if case .started(let id, let pattern) = $0 { EventFields(id, ["pattern": pattern]) } else { nil }
        },
        EventKind("breathingBegan", about: Happening.breathingBegan) {
            if case .breathingBegan(let id) = $0 { id } else { nil }
        },
        EventKind("breathingPaused", about: Happening.breathingPaused) {
            if case .breathingPaused(let id) = $0 { id } else { nil }
        },
        EventKind("guideLeft", about: Happening.guideLeft) { if case .guideLeft(let id) = $0 { id } else { nil } },
        EventKind("breathed", { .breathed(try $0.id(), breaths: try $0.number("breaths")) }) {
            if case .breathed(let id, let breaths) = $0 { EventFields(id, ["breaths": breaths]) } else { nil }
        },
        EventKind("exerciseRestarted", about: Happening.exerciseRestarted) {
            if case .exerciseRestarted(let id) = $0 { id } else { nil }
        },
        EventKind("exerciseFinished", about: Happening.exerciseFinished) {
            if case .exerciseFinished(let id) = $0 { id } else { nil }
        },
        EventKind("joined", about: Happening.joined) { if case .joined(let id) = $0 { id } else { nil } },
        EventKind("left", about: Happening.left) { if case .left(let id) = $0 { id } else { nil } },
        EventKind("moodLogged", { .moodLogged(try $0.id(), Mood(try $0.text("mood"))) }) {
            if case .moodLogged(let id, let mood) = $0 { EventFields(id, ["mood": mood.word]) } else { nil }
        },
        EventKind("moodCorrected", { .moodCorrected(try $0.id(), Mood(try $0.text("mood"))) }) {
            if case .moodCorrected(let id, let mood) = $0 { EventFields(id, ["mood": mood.word]) } else { nil }
        },
        EventKind("completed", { .completed(try $0.id(), on: try $0.day("on_day")) }) {
            if case .completed(let id, let day) = $0 { EventFields(id, ["on_day": day]) } else { nil }
        },
        EventKind("cancelled", about: Happening.cancelled) { if case .cancelled(let id) = $0 { id } else { nil } },
        EventKind("setAside", about: Happening.setAside) { if case .setAside(let id) = $0 { id } else { nil } },

        // Notes, and erasure.
        EventKind("noteWritten", { .noteWritten(try $0.optionalID(), Note(recorded: try $0.text("note"))) }) {
            if case .noteWritten(let id, let note) = $0 { EventFields(id, ["note": note.text]) } else { nil }
        },
        EventKind("erased", { .erased(try $0.optionalID()) }) {
            if case .erased(let id) = $0 { EventFields(id) } else { nil }
        },
        EventKind("talkingPointsErased", { _ in .talkingPointsErased }) {
            if case .talkingPointsErased = $0 { EventFields() } else { nil }
        },

        // The provider, and the reminders.
        EventKind("presenceTold", { .presenceTold(try $0.presence()) }) {
            if case .presenceTold(let presence) = $0 { EventFields(presence) } else { nil }
        },
        EventKind("snoozed", { .snoozed(until: try $0.instant("until")) }) {
            if case .snoozed(let until) = $0 { EventFields(nil, ["until": until]) } else { nil }
        },
        EventKind("snoozeEnded", { _ in .snoozeEnded }) {
            if case .snoozeEnded = $0 { EventFields() } else { nil }
        },
        EventKind("reminded", { .reminded(try $0.reminder()) }) {
            if case .reminded(let reminder) = $0 { EventFields(reminder) } else { nil }
        },
        EventKind("held", { .held(try $0.reminder()) }) {
            if case .held(let reminder) = $0 { EventFields(reminder) } else { nil }
        },
        EventKind("reminderSent", { .reminderSent(try $0.text("reminder")) }) {
            if case .reminderSent(let id) = $0 { EventFields(nil, ["reminder": id]) } else { nil }
        },

        // The practice.
        EventKind("missed", about: Happening.missed) { if case .missed(let id) = $0 { id } else { nil } },
        EventKind("linked", { .linked(practice: try $0.text("practice"), device: try $0.text("device")) }) {
            if case .linked(let practice, let device) = $0 {
                EventFields(nil, ["practice": practice, "device": device])
            } else {
                nil
            }
        },
        EventKind(
            "sharesChanged", { .sharesChanged(try $0.shares("shares"), isPracticeTold: try $0.bool("told")) }
        ) {
            if case .sharesChanged(let shares, let isTold) = $0 {
                EventFields(nil, ["shares": shares.sorted().map(\.rawValue).joined(separator: " "), "told": isTold])
            } else {
                nil
            }
        },
        EventKind("reported", { .reported(through: try $0.number("through"), of: try $0.text("device")) }) {
            if case .reported(let through, let device) = $0 {
                EventFields(nil, ["through": through, "device": device])
            } else {
                nil
            }
        },
        EventKind("deviceRenewed", { .deviceRenewed(try $0.text("device")) }) {
            if case .deviceRenewed(let device) = $0 { EventFields(nil, ["device": device]) } else { nil }
        },
        EventKind("newsHeard", { .newsHeard(try $0.news()) }) {
            if case .newsHeard(let counts) = $0 { EventFields(counts) } else { nil }
        },
        EventKind("unlinked", { _ in .unlinked }) { if case .unlinked = $0 { EventFields() } else { nil } },
        EventKind("completedElsewhere", { .completedElsewhere(try $0.id(), on: try $0.day("on_day")) }) {
            if case .completedElsewhere(let id, let day) = $0 { EventFields(id, ["on_day": day]) } else { nil }
        },
    ]

    private init(
        _ name: String, _ read: @escaping @Sendable (EventFields) throws -> Happening,
        write: @escaping @Sendable (Happening) -> EventFields?
    ) {
        self.name = name
        self.read = read
        self.write = write
    }

    /// A kind whose events have only the assignment.
    private init(
        _ name: String, about make: @escaping @Sendable (AssignmentID) -> Happening,
        write: @escaping @Sendable (Happening) -> AssignmentID?
    ) {
        self.init(name, { make(try $0.id()) }) {
            write($0).map { EventFields($0) }
        }
    }
}

// MARK: Fields of several kinds

extension EventFields {
    fileprivate init(_ task: Assignment) {
        self.init(
            task.id,
            [
                "due": task.due, "breaths": task.breaths, "moods": task.moods, "position": task.position,
                "pattern": task.pattern,
            ])
    }

    fileprivate func task() throws(Fault) -> Assignment {
        Assignment(
            id: try id(), due: try day("due"), breaths: try number("breaths"),
            moods: try texts("moods").map { Mood($0) },
            pattern: has("pattern") ? try pattern("pattern") : nil, position: try number("position"))
    }

    fileprivate init(_ change: ScheduleChange, _ file: Fingerprint?, _ revision: Int?) {
        self.init(
            nil,
            [
                "added": change.added, "changed": change.changed, "withdrawn": change.withdrawn,
                "unchanged": change.unchanged, "kept": change.kept, "file": file?.text,
                "revision": revision,
            ])
    }

    fileprivate func change() throws(Fault) -> ScheduleChange {
        ScheduleChange(
            added: try number("added"), changed: try number("changed"), withdrawn: try number("withdrawn"),
            unchanged: try number("unchanged"), kept: try number("kept"))
    }

    fileprivate func file() throws(Fault) -> Fingerprint? {
        has("file") ? Fingerprint(try text("file")) : nil
    }

    fileprivate init(_ presence: Presence) {
        self.init(
            nil,
            [
                "online": presence.online, "provider": presence.name, "since": presence.since, "until": presence.until,
            ])
    }

    fileprivate func presence() throws(Fault) -> Presence {
        Presence(
            online: try bool("online"), name: has("provider") ? try text("provider") : nil,
            since: try instant("since"), until: try instant("until"))
    }

    fileprivate init(_ counts: NewsCounts) {
        self.init(
            nil,
            [
                "unread_mail": counts.unreadMail, "urgent_mail": counts.urgentMail, "unread_chat": counts.unreadChat,
                "surveys_due": counts.surveysDue, "broadcasts": counts.broadcasts,
                "unread_lessons": counts.unreadLessons > 0 ? counts.unreadLessons : nil,
            ])
    }

    fileprivate func news() throws(Fault) -> NewsCounts {
        NewsCounts(
            unreadMail: try number("unread_mail"), urgentMail: try number("urgent_mail"),
            unreadChat: try number("unread_chat"), surveysDue: try number("surveys_due"),
            broadcasts: try number("broadcasts"),
            unreadLessons: has("unread_lessons") ? try number("unread_lessons") : 0)
    }

    /// Names of shares, with a space between.
    fileprivate func shares(_ name: String) throws(Fault) -> Set<Share> {
        var shares: Set<Share> = []
        for word in try text(name).split(separator: " ") {
            guard let share = Share(rawValue: String(word)) else { throw Fault(field: name) }
            shares.insert(share)
        }
        return shares
    }

    fileprivate init(_ reminder: Reminder) {
        self.init(
            reminder.assignment,
            [
                "due": reminder.due, "reminder": reminder.id, "reminder_kind": ReminderNames.name(of: reminder.kind),
                "count": reminder.count,
            ])
    }

    fileprivate func reminder() throws(Fault) -> Reminder {
        guard let kind = ReminderNames.kind(of: try text("reminder_kind")) else { throw Fault(field: "reminder_kind") }
        return Reminder(
            id: try text("reminder"), kind: kind, assignment: try optionalID(), due: has("due") ? try day("due") : nil,
            count: try number("count"))
    }
}

/// The kinds of reminder by their names on disk.
enum ReminderNames {
    static func name(of kind: Reminder.Kind) -> String {
        switch kind {
        case .unlocked: "unlocked"
        case .stillOpen: "stillOpen"
        case .overdue: "overdue"
        case .providerAvailable: "providerAvailable"
        case .completed: "completed"
        case .missed: "missed"
        case .scheduleTaken: "scheduleTaken"
        case .scheduleRefused: "scheduleRefused"
        case .mail: "mail"
        case .chat: "chat"
        case .survey: "survey"
        case .broadcast: "broadcast"
        }
    }

    static func kind(of name: String) -> Reminder.Kind? { Reminder.Kind.allCases.first { self.name(of: $0) == name } }
}
