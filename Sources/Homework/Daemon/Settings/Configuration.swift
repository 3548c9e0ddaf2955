import DaybreakInterfaces
import HomeworkRules
import Time

/// The values of `daybreak.toml`. A new one has the defaults.
struct Configuration: Equatable, Sendable {
    /// The settings of the rules: `day.*`, `breathing.pattern`, and `reminders.*` except `desktop`.
    var settings = Settings()
    /// `reminders.desktop`: show reminders on the desktop as well, if there is one.
    var desktop = true
    var provider = ProviderSettings()
    /// `schedule.from`: which schedule counts.
    var scheduleFrom = ScheduleFrom.auto
    /// `link.hold`: the connection with the practice is held all the time.
    var holdsLink = false
    /// An urgent letter that is to be heard at night, too, does not wait for the next look.
    var mustHoldLink: Bool { holdsLink || settings.tellsUrgentInQuietHours }
    /// The named patterns: Daybreak's own and those of `[patterns]`.
    var patterns = PatternBook.standard
    /// `[screen]`: how the companion shows the way through a task.
    var screen = Service.Preferences()

    /// The file that it was read from, and the line of each setting in it.
    var origin = Origin()

    enum ScheduleFrom: String, Equatable, Sendable, CaseIterable {
        /// The practice's while this machine is linked with one, else the file's.
        case auto
        case file, practice
    }

    struct ProviderSettings: Equatable, Sendable {
        /// `provider.name`: the provider's name if a report of their presence has none.
        var name: String?
        /// `provider.link`: the address of the meeting. Only the session's screen shows it.
        var link: String?
        /// `provider.hold_for`: how long a report of the presence is valid.
        var holdFor = Duration.seconds(15 * 60)
        /// `provider.simulate`: Daybreak plays a provider, for trials.
        var simulate = false
        /// `provider.simulate_after`: the time from the beginning of the exercise to the coming of the played provider.
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

    /// `reminders.at`: minutes after midnight, ascending. To the rules, a time before the beginning of days belongs to the end
    /// of the day before.
    var reminderTimes: [Int] {
        get { settings.reminderMinutes.map { $0 % 1_440 }.sorted() }
        set { settings.reminderMinutes = newValue.map { $0 < dayStartsAt ? $0 + 1_440 : $0 }.sorted() }
    }
}

/// A fault of a configuration.
struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    let file: String
    /// Counted from 1; nil if the file as a whole is at fault.
    let line: Int?
    /// Sentences that name the key and the expected value.
    let reason: String

    init(file: String, line: Int?, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// `FILE:LINE: reason`.
    var description: String { line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)" }
}
