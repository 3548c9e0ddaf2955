import Files
import Glibc
import Text

/// A program's own lines: in the journal, or on standard error if no journal listens.
public struct Log: Sendable {
    /// The program's name in the journal.
    public let identifier: String
    private let time: @Sendable () -> String

    /// - Parameter time: returns the time of now. A line in a file begins with it, because a file is read later.
    public init(_ identifier: String, time: @escaping @Sendable () -> String) {
        self.identifier = identifier
        self.time = time
    }

    @Sendable public func say(_ severity: Severity, _ line: String) { say(severity, line, []) }

    /// A line with fields of its own, such as MESSAGE_ID (man 7 systemd.journal-fields).
    public func say(_ severity: Severity, _ line: String, _ fields: [JournalField]) {
        let usual = [
            JournalField("MESSAGE", line), JournalField("PRIORITY", "\(severity.rawValue)"),
            JournalField("SYSLOG_IDENTIFIER", identifier),
        ]
        do {
            guard Journal.isListening else { return writeLine(line) }
            try Journal.send(usual + fields)
        } catch {
            writeLine(line)
        }
    }

    /// Logs why the program does not run, and prints it on the terminal as well if the program was started by hand. The
    /// standard error of a service already is the journal (JOURNAL_STREAM, man 5 systemd.exec).
    public func sayWhyNot(_ line: String) {
        say(.error, line)
        if Journal.isListening, getenv("JOURNAL_STREAM") == nil { writeLine(line) }
    }

    /// On standard error. A line that cannot be written is lost.
    public func writeLine(_ line: String) {
        let before = Self.writesToFile ? "\(time()) " : ""
        _ = File.write(Array("\(before)\(identifier): \(line.visibleLines)\n".utf8), to: STDERR_FILENO)
    }

    /// True if standard error is a file. A terminal or a pipe has a reader now, who needs no time.
    private static var writesToFile: Bool {
        var about = stat()
        return fstat(STDERR_FILENO, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
    }
}
