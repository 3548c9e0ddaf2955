// The meaning of each kind of reminder. `systemd/daybreak.catalog` has the same texts for `journalctl -x`; a test compares
// them.
extension Homework.ReminderKind {
    /// The journal's MESSAGE_ID of this kind (man 7 systemd.journal-fields): 128 bits, in hexadecimal. Never changed.
    public var messageID: String {
        switch self {
        case .unlocked: "bb39912e6c7349b6bf553d68c16f2e4c"
        case .stillOpen: "dae1610f9e4a4788a56cb7a256d22f77"
        case .overdue: "db51d52d66e140ed89ecaba8a0f3d4a7"
        case .providerAvailable: "b4dc27dd764c407f8645057a4f9f7ab7"
        case .completed: "9c706e2591e3466194cce0f7a62f554f"
        case .missed: "bdd0c39937fb48cc872f1efe5a16e6b7"
        case .scheduleTaken: "31860a61b892439989811f804726649e"
        case .scheduleRefused: "118e0bde48064ccc870592123c1e39cc"
        case .mail: "87c1827875d433734ea87dd632da2dc5"
        case .chat: "0248ea8b8b80a1574f3d342853029917"
        case .survey: "d61feba45d87f9fc212cb874537d7d81"
        case .broadcast: "fe3d3ca4709e4d71e1b719015f6c0235"
        }
    }

    /// The meaning in a few words.
    public var title: String {
        switch self {
        case .unlocked: "A task is open"
        case .stillOpen: "A task is still open"
        case .overdue: "A task of an earlier day is open"
        case .providerAvailable: "The provider is available"
        case .completed: "A task is completed"
        case .missed: "A task was missed"
        case .scheduleTaken: "A schedule was taken in"
        case .scheduleRefused: "A schedule was refused"
        case .mail: "Letters are unread"
        case .chat: "Messages are unread"
        case .survey: "A survey is due"
        case .broadcast: "The practice has an announcement"
        }
    }

    /// The meaning, the consequences, and what to do.
    public var explanation: String {
        switch self {
        case .unlocked:
            """
            The day of a task has begun, or an open task became the next one to do.
            `daybreak start` leads through it: slow breaths, the wait room, the session,
            a word for the mood. `daybreak` alone shows the task.
            """
        case .stillOpen:
            """
            Today's task is not completed yet. These reminders come at the times under
            [reminders] in daybreak.toml; if times passed while the machine was off, one
            reminder makes up for them. `daybreak snooze 30m` mutes them for a while.
            """
        case .overdue:
            """
            The day of a task is over. It can still be done for grace_days more days
            (daybreak.toml); `daybreak` shows the last one. These reminders come at the
            times under [reminders] if no task of today is open, and once when the clock or
            a new schedule opens such a task. Completing another task brings none.
            """
        case .providerAvailable:
            """
            You can meet the provider now. `daybreak join` leads from the exercise or the
            wait room into the session. If the task has not begun yet, `daybreak start`
            leads there at once. Of a provider who comes and goes, one such reminder
            comes in ten minutes for one task.
            """
        case .completed:
            """
            The session is over and the mood is logged. Both stay in the history, which
            only you can read; they are never in the journal.
            """
        case .missed:
            """
            The last day on which a task could be done has passed: its own day and
            grace_days more (daybreak.toml). There is nothing to do.
            """
        case .scheduleTaken:
            """
            A new schedule is in force. Tasks in progress and completed tasks did not
            change. A task that the new schedule leaves out is withdrawn unless it was
            started or missed.
            """
        case .scheduleRefused:
            """
            The saved file is not a valid schedule. Nothing of it was taken in; if there
            was a schedule before it, that one stays in force. `daybreak doctor` shows the
            line, the column and the reason.
            """
        case .mail:
            """
            There are more unread letters at your practice than when you were last reminded
            of them. Neither their subject nor their sender is told here.
            """
        case .chat:
            """
            There are more unread messages at your practice than when you were last
            reminded of them. Neither their text nor their sender is told here.
            """
        case .survey:
            """
            Your practice waits for the answers to a survey. `daybreak survey` asks it, question by
            question. This comes when a survey opens, and once more before it closes. Its name and
            its questions are not told here.
            """
        case .broadcast:
            """
            Your practice has announced something to all of its clients, or to some.
            Its text is not told here.
            """
        }
    }
}
