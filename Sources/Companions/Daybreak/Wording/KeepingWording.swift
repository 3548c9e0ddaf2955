import DaybreakInterfaces

// Backups, and what is erased.
extension Wording {
    static func backedUp(_ file: String) -> String {
        "The whole history is in \(file.shown), readable by you alone. `daybreak restore` brings it back."
    }

    static func restored(_ reply: Service.Restore.Reply) -> String {
        "The history was restored: \(reply.events) events. The one before is kept as \(reply.kept.shown)."
    }

    static func cannotRestore(_ error: Service.CannotRestore) -> String {
        "Nothing was replaced. \(sentence(error.reason))"
    }

    static func namesFiles(_ socket: String, of user: String, _ verb: String) -> String {
        "The daemon at \(socket.shown) is \(user.shown)'s, and could name any file: nothing that it names is touched. "
            + "As \(user.shown) it is done: "
            + "`DAYBREAK_SOCKET=\(socket.shown) runuser -u \(user.shown) -- daybreak \(verb)`."
    }

    static func isThere(_ file: String) -> String { "\(file.shown) is there already; name a file that is not." }

    static let eraseWhat = "Say what: `daybreak erase TASK`, or `daybreak erase --everything`."
    static let eraseNeedsYes =
        "Nothing was erased, because nobody could be asked. Say --yes to erase without a question."
    static let notErased = "Nothing was erased."
    static let yes = "yes"

    static func mayErase(_ task: String) -> String {
        asking(
            "This erases the mood and the notes of task “\(task.shown)” for good, and with them every backup that "
                + "Daybreak keeps by itself. Backups that you made are yours to remove.")
    }

    static let mayEraseEverything = asking(
        "This erases all that ever happened, for good, and every backup that Daybreak keeps by itself. Your schedule "
            + "stays, and is taken in anew. Backups that you made are yours to remove.")

    /// In lines that a terminal of 80 columns does not break.
    private static func asking(_ text: String) -> String {
        text.wrapped(to: 79).joined(separator: "\n") + "\nType yes to go on: "
    }

    static func erased(_ task: String) -> String {
        "The mood and the notes of task “\(task.shown)” are erased, here and in Daybreak's own backups."
    }

    static let erasedEverything = "Everything is erased. The schedule, where there is one, was taken in anew."
}
