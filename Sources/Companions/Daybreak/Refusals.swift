import Companion
import DaybreakInterfaces
import Glibc
import Varlink

extension Daemon {
    static let daybreakd = Daemon(
        name: "daybreakd", companion: "daybreak",
        startAdvice: { path in
            let served = DaemonSocket.served(at: path)
            let byHand = served == nil ? "; where no user manager runs, with `daybreakd &`" : ""
            return "Start it with \(systemctl("restart", served))\(byHand)."
        },
        restartAdvice: { "\(systemctl("restart", DaemonSocket.served(at: $0))) starts the installed one." },
        forms: [
            "since": "a day (2026-11-20, yesterday, a weekday) or an instant with its offset (2026-11-20T18:00+01:00)",
            "until": "a length (30m, 1h 30m), a time of today (18:00, 6pm) or an instant with its offset",
            "day": "a day (2026-11-20)",
            "name": "a name of at most 480 bytes, without characters that are not seen",
        ],
        longestCall: { $0 == Homework.Import.name ? 32 * 1024 * 1024 : 64 * 1024 },
        trusts: { peer, _ in DaemonSocket.isTrusted(peer, by: geteuid()) },
        distrustAdvice: DaemonSocket.ownFolderAdvice,
        denial: "daybreakd answers only to the user it runs for.",
        sentence: { reply, path in Refusal.sentence(reply, from: path) })

    /// A command for the service manager that runs the daemon: "`systemctl --user status daybreakd`".
    /// - Parameter served: the user, if the system's manager runs the daemon.
    static func systemctl(_ verb: String, _ served: String?) -> String {
        served.map { "`systemctl \(verb) daybreakd@\($0.shown)`" } ?? "`systemctl --user \(verb) daybreakd`"
    }
}

extension DaemonConnection {
    convenience init(to path: String) throws(Failure) { try self.init(to: path, of: .daybreakd) }
}

/// A sentence for each error of the interfaces: the fault, its place, and the next step.
enum Refusal {
    static func sentence(_ reply: Reply, from path: String) -> String? {
        for sentence in all { if let said = sentence(reply) { return said } }
        return reply.decodeError(Homework.StorageUnavailable.self).map { storageUnavailable($0, at: path) }
    }

    private static func on<E: ErrorReply>(_ say: @escaping @Sendable (E) -> String) -> @Sendable (Reply) -> String? {
        { reply in reply.decodeError(E.self).map(say) }
    }

    private static let all: [@Sendable (Reply) -> String?] = [
        on { (error: Homework.Locked) in
            "This task is still locked: it unlocks \(Wording.time(error.unlocksAt, today: nil))."
        },
        on { (error: Homework.NotEligible) in
            let reason = Wording.reason(error.cause, else: error.reason)
            return error.eligible == nil
                ? "This task cannot be started. \(reason)"
                : "This task cannot be started now. \(reason) `daybreak start` takes up the one that is open."
        },
        on { (error: Homework.NothingEligible) in
            let problem = error.problem.map { " " + Wording.sentence($0) } ?? ""
            guard let next = error.nextUnlock else {
                return "There is no task to do now, and none is scheduled after it." + problem
            }
            return "There is no task to do now; the next one unlocks \(Wording.time(next, today: nil))." + problem
        },
        on { (error: Homework.AlreadyCompleted) in
            "This task was completed already, on \(Wording.day(error.completedOn, today: nil))."
        },
        on { (error: Homework.NoSuchAssignment) in
            "There is no task named “\(error.assignment.shown)”; `daybreak list --all` shows the names."
        },
        on { (_: Homework.NoFlow) in "No task is in progress; `daybreak start` begins one." },
        on { (error: Homework.WrongStage) in wrongStage(error) },
        on { (_: Homework.NotGuided) in
            "Nobody is being led through the exercise now; `daybreak start` or `daybreak breathe` goes on with it."
        },
        on { (_: Homework.ProviderUnavailable) in
            "The provider is not available now; `daybreak start` goes on with the task, and says when they are."
        },
        on { (error: Homework.MoodNotOffered) in
            "That mood is not among this task's choices: \(Wording.choices(error.moods))."
        },
        on { (_: Homework.MoodAlreadyLogged) in "The mood of this task is logged already." },
        on { (error: Homework.NotCompleted) in
            error.assignment == nil
                ? "No task is completed yet, so there is no mood to correct."
                : "This task is not completed yet; `daybreak mood WORD` logs its mood, which can be corrected afterwards."
        },
        on { (error: Homework.CannotAddNote) in "The note was not kept. \(Wording.sentence(error.reason))" },
        on { (error: Homework.CannotSnooze) in "The reminders were not muted. \(Wording.sentence(error.reason))" },
        on { (error: Homework.InvalidPattern) in Wording.sentence(error.reason) },
        on { (error: Homework.PatternStands) in
            "The exercise was begun with the pattern \(error.pattern.shown), and goes on with it. "
                + "`daybreak start` without a pattern goes on."
        },
        on { (_: Homework.ScheduleFromPractice) in
            "Nothing was taken in. Your tasks come from your practice, and a second schedule would contradict it. "
                + "`[schedule] from = \"file\"` in daybreak.toml lets your own count."
        },
        on { (error: Homework.InvalidSchedule) in Schedule.text(error, file: "-") },
        on { (_: Link.NotLinked) in LinkVerb.notLinked.sentence },
        on { (error: Link.LinkedAlready) in
            "This machine is linked with \(error.practice.shown) already; `daybreak link end` ends that."
        },
        on { (_: Link.OtherDevice) in "The history has another name for the practice by now." },
        on { (_: Link.HistoryReplaced) in "The history was replaced since the practice last heard of it." },
        on { (_: Link.TooMuchToday) in "The practice changes its news too often: the rest is taken tomorrow." },
        on { (error: Link.NoAnnouncement) in "There is no announcement “\(error.announcement.shown)” (any more)." },
        on { (_: Link.AnnouncementStays) in "The practice keeps this announcement on show until it ends." },
        on { (_: Link.ScheduleFromFile) in "The settings let tasks.json count, not the practice's schedule." },
        on { (error: Service.InvalidConfiguration) in
            let line = error.line.map { ":\($0)" } ?? ""
            return "\(error.file.shown)\(line): \(error.reason.shown) The last good configuration stays in force, "
                + "and the schedule was not read."
        },
        on { (error: Service.ScheduleNotTaken) in
            "The configuration was read again. \(Wording.sentence(error.reason))"
        },
        on { (error: Service.TooManyConnections) in
            "\(crowded(error))\nEnd programs that hold some (`pgrep -af daybreak` lists those of Daybreak), and run this again."
        },
        on { (error: Service.CannotCopy) in "No copy was made. \(Wording.sentence(error.reason))" },
        on { (error: Service.CannotErase) in "Nothing was erased. \(Wording.sentence(error.reason))" },
        on { (error: Service.CannotRestore) in "Nothing was replaced. \(Wording.sentence(error.reason))" },
        on { (_: Service.RepliesUnread) in
            "daybreakd stopped telling more, because too much of it was not read; run this again to go on."
        },
        on { (_: Service.CallUnfinished) in
            "daybreakd did not receive the rest of the call in time; run this again."
        },
    ]

    private static func crowded(_ error: Service.TooManyConnections) -> String {
        let whose = error.user.map { " of \(Wording.account($0))" }
        return "daybreakd takes no more connections\(whose ?? ""): there are \(error.limit), which is the limit."
    }

    private static func wrongStage(_ error: Homework.WrongStage) -> String {
        let allowed = Wording.choices(error.allowed.map(place))
        return "This is not possible now: it belongs to \(allowed), and the task is at \(place(error.stage)). "
            + "`daybreak start` goes on from there."
    }

    private static func place(_ name: String) -> String {
        switch Homework.Stage(rawValue: name) {
        case .exercise: "the exercise"
        case .waiting: "the wait room"
        case .session: "the session"
        case .mood: "the choice of a mood"
        case nil: name.shown
        }
    }

    private static func storageUnavailable(_ error: Homework.StorageUnavailable, at path: String) -> String {
        let outcome =
            error.inDoubt == true
            ? "It is not known whether this was kept, because the history could not be written to the end."
            : error.unread == true
                ? "The history cannot be read, so nothing is known of your tasks, and nothing was changed."
                : "Nothing was changed, because the history cannot be written."
        let status = Daemon.systemctl("status", DaemonSocket.served(at: path))
        return "\(outcome) \(Wording.sentence(error.reason)) \(status) shows more."
    }
}
