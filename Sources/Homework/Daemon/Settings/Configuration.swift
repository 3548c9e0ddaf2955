public import DaybreakInterfaces
public import HomeworkRules
import HomeworkWire
import Time

/// What `daybreak.toml` says: every setting has a default, and a bound with its reason.
public struct Configuration: Equatable, Sendable {
    /// `day.*`, `breathing.pattern` and the times of `reminders.*`: what the rules go by.
    public var settings = Settings()
    /// `reminders.desktop`: reminders are shown on the desktop as well, where there is one.
    public var desktop = true
    public var provider = ProviderSettings()
    /// `[patterns]`: the patterns that have a name, one's own among them.
    public var patterns = PatternBook.standard
    /// `[screen]`: how the client likes the guided way to be shown.
    public var screen = Service.Preferences()

    /// Where it was read.
    public var origin = Origin()

    public struct ProviderSettings: Equatable, Sendable {
        /// `provider.name`: what to call the provider where the one who tells of the presence gives no name.
        public var name: String?
        /// `provider.link`: where to meet; shown on the session's screen alone.
        public var link: String?
        /// `provider.hold_for`: how long a word about the presence is good for.
        public var holdFor = Duration.seconds(15 * 60)
        /// `provider.simulate`: a provider is played, to try things out.
        public var simulate = false
        /// `provider.simulate_after`: how long after the exercise begins the played one comes.
        public var simulateAfter = Duration.seconds(20)

        public init() {}
    }

    public init() {}

    /// `day.starts_at`: minutes after midnight at which a day begins, 0 to 360.
    public var dayStartsAt: Int {
        get { settings.dayStartsAt }
        set { settings.dayStartsAt = newValue }
    }
}

/// Why a configuration is none: where, and what was expected.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    public let file: String
    /// From 1; nil where the file as a whole is at fault.
    public let line: Int?
    /// A sentence that names the key and what was expected.
    public let reason: String

    public init(file: String, line: Int?, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// `FILE:LINE: reason`.
    public var description: String { line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)" }
}
