public import DaybreakInterfaces
public import HomeworkRules
public import Time

extension Standing {
    /// Why an assignment is in its state, as one sentence for people.
    public var sentence: String {
        Homework.Cause(self).sentence { CalendarDay($0)?.spoken ?? $0 }
    }
}

extension PatternBook.Fault {
    /// For people. What was written is not repeated: the sentence may end in the journal.
    public var sentence: String {
        switch self {
        case .unknownName(let known):
            "There is no pattern of that name; there are \(known.joined(separator: ", ")), and seconds such as 4-0-6-0."
        case .unsound(.unreadable):
            "A pattern is the seconds of inhale, hold, exhale and hold, such as 4-0-6-0: one or two digits each, and at "
                + "most one more after a point."
        case .unsound(.noBreath): "A pattern needs seconds to inhale and seconds to exhale: else it is no breath."
        case .unsound(.cycleOutOfBounds):
            "A pattern comes to 2 to 60 seconds in all: less is panting, and no breath takes longer."
        }
    }
}

extension Reminder {
    /// What the client is told. Administrators can read a journal: no mood, no note, no name.
    public var sentence: String {
        switch kind {
        case .unlocked: "A task is open. `daybreak start` begins it."
        case .stillOpen: "Your task is still open. `daybreak start` begins it, or goes on."
        case .overdue:
            "A task of an earlier day can still be done. `daybreak start` begins it, or goes on; `daybreak` says until when."
        case .providerAvailable: "Your provider is available. `daybreak join`, or go on with `daybreak start`."
        case .completed: "The task is completed."
        case .missed where count == 1: "A task can no longer be done: its days are over. `daybreak list` shows which."
        case .missed: "\(count) tasks can no longer be done: their days are over. `daybreak list` shows which."
        case .scheduleTaken where count == 1: "The schedule was taken in; it has 1 entry."
        case .scheduleTaken: "The schedule was taken in; it has \(count) entries."
        case .scheduleRefused:
            "The schedule file was refused and the one before stays. `daybreak doctor` says where and why."
        }
    }
}

extension Homework.ReminderKind {
    public init(_ kind: Reminder.Kind) {
        switch kind {
        case .unlocked: self = .unlocked
        case .stillOpen: self = .stillOpen
        case .overdue: self = .overdue
        case .providerAvailable: self = .providerAvailable
        case .completed: self = .completed
        case .missed: self = .missed
        case .scheduleTaken: self = .scheduleTaken
        case .scheduleRefused: self = .scheduleRefused
        }
    }
}

extension Homework.Reminder {
    public init(_ reminder: Reminder, at instant: Instant, _ spelling: Spelling) {
        self.init(
            id: reminder.id,
            kind: Homework.ReminderKind(reminder.kind),
            at: spelling.instant(instant),
            assignment: reminder.assignment?.text,
            message: reminder.sentence)
    }
}

/// What the daemon says of its history, apart from why it cannot be had.
public enum Sentences {
    /// Goes on after "carrying on without recording".
    public static func howToRestore(from copy: String?) -> String {
        let last = copy.map { "; the last that Daybreak made by itself is \($0)" } ?? ""
        return ". It is left as it is: `daybreak restore FILE` puts a backup in its place, and keeps it aside\(last)"
    }

    public static func copyIsDamaged(_ copy: String) -> String {
        "The backup \(copy) is damaged, and no backup is made any more: remove it"
    }

    public static func historyDiffers(from copy: String, at event: Int) -> String {
        """
        The history and its backup \(copy) tell two stories of event \(event): one of them is damaged, and no backup is \
        made any more. `daybreak restore \(copy)` puts the backup in the history's place; where that is the damaged one, \
        remove it
        """
    }
}
