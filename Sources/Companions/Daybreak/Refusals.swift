internal import ArgumentParser
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
            return
                "Start it with \(systemctl("restart", served))\(byHand). `daybreak doctor` tells what is wrong if it does not start."
        },
        restartAdvice: { "\(systemctl("restart", DaemonSocket.served(at: $0))) starts the installed one." },
        forms: [
            "since":
                "a day (2026-11-20, yesterday, a weekday), a length up to now (1h30m) or an instant with its offset "
                + "(2026-11-20T18:00+01:00)",
            "until": "a length (30m, 1h30m), a time of today (18:00, 6pm) or an instant with its offset",
            "day": "a day (2026-11-20)",
            "name": "a name of at most 480 bytes, without characters that are not seen",
        ],
        longestCall: { $0 == Homework.Import.name ? 32 * 1024 * 1024 : 64 * 1024 },
        longestSilence: { longestSilence(of: $0) },
        silenceAdvice: { path in
            "`daybreak doctor` tells more; \(systemctl("restart", DaemonSocket.served(at: path))) starts it anew."
        },
        trusts: { peer, _ in DaemonSocket.isTrusted(peer, by: geteuid()) },
        distrustAdvice: DaemonSocket.ownFolderAdvice,
        denial: "daybreakd answers only to the user it runs for.",
        sentence: { reply, _ in Refusal.sentence(reply) })

    /// A minute: a thousand times as long as a call takes. A long history is copied or rewritten in more, and the practice may
    /// be slow when it is looked at.
    private static func longestSilence(of method: String) -> Double? {
        switch method {
        case Service.Backup.name, Service.Export.name, Service.Restore.name, Service.Erase.name,
            Service.EraseEverything.name:
            3_600
        case Link.LookNow.name: nil
        default: 60
        }
    }

    /// A command for the service manager that runs the daemon: "`systemctl --user status daybreakd`". A restart is that of the socket,
    /// and with it of the daemon, because the socket's unit makes the folders that the daemon's needs.
    /// - Parameter served: the user, if the system's manager runs the daemon.
    static func systemctl(_ verb: String, _ served: String?) -> String {
        let unit = verb == "restart" ? "daybreakd.socket" : "daybreakd"
        return served.map { "`systemctl \(verb) daybreakd@\($0.shown)`" } ?? "`systemctl --user \(verb) \(unit)`"
    }
}

extension DaemonConnection {
    convenience init(to path: String) throws(Failure) { try self.init(to: path, of: .daybreakd) }
}

/// A verb whose file has the sentences for the refusals of its own calls.
protocol RefusedVerb {
    static var refusals: [Refusal.Sentence] { get }
}

/// A sentence for each error of the interfaces: the fault, its place, and the next step.
enum Refusal {
    /// Nil for another error than its own.
    typealias Sentence = @Sendable (Reply) -> String?

    static func sentence(_ reply: Reply) -> String? {
        var sentences = general
        for verb in Daybreak.configuration.subcommands {
            if let refused = verb as? any RefusedVerb.Type { sentences += refused.refusals }
        }
        for sentence in sentences { if let said = sentence(reply) { return said } }
        return reply.decodeError(Homework.StorageUnavailable.self).map(storageUnavailable)
    }

    static func on<E: ErrorReply>(_ say: @escaping @Sendable (E) -> String) -> Sentence {
        { reply in reply.decodeError(E.self).map(say) }
    }

    /// The refusals that calls of several verbs meet.
    private static let general: [Sentence] = [
        on { (error: Homework.AlreadyCompleted) in
            "This task was completed already, on \(Wording.day(error.completedOn, today: nil))."
        },
        on { (error: Homework.NoSuchAssignment) in
            "There is no task named “\(error.assignment.shown)”; `daybreak list --all` shows the names."
        },
        on { (_: Homework.NoFlow) in "No task is in progress; `daybreak start` begins one." },
        on { (error: Homework.WrongStage) in wrongStage(error) },
        on { (error: Service.TooManyConnections) in
            "\(crowded(error))\nEnd programs that hold some (`pgrep -af daybreak` lists those of Daybreak), and run this again."
        },
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

    private static func storageUnavailable(_ error: Homework.StorageUnavailable) -> String {
        let outcome =
            error.inDoubt == true
            ? "It is not known whether this was kept, because the history could not be written to the end."
            : error.unread == true
                ? "The history cannot be read, so nothing is known of your tasks, and nothing was changed."
                : "Nothing was changed, because the history cannot be written."
        return "\(outcome) \(Wording.sentence(error.reason)) `daybreak doctor` tells more."
    }
}
