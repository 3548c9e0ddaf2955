/// How serious a journal line is (man 3 syslog).
public enum Severity: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case information = 6
    case debug = 7
}
