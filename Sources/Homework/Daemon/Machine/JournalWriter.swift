import DaybreakInterfaces
import Files
import Glibc
import HomeworkRules
import Systemd
import Text
import Time

/// Writes reminders to the journal, or to standard error if no journal listens.
struct JournalWriter {
    let log = Log("daybreakd") {
        let clock = LocalClock()
        return clock.rfc3339(clock.now().instant)
    }

    func remind(_ reminder: Reminder, at moment: Moment) {
        let kind = Homework.ReminderKind(reminder.kind)
        var fields = [
            JournalField("MESSAGE_ID", kind.messageID),
            JournalField("DAYBREAK_KIND", kind.rawValue),
            JournalField("DAYBREAK_REMINDER", reminder.id),
        ]
        if let id = reminder.assignment { fields.append(JournalField("DAYBREAK_TASK", id.text)) }
        if let due = reminder.due { fields.append(JournalField("DAYBREAK_DUE", due.description)) }
        log.say(Self.severity(of: reminder.kind), reminder.sentence, fields)
    }

    /// The ids of the reminders that an earlier daemon sent; nil if the journal cannot tell.
    func sentBefore(_ ids: [String], _ now: () -> SteadyInstant) -> Set<String>? {
        SentReminders.found(ids, by: log.identifier, now)
    }

    private static func severity(of kind: Reminder.Kind) -> Severity {
        switch kind {
        case .unlocked, .stillOpen, .overdue, .providerAvailable, .missed, .mail, .chat, .survey, .broadcast: .notice
        case .completed, .scheduleTaken: .information
        case .scheduleRefused: .warning
        }
    }
}

enum StandardError {
    /// Writes the line, without hidden characters, and a line break. Errors are ignored.
    static func write(_ line: String) {
        _ = File.write(Array("\(line.visibleLines)\n".utf8), to: STDERR_FILENO)
    }
}
