import DaybreakInterfaces
import Files
import Glibc
import HomeworkRules
import HomeworkWire
import Systemd
import Time

/// Gives reminders and says the daemon's own lines: to the journal, or to standard error where none listens.
struct Reminders {
    /// What the journal shows as the program's name.
    private static let identifier = "daybreakd"

    func give(_ reminder: Reminder, at moment: Moment) {
        let kind = Homework.ReminderKind(reminder.kind)
        var fields = [
            JournalField("MESSAGE", reminder.sentence),
            JournalField("MESSAGE_ID", kind.messageID),
            JournalField("PRIORITY", "\(Self.severity(of: reminder.kind).rawValue)"),
            JournalField("SYSLOG_IDENTIFIER", Self.identifier),
            JournalField("DAYBREAK_KIND", kind.rawValue),
            JournalField("DAYBREAK_REMINDER", reminder.id),
        ]
        if let id = reminder.assignment { fields.append(JournalField("DAYBREAK_TASK", id.text)) }
        if let due = reminder.due { fields.append(JournalField("DAYBREAK_DUE", due.description)) }
        send(fields, else: reminder.sentence)
        if reminder.kind.canWait { letTheJournalWrite() }
    }

    /// journald, if it is woken on this very processor, would wait for the end of the turn, also across `sched_yield`. Where
    /// the reminder answers somebody, that somebody waits for the end of the turn as well.
    private func letTheJournalWrite() { usleep(1) }

    /// Which of these were sent before; nil where nobody can know.
    func sentBefore(_ ids: [String], _ now: () -> SteadyInstant) -> Set<String>? {
        SentBefore.found(ids, by: Self.identifier, now)
    }

    func say(_ severity: Severity, _ line: String) {
        let fields = [
            JournalField("MESSAGE", line), JournalField("PRIORITY", "\(severity.rawValue)"),
            JournalField("SYSLOG_IDENTIFIER", Self.identifier),
        ]
        send(fields, else: line)
    }

    /// Why the program does not run: to whoever started it by hand as well. What a service manager starts has its
    /// standard error in the journal already (JOURNAL_STREAM, man 5 systemd.exec).
    func sayWhyNot(_ line: String) {
        say(.error, line)
        if Journal.isListening, getenv("JOURNAL_STREAM") == nil { writeLine(line) }
    }

    private func send(_ fields: [JournalField], else line: String) {
        do {
            guard Journal.isListening else { return writeLine(line) }
            try Journal.send(fields)
        } catch {
            writeLine(line)
        }
    }

    /// A file outlives the hour in which it was written to, and so each of its lines says when.
    private func writeLine(_ line: String) {
        let clock = LocalClock()
        let time = StandardError.isFile ? "\(clock.rfc3339(clock.now().instant)) " : ""
        StandardError.write("\(time)\(Self.identifier): \(line)")
    }

    private static func severity(of kind: Reminder.Kind) -> Severity {
        switch kind {
        case .unlocked, .stillOpen, .overdue, .providerAvailable, .missed: .notice
        case .completed, .scheduleTaken: .information
        case .scheduleRefused: .warning
        }
    }
}

enum StandardError {
    /// Neither a terminal nor a pipe, at whose other end somebody reads now.
    static var isFile: Bool {
        var about = stat()
        return fstat(STDERR_FILENO, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
    }

    /// The line and a line break; what cannot be written there is lost.
    static func write(_ line: String) {
        _ = File.write(Array("\(line)\n".utf8), to: STDERR_FILENO)
    }
}

enum StandardOutput {
    /// All of it, or as much as anybody reads.
    static func write(_ bytes: [UInt8]) {
        _ = File.write(bytes, to: STDOUT_FILENO)
    }
}
