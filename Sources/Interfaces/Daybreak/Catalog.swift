// What each kind of reminder means. `systemd/daybreak.catalog` says the same to `journalctl -x`; a test holds the two
// together.
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
        }
    }

    /// A few words.
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
        }
    }

    /// What it means, what follows from it, and what to do.
    public var explanation: String {
        switch self {
        case .unlocked:
            """
            The day of a task has begun, or it became the one to do now.
            `daybreak start` leads through it: slow breaths, the wait room, the session,
            a word for the mood. `daybreak` alone shows what there is.
            """
        case .stillOpen:
            """
            The task of the day has not been completed yet. These reminders come at the
            times under [reminders] in daybreak.toml; however many were missed while the
            machine was off, one catches up. `daybreak snooze 30m` quiets them for a while.
            """
        case .overdue:
            """
            The day of a task is over, and it can still be done: for grace_days more, as
            daybreak.toml has it. `daybreak` shows through which day. These reminders come
            at the times under [reminders], while nothing of today is open, and once as the
            clock or a schedule opens such a task; to complete another one brings none.
            """
        case .providerAvailable:
            """
            The provider can be met now. `daybreak join` goes from the exercise or the wait
            room into the session; a task that is not begun yet goes there at once with
            `daybreak start`.
            """
        case .completed:
            """
            The session was left and the mood was logged. Both stay in the history, which
            nobody but you can read; the journal never carries them.
            """
        case .missed:
            """
            The last day on which a task could still be done has passed: its own day and
            grace_days more, as daybreak.toml has it. Nothing needs to be done.
            """
        case .scheduleTaken:
            """
            A new schedule is in force. What was in progress or completed is as it was;
            what the new schedule drops is withdrawn if it was untouched.
            """
        case .scheduleRefused:
            """
            The file that was saved is no schedule, so nothing of it was taken in and the
            one before stays in force. `daybreak doctor` says the line, the
            column and the reason.
            """
        }
    }
}
