import Files
import Glibc
import Systemd

/// Writes a daemon's own lines to the journal, or to standard error where no journal listens.
struct Log: Sendable {
    static let practiced = Log(identifier: "practiced")

    /// The program's name in the journal.
    let identifier: String

    @Sendable func say(_ severity: Severity, _ line: String) {
        let fields = [
            JournalField("MESSAGE", line), JournalField("PRIORITY", "\(severity.rawValue)"),
            JournalField("SYSLOG_IDENTIFIER", identifier),
        ]
        do {
            guard Journal.isListening else { return writeLine(line) }
            try Journal.send(fields)
        } catch {
            writeLine(line)
        }
    }

    /// Says why the program does not run, also on the terminal where it was started by hand. The standard error of a service
    /// is the journal already (JOURNAL_STREAM, man 5 systemd.exec).
    func sayWhyNot(_ line: String) {
        say(.error, line)
        if Journal.isListening, getenv("JOURNAL_STREAM") == nil { writeLine(line) }
    }

    func writeLine(_ line: String) { _ = File.write(Array("\(identifier): \(line)\n".utf8), to: STDERR_FILENO) }
}
