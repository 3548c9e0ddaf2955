import DaybreakInterfaces
import HomeworkRules
import Time

/// The values of `daybreak.toml`. A new one has the defaults.
struct Configuration: Equatable, Sendable {
    /// `day.*`, `breathing.pattern` and `reminders.*` but `desktop`: the settings of the rules.
    var settings = Settings()
    /// `reminders.desktop`: show reminders on the desktop as well, where there is one.
    var desktop = true
    var provider = ProviderSettings()
    /// The patterns that have a name: Daybreak's, and those of `[patterns]`.
    var patterns = PatternBook.standard
    /// `[screen]`: how the companion shows the way through a task.
    var screen = Service.Preferences()

    /// The file that it was read from, and the line of each setting in it.
    var origin = Origin()

    struct ProviderSettings: Equatable, Sendable {
        /// `provider.name`: the provider's name, unless the message about their presence has another.
        var name: String?
        /// `provider.link`: where to meet. Only the session's screen shows it.
        var link: String?
        /// `provider.hold_for`: for how long a message about the presence holds.
        var holdFor = Duration.seconds(15 * 60)
        /// `provider.simulate`: Daybreak plays a provider, for trials.
        var simulate = false
        /// `provider.simulate_after`: how long after the exercise's beginning the played provider comes.
        var simulateAfter = Duration.seconds(20)

        init() {}
    }

    init() {}

    /// `day.starts_at`: minutes after midnight at which a day begins, 0 to 360.
    var dayStartsAt: Int {
        get { settings.dayStartsAt }
        set {
            let times = reminderTimes
            settings.dayStartsAt = newValue
            reminderTimes = times
        }
    }

    /// `reminders.at`: minutes after midnight, ascending. The rules count a time before the day's beginning as one of the
    /// day's end.
    var reminderTimes: [Int] {
        get { settings.reminderMinutes.map { $0 % 1_440 }.sorted() }
        set { settings.reminderMinutes = newValue.map { $0 < dayStartsAt ? $0 + 1_440 : $0 }.sorted() }
    }
}

/// A fault of a configuration.
struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    let file: String
    /// Counted from 1; nil where the file as a whole is at fault.
    let line: Int?
    /// Sentences that name the key and what was expected.
    let reason: String

    init(file: String, line: Int?, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// `FILE:LINE: reason`.
    var description: String { line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)" }
}
