import Glibc
import HomeworkRules
import Systemd
import Time

/// What the journal holds of the reminders that a daemon sent before this one.
enum SentBefore {
    /// A journal that shows nothing for so long is none to ask.
    private static let patience = Duration.seconds(1)

    /// Which of these the journal holds; nil where that cannot be known: no journal listens, or this user may not read
    /// what is written (man 8 systemd-journald, "Access control"), or it takes too long.
    static func found(_ ids: [String], by identifier: String, _ now: () -> SteadyInstant) -> Set<String>? {
        guard Journal.isListening else { return nil }
        do {
            guard try isCaughtUp(identifier, now) else { return nil }
            let reader = try JournalReader()
            // Written by the journal itself: nobody else can say that we have said it.
            try reader.addMatch("_UID", "\(geteuid())")
            for id in ids { try reader.addMatch("DAYBREAK_REMINDER", id) }
            try reader.seekHead()
            var found: Set<String> = []
            while try reader.next() { if let id = try reader.field("DAYBREAK_REMINDER") { found.insert(id) } }
            return found
        } catch {
            return nil
        }
    }

    /// What a process sends before it dies may still be on its way. The journal's socket keeps the order: once an entry
    /// of ours is there, so is all that was sent before it.
    private static func isCaughtUp(
        _ identifier: String, _ now: () -> SteadyInstant
    ) throws(SystemdError) -> Bool {
        let end = now() + patience
        let mark = "\(getpid()).\(end.microseconds)"
        try Journal.send([
            JournalField(
                "MESSAGE", "The daemon ended without notice; the journal is asked which reminders it was told."),
            JournalField("PRIORITY", "\(Severity.information.rawValue)"),
            JournalField("SYSLOG_IDENTIFIER", identifier), JournalField("DAYBREAK_MARK", mark),
        ])
        let reader = try JournalReader()
        try reader.addMatch("DAYBREAK_MARK", mark)
        try reader.seekHead()
        while true {
            if try reader.next() { return true }
            let left = end - now()
            guard left > .zero else { return false }
            _ = try reader.wait(microseconds: UInt64(left.microseconds))
        }
    }
}
