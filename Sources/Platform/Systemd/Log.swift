import Files
import Glibc

/// A program's own lines: in the journal, or on standard error where no journal listens.
public struct Log: Sendable {
    /// The program's name in the journal.
    public let identifier: String
    private let time: @Sendable () -> String

    /// - Parameter time: the time now. It stands before a line in a file, because a file is read later.
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

    /// Says why the program does not run, also on the terminal where it was started by hand. The standard error of a service
    /// is the journal already (JOURNAL_STREAM, man 5 systemd.exec).
    public func sayWhyNot(_ line: String) {
        say(.error, line)
        if Journal.isListening, getenv("JOURNAL_STREAM") == nil { writeLine(line) }
    }

    /// On standard error. A line that cannot be written is lost.
    public func writeLine(_ line: String) {
        let before = Self.writesToFile ? "\(time()) " : ""
        _ = File.write(Array("\(before)\(identifier): \(line)\n".utf8), to: STDERR_FILENO)
    }

    /// Neither a terminal nor a pipe, at whose other end somebody reads now.
    private static var writesToFile: Bool {
        var about = stat()
        return fstat(STDERR_FILENO, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
    }
}
