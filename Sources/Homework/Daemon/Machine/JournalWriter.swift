import DaybreakInterfaces
import Files
import Glibc
import HomeworkRules
import Systemd
import Time

/// Writes reminders and the daemon's own lines to the journal, or to standard error where no journal listens.
struct JournalWriter {
    /// The program's name in the journal.
    private static let identifier = "daybreakd"

    func remind(_ reminder: Reminder, at moment: Moment) {
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
    }

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

    /// Says why the program does not run, also on the terminal where it was started by hand. The standard error of a service
    /// is the journal already (JOURNAL_STREAM, man 5 systemd.exec).
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

    /// Lines in a file carry the time: a file is read later.
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
    /// Writes all of it, or as much as the other end reads.
    static func write(_ bytes: [UInt8]) { _ = File.write(bytes, to: STDOUT_FILENO) }
}
