import DaybreakInterfaces
import Files
import HomeworkRules
import Time

extension Standing {
    /// The reason why an assignment is in its state, as one sentence for people.
    var sentence: String {
        Homework.Cause(self).sentence { CalendarDay($0)?.spoken ?? $0 }
    }
}

extension Reminder {
    /// The reminder's text. Administrators can read the journal, so it has no mood, no note and no name in it.
    var sentence: String {
        switch kind {
        case .unlocked: "A task is open. `daybreak start` begins it."
        case .stillOpen: "Your task is still open. `daybreak start` begins it, or goes on."
        case .overdue:
            "A task of an earlier day can still be done. `daybreak start` begins it, or goes on; `daybreak` says until when."
        case .providerAvailable: "Your provider is available. `daybreak start` leads to the session."
        case .completed: "The task is completed."
        case .missed where count == 1:
            "A task can no longer be done: its days are over. `daybreak list --missed` shows which."
        case .missed: "\(count) tasks can no longer be done: their days are over. `daybreak list --missed` shows which."
        case .scheduleTaken where count == 1: "The schedule was taken in; it has 1 entry."
        case .scheduleTaken: "The schedule was taken in; it has \(count) entries."
        case .scheduleRefused:
            "The schedule file was refused: nothing of it was taken in. `daybreak doctor` says where and why."
        case .mail where count == 1: "A letter of your practice is unread."
        case .mail: "\(count) letters of your practice are unread."
        case .chat where count == 1: "A message of your practice is unread."
        case .chat: "\(count) messages of your practice are unread."
        case .survey where isLastWord && count == 1: "A survey of your practice is due, and closes soon."
        case .survey where isLastWord: "\(count) surveys of your practice are due, and one or more close soon."
        case .survey where count == 1: "A survey of your practice is due."
        case .survey: "\(count) surveys of your practice are due."
        case .broadcast where count == 1: "Your practice has an announcement."
        case .broadcast: "Your practice has \(count) announcements."
        }
    }
}

/// Sentences about the history and its copies, with advice.
enum Sentences {
    /// The advice that follows "Daybreak carries on without recording".
    /// - Parameter copy: the last backup that Daybreak made by itself; nil if there is none.
    static func howToRestore(from copy: String?) -> String {
        let last = copy.map { "; the last that Daybreak made by itself is \($0)" } ?? ""
        return ". It is left as it is: `daybreak restore FILE` puts a backup in its place, and keeps it aside\(last)"
    }

    static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

    /// The link after a restore.
    static func restored(_ change: LinkChange) -> String {
        switch change {
        case .stays(let practice, let shares):
            "The link with \(practice) is as before the restore: it shares "
                + (shares.isEmpty ? "nothing." : "\(shares.sorted().map(\.rawValue).joined(separator: ", ")).")
        case .staysEnded(let practice):
            "The file was linked with \(practice). Before the restore there was no link, so there is none: nothing is shared."
        case .sharesNothing(let practice):
            "The history before could not be read, so nothing is shared with \(practice) until `daybreak link share` says "
                + "what."
        }
    }

    static let tooMuchWaits = "Too many backups, exports, restores and erasures wait already: try again later"

    static func copyIsDamaged(_ copy: String) -> String {
        "The backup \(copy) is damaged, and no backup is made any more: remove it"
    }

    static func historyDiffers(from copy: String, at event: Int) -> String {
        """
        The history and its backup \(copy) tell two stories of event \(event): one of them is damaged, and no backup is \
        made any more. `daybreak restore \(File.quoted(copy))` puts the backup in the history's place; where that is the \
        damaged one, remove it
        """
    }
}
