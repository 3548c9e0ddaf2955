import Glibc
import HomeworkRules
import Systemd
import Time

/// Finds in the journal the reminders that an earlier daemon sent.
enum SentReminders {
    /// How long to wait for the journal to show this daemon's own entry.
    private static let patience = Duration.seconds(1)

    /// The ids that the journal holds. Nil if it cannot tell: no journal listens, this user may not read it (man 8
    /// systemd-journald, "Access control"), or it takes too long.
    static func found(_ ids: [String], by identifier: String, _ now: () -> SteadyInstant) -> Set<String>? {
        guard Journal.isListening else { return nil }
        do {
            guard try isCaughtUp(identifier, now) else { return nil }
            let reader = try JournalReader()
            // The journal itself sets this field, so no other user can forge an entry of ours.
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

    /// Entries that a process sent before it died may still be on their way. The journal's socket keeps their order, so all
    /// of them have arrived once an entry that was sent now is there.
    private static func isCaughtUp(
        _ identifier: String, _ now: () -> SteadyInstant
    ) throws(SystemdError) -> Bool {
        let end = now() + patience
        let mark = "\(getpid()).\(end.microseconds)"
        try Journal.send([
            JournalField(
                "MESSAGE", "The history does not tell which reminders were sent; the journal is asked."),
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
