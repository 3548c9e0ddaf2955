internal import DaybreakInterfaces
internal import HomeworkRules
internal import HomeworkWire
internal import TOMLKit
internal import Time

/// One setting of `daybreak.toml`: what it is called, and how its value is taken.
struct Setting: Sendable {
    let table: String
    let key: String
    /// It says yes or no.
    var isTruth = false
    let take: @Sendable (any TOMLValueConvertible, inout Values) throws(Misfit) -> Void

    /// `day.starts_at`
    var name: String { "\(table).\(key)" }

    /// A value that is not what its setting takes.
    struct Misfit: Error {
        /// In an array, which one; from 0.
        var element: Int?
        /// The rest of a sentence that begins with the setting's name: what was expected, and why.
        let reason: String

        init(_ reason: String, element: Int? = nil) {
            self.element = element
            self.reason = reason
        }
    }

    /// The values read so far.
    struct Values {
        var read = Configuration()
        /// As the clock counts them. Which day a time belongs to is known when all settings are.
        fileprivate var reminders: [Int]?

        var configuration: Configuration {
            var result = read
            let times = reminders ?? read.settings.reminderMinutes
            result.settings.reminderMinutes = times.map { $0 < read.dayStartsAt ? $0 + 24 * 60 : $0 }.sorted()
            return result
        }
    }
}

extension Setting {
    /// In the order of `Config/daybreak.toml`.
    static let all = [
        Setting(table: "day", key: "starts_at", take: takeStart),
        Setting(table: "day", key: "grace_days", take: takeGrace),
        Setting(table: "breathing", key: "pattern", take: takePattern),
        Setting(table: "reminders", key: "at", take: takeReminders),
        Setting(table: "reminders", key: "days", take: takeDays),
        Setting(table: "reminders", key: "quiet", take: takeQuietHours),
        Setting(table: "reminders", key: "at_most", take: takeLimit),
        Setting(table: "reminders", key: "late_within", take: takeLateness),
        truth("reminders", "desktop", \.desktop),
        Setting(table: "provider", key: "name", take: takeName),
        Setting(table: "provider", key: "link", take: takeLink),
        Setting(table: "provider", key: "hold_for", take: takeHold),
        truth("provider", "simulate", \.provider.simulate),
        Setting(table: "provider", key: "simulate_after", take: takeArrival),
        truth("screen", "countdown", \.screen.countdown),
        truth("screen", "motion", \.screen.motion),
        truth("screen", "plain", \.screen.plain),
        truth("screen", "sound", \.screen.sound),
        Setting(table: "screen", key: "sound_command", take: takeSoundCommand),
    ]

    /// The tables that they stand in, and the one whose keys are names of one's own.
    static let tables = ["day", "breathing", patterns, "reminders", "provider", "screen"]
    static let patterns = "patterns"

    /// Whoever is up late is still on the day before; at six it is morning.
    private static let latestStart = 6 * 60
    /// One an hour.
    private static let reminderLimit = 24
    /// More is noise.
    private static let mostADay = 100
    private static let longestLateness = Duration.seconds(24 * 3_600)
    /// What browsers take, with room to spare.
    private static let linkByteLimit = 2_000
    /// A provider who takes longer is no quick trial any more.
    private static let latestArrival = Duration.seconds(3_600)

    private static func truth(
        _ table: String, _ key: String, _ path: any WritableKeyPath<Configuration, Bool> & Sendable
    ) -> Setting {
        Setting(table: table, key: key, isTruth: true) { value, values throws(Misfit) in
            guard let truth = value.bool else { throw misfit(value, "must be true or false, without quotes.") }
            values.read[keyPath: path] = truth
        }
    }

    private static func takeStart(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let minute = time(value), minute <= latestStart else {
            throw misfit(value, "must be a time from \"00:00\" to \"06:00\": at six it is morning for everyone.")
        }
        values.read.dayStartsAt = minute
    }

    private static func takeGrace(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let days = value.int, (0...Settings.graceLimit).contains(days) else {
            let expected = "must be a whole number from 0 to 365: beyond a year a task is not late but missed."
            throw value.int == nil ? misfit(value, expected) : Misfit(expected)
        }
        values.read.settings.graceDays = days
    }

    private static func takeReminders(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let array = value.array else {
            throw misfit(value, "must be an array of times, such as [\"09:00\", \"18:00\"], or [] for none.")
        }
        var minutes: [Int] = []
        for (index, element) in array.enumerated() {
            guard let minute = time(element) else {
                let reason = "must hold times from \"00:00\" to \"23:59\", in quotes, such as \"09:00\"."
                throw misfit(element, reason, element: index)
            }
            guard !minutes.contains(minute) else {
                throw Misfit("must not hold the same time twice: one reminder tells as much as two.", element: index)
            }
            minutes.append(minute)
        }
        guard minutes.count <= reminderLimit else {
            throw Misfit("must not hold more than \(reminderLimit) times: that is one an hour.")
        }
        values.reminders = minutes
    }

    private static func takeDays(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let array = value.array, !array.isEmpty else {
            let reason = "must be an array of days, such as [\"monday\", \"friday\"]; for no reminders at all, at = []."
            throw value.array == nil ? misfit(value, reason) : Misfit(reason)
        }
        var days: Set<Weekday> = []
        for (index, element) in array.enumerated() {
            guard let day = element.string.flatMap({ name in Weekday.allCases.first { "\($0)" == name } }) else {
                throw misfit(element, "must hold days from \"monday\" to \"sunday\", spelled so.", element: index)
            }
            guard days.insert(day).inserted else {
                throw Misfit("must not hold the same day twice.", element: index)
            }
        }
        values.read.settings.reminderDays = days
    }

    private static func takeQuietHours(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let text = value.string else { throw misfit(value, quietExpected) }
        guard !text.isEmpty else { return values.read.settings.quietHours = nil }
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map { time(String($0)) }
        guard times.count == 2, let from = times[0], let to = times[1] else { throw Misfit(quietExpected) }
        guard let hours = QuietHours(from: from, to: to) else {
            throw Misfit("must begin and end at different times: else it would be quiet always, or never.")
        }
        values.read.settings.quietHours = hours
    }

    private static let quietExpected = """
        must be two times with a hyphen between, such as "22:00-07:00", or "" for none.
        """

    private static func takeLimit(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let limit = value.int, (0...mostADay).contains(limit) else {
            let expected = "must be a whole number from 0 to \(mostADay): nobody reads more in a day."
            throw value.int == nil ? misfit(value, expected) : Misfit(expected)
        }
        values.read.settings.remindersADay = limit
    }

    private static func takeLateness(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let length = length(value), (.seconds(60)...longestLateness).contains(length) else {
            throw misfit(
                value, "must be a length from \"1m\" to \"24h\", such as \"3h\": the next day has its own times.")
        }
        values.read.settings.lateWithin = length
    }

    private static func takeName(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let name = value.string else { throw misfit(value, "must be a text such as \"Dr. Example\".") }
        guard name.utf8.count <= Presence.nameByteLimit else {
            throw Misfit("must have no more than \(Presence.nameByteLimit) bytes: it stands on one line of the screen.")
        }
        guard name.unicodeScalars.allSatisfy(isPrintable) else {
            throw Misfit("must hold no control characters: they would garble the screen.")
        }
        values.read.provider.name = name.isEmpty ? nil : name
    }

    private static func takeLink(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let link = value.string else { throw misfit(value, linkExpected) }
        guard link.utf8.count <= linkByteLimit else {
            throw Misfit("must have no more than \(linkByteLimit) bytes: browsers do not take more.")
        }
        guard link.isEmpty || isWebAddress(link) else { throw Misfit(linkExpected) }
        values.read.provider.link = link.isEmpty ? nil : link
    }

    private static let linkExpected = """
        must be a web address as a browser shows it, such as "https://meet.example.org/room": it begins with https:// \
        or http:// and holds no spaces.
        """

    private static func takeHold(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let length = length(value), (.seconds(1)...Presence.longest).contains(length) else {
            let reason = "must be a length from \"1s\" to \"24h\", such as \"15m\": nobody knows more than a day ahead."
            throw misfit(value, reason)
        }
        values.read.provider.holdFor = length
    }

    private static func takeArrival(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        guard let length = length(value), length <= latestArrival else {
            throw misfit(value, "must be a length from \"0s\" to \"1h\", such as \"20s\": it is for trying things out.")
        }
        values.read.provider.simulateAfter = length
    }
}

// What values are made of.
extension Setting {
    /// What was expected; and what was found, where that is of another kind than a text.
    static func misfit(_ value: any TOMLValueConvertible, _ expected: String, element: Int? = nil) -> Misfit {
        Misfit(value.string == nil ? "\(expected) It is \(kind(of: value))." : expected, element: element)
    }

    private static func kind(of value: any TOMLValueConvertible) -> String {
        switch value.type {
        case .table: "a table"
        case .array: "an array"
        case .string: "a text"
        case .int, .double: "a number"
        case .bool: "true or false"
        case .date: "a date"
        case .time: "a time"
        case .dateTime: "a date with a time"
        }
    }

    /// Minutes since midnight, from `"09:00"` or TOML's own `09:00:00`.
    private static func time(_ value: any TOMLValueConvertible) -> Int? {
        if let time = value.time {
            return time.second == 0 && time.nanoSecond == 0 ? time.hour * 60 + time.minute : nil
        }
        return value.string.flatMap { time($0) }
    }

    private static func time(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(isDigit) }),
            let hour = Int(Substring(parts[0])), let minute = Int(Substring(parts[1])), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func length(_ value: any TOMLValueConvertible) -> Duration? {
        value.string.flatMap { Length($0)?.duration }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// `https://` or `http://`, somebody's name, and nothing that RFC 3986 has percent-encoded.
    private static func isWebAddress(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else { return false }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let forbidden = Set(#""<>\^`{|}"#.utf8)
        guard rest.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) }) else { return false }
        return rest.first.map { Character(Unicode.Scalar($0)) }.map { $0.isLetter || $0.isNumber || $0 == "[" } ?? false
    }
}
