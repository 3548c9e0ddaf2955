import DaybreakInterfaces

// One clear sentence for each error of the interfaces: what, where, and what to do next.
extension Wording {
    static func locked(_ error: Homework.Locked) -> String {
        "This task is still locked: it unlocks \(time(error.unlocksAt, today: nil))."
    }

    static func notEligible(_ error: Homework.NotEligible) -> String {
        let reason = reason(error.cause, else: error.reason)
        return error.eligible == nil
            ? "This task cannot be started. \(reason)"
            : "This task cannot be started now. \(reason) `daybreak start` takes up the one that is open."
    }

    static func nothingEligible(_ error: Homework.NothingEligible) -> String {
        guard let next = error.nextUnlock else { return "There is no task to do now, and none is scheduled after it." }
        return "There is no task to do now; the next one unlocks \(time(next, today: nil))."
    }

    static func alreadyCompleted(_ error: Homework.AlreadyCompleted) -> String {
        "This task was completed already, on \(day(error.completedOn, today: nil))."
    }

    static func noSuchAssignment(_ error: Homework.NoSuchAssignment) -> String {
        "There is no task named “\(error.assignment.shown)”; `daybreak list --all` shows the names."
    }

    static let noFlow = "No task is in progress; `daybreak start` begins one."

    static func wrongStage(_ error: Homework.WrongStage) -> String {
        let possible = choices(error.allowed.map(place))
        return
            "That goes with \(possible); the task stands at \(place(error.stage)). `daybreak start` goes on from there."
    }

    private static func place(_ name: String) -> String {
        Homework.Stage(rawValue: name).map { "the \(stage($0))" } ?? name.shown
    }

    static let notGuided =
        "Nobody is being led through the exercise now; `daybreak start` or `daybreak breathe` goes on with it."

    static let providerUnavailable =
        "The provider is not available now; `daybreak start` goes on with the task, and says when they are."

    static func moodNotOffered(_ error: Homework.MoodNotOffered) -> String {
        "That mood is not among this task's choices: \(choices(error.moods))."
    }

    static let moodAlreadyLogged = "The mood of this task is logged already."

    static func notCompleted(_ error: Homework.NotCompleted) -> String {
        error.assignment == nil
            ? "No task is completed yet, so there is no mood to correct."
            : "This task is not completed yet; `daybreak mood WORD` logs its mood, which can be corrected afterwards."
    }

    static func cannotAddNote(_ error: Homework.CannotAddNote) -> String {
        "The note was not kept. \(sentence(error.reason))"
    }

    static func cannotSnooze(_ error: Homework.CannotSnooze) -> String {
        "The reminders were not snoozed. \(sentence(error.reason))"
    }

    static func invalidPattern(_ error: Homework.InvalidPattern) -> String { sentence(error.reason) }

    static func patternStands(_ error: Homework.PatternStands) -> String {
        "The exercise was begun with the pattern \(error.pattern.shown), and goes on with it. "
            + "`daybreak start` without a pattern goes on."
    }

    static func invalidSchedule(_ error: Homework.InvalidSchedule, file: String) -> String {
        let entry = error.entry.map { "entry \($0): " } ?? ""
        return "\(file):\(error.line):\(error.column): \(entry)\(error.reason.shown)"
    }

    /// "`systemctl --user status daybreakd`", of the manager that runs it; `served` is the user of the system's own.
    static func systemctl(_ verb: String, _ served: String?) -> String {
        served.map { "`systemctl \(verb) daybreakd@\($0.shown)`" } ?? "`systemctl --user \(verb) daybreakd`"
    }

    static func storageUnavailable(_ error: Homework.StorageUnavailable, of served: String?) -> String {
        let outcome =
            error.inDoubt == true
            ? "It is not known whether this was kept, because the history could not be written to the end."
            : "Nothing was changed, because the history cannot be written."
        return "\(outcome) \(sentence(error.reason)) \(systemctl("status", served)) shows more."
    }

    static func invalidConfiguration(_ error: Service.InvalidConfiguration) -> String {
        let line = error.line.map { ":\($0)" } ?? ""
        return "\(error.file.shown)\(line): \(error.reason.shown) The last good configuration stays in force."
    }

    static let repliesUnread =
        "daybreakd stopped telling more, because too much of it was not read; run this again to go on."

    static let callUnfinished = "daybreakd waited in vain for the rest of what was asked; run this again."

    static func unknownRefusal(_ name: String) -> String {
        "daybreakd refused this: \(name.shown)."
    }

    static func invalidParameter(_ parameter: String) -> String {
        "daybreakd cannot make sense of what was given for “\(parameter.shown)”; `daybreak help` and the verb say its form."
    }

    static let permissionDenied = "daybreakd answers only to the user it runs for."

    static func notSpoken(_ name: String, by served: String?) -> String {
        "daybreakd does not know what was asked (\(name.shown)); daybreak and daybreakd may be of different versions. "
            + "\(systemctl("restart", served)) starts the installed one."
    }

    static func notUnderstood(_ what: String) -> String {
        "daybreakd answered in a way that daybreak does not understand (\(what.shown)); they may be of different versions."
    }

    static let replyToNoCall = "a reply to no call"
    static func replyTooLong(_ bytes: Int) -> String { "a reply of more than \(bytes) bytes" }

    static func noDaemon(at path: String, why: String) -> String {
        let served = DaemonSocket.served(at: path)
        let other = served == nil ? "; where no user manager runs, with `daybreakd &`" : ""
        return "daybreakd cannot be reached at \(path): \(why).\nStart it with \(systemctl("restart", served))\(other)."
    }

    static func notOurs(_ path: String) -> String {
        "\(path) belongs to someone else, so it is not used; set XDG_RUNTIME_DIR to a folder of your own."
    }

    static let connectionEnded = "it hung up"

    /// Ends in a full stop.
    static func sentence(_ text: String) -> String {
        let text = text.shown
        guard let last = text.last else { return "" }
        return ".!?".contains(last) ? capitalised(text) : capitalised(text) + "."
    }
}
