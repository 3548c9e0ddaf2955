import DaybreakInterfaces
import HomeworkRules
import TOML
import Text
import Time

extension Configuration {
    /// Every setting, in the order of `Config/daybreak.toml`. The defaults are those of a new ``Configuration``.
    static let rows: [Setting<Configuration>] = [
        Setting("day.starts_at", .clock(until: 6 * 60, because: "at six it is morning for everyone"), \.dayStartsAt),
        Setting(
            "day.grace_days",
            .number(0...Settings.graceLimit, because: "beyond a year a task is not late but missed"),
            \.settings.graceDays),
        Setting(
            "breathing.pattern", takes: patternTakes, spell: { "\"\($0.settings.pattern)\"" },
            take: takePattern),
        Setting(namesIn: "patterns", takes: patternTakes, take: takeOwnPattern),
        Setting(
            "reminders.at",
            .list(
                "an array of times, such as [\"09:00\", \"18:00\"]; [] for no times, at_most = 0 for none that can wait",
                of: .clock, 0...24,
                because: "that is one an hour", twice: "there twice: one reminder tells as much as two"),
            \.reminderTimes),
        Setting("reminders.days", weekdays, \.settings.reminderDays),
        Setting("reminders.quiet", quietHours, \.settings.quietHours),
        Setting("reminders.urgent_in_quiet", .boolean, \.settings.tellsUrgentInQuietHours),
        Setting("reminders.at_most", .number(0...100, because: "nobody reads more in a day"), \.settings.remindersADay),
        Setting(
            "reminders.late_within",
            .length(.seconds(60)...(.seconds(24 * 3_600)), suchAs: "3h", because: "the next day has its own times"),
            \.settings.lateWithin),
        Setting("reminders.desktop", .boolean, \.desktop),
        Setting(
            "provider.name",
            .optionalLine(
                "a text such as \"Dr. Example\"", limit: Presence.nameByteLimit,
                because: "it stands on one line of the screen"), \.provider.name),
        Setting("provider.link", link, \.provider.link),
        Setting(
            "provider.hold_for",
            .length(.seconds(1)...Presence.longest, suchAs: "15m", because: "nobody knows more than a day ahead"),
            \.provider.holdFor),
        Setting("provider.simulate", .boolean, \.provider.simulate),
        Setting(
            "provider.simulate_after",
            .length(.zero...(.seconds(3_600)), suchAs: "20s", because: "it is for trying things out"),
            \.provider.simulateAfter),
        Setting("schedule.from", scheduleFrom, \.scheduleFrom),
        Setting("link.hold", .boolean, \.holdsLink),
        Setting("screen.countdown", .boolean, \.screen.countdown),
        Setting("screen.motion", .boolean, \.screen.motion),
        Setting("screen.plain", .boolean, \.screen.plain),
        Setting("screen.sound", .boolean, \.screen.sound),
        Setting("screen.sound_command", soundCommand, \.screen.soundCommand),
    ]
}

// Kinds of values that only Daybreak has.
extension Configuration {
    private static let weekdays = SettingKind<[Weekday]>.list(
        "an array of days, such as [\"monday\", \"friday\"]; for no reminders that can wait, at_most = 0",
        of: weekday, 1...7, because: "a week has no more", twice: "there twice"
    ).map({ Set($0) }, back: { days in Weekday.allCases.filter(days.contains) })

    private static let weekday = SettingKind<Weekday>(
        "a day from \"monday\" to \"sunday\", spelled so", spell: { "\"\($0)\"" },
        readOrNil: { node in Weekday.allCases.first { "\($0)" == node.text?.lowercased() } })

    private static let scheduleFrom = SettingKind<ScheduleFrom>(
        "\"auto\", \"file\" or \"practice\"", spell: { "\"\($0.rawValue)\"" },
        readOrNil: { node in node.text.flatMap(ScheduleFrom.init) })

    private static let quietTakes = "two times with a hyphen between, such as \"22:00-07:00\", or \"\" for none"

    private static let quietHours = SettingKind<QuietHours?>(
        quietTakes, spell: { hours in "\"\(hours.map { "\(clock($0.from))-\(clock($0.to))" } ?? "")\"" },
        read: { node throws(InvalidValue) in
            if node.text == "" { return nil }
            let times = node.text?.split(separator: "-", omittingEmptySubsequences: false).map { time in
                TimeOfDay(String(time.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
            }
            guard let times, times.count == 2, let from = times[0], let to = times[1] else {
                throw InvalidValue(node, expected: "must be \(quietTakes).")
            }
            guard let hours = QuietHours(from: from.minutes, to: to.minutes) else {
                throw InvalidValue("must begin and end at different times: else it would be quiet always, or never.")
            }
            return hours
        })

    private static func clock(_ minute: Int) -> String {
        TimeOfDay(hour: minute / 60, minute: minute % 60)?.description ?? ""
    }

    private static let linkTakes = """
        a web address as a browser shows it, such as "https://meet.example.org/room": it begins with https:// or http:// \
        and holds no spaces
        """

    private static let link = SettingKind<String?>(
        linkTakes, spell: { "\"\($0 ?? "")\"" },
        read: { node throws(InvalidValue) in
            guard let link = node.text else { throw InvalidValue(node, expected: "must be \(linkTakes).") }
            guard link.utf8.count <= WebAddress.byteLimit else {
                throw InvalidValue("must have no more than \(WebAddress.byteLimit) bytes: browsers do not take more.")
            }
            guard link.isEmpty || WebAddress(link) != nil else { throw InvalidValue("must be \(linkTakes).") }
            return link.isEmpty ? nil : link
        })

    private static let soundCommand = SettingKind<[String]>.list(
        """
        an array of a program and its arguments, such as ["paplay", "/usr/share/sounds/bell.oga"], or [] for the \
        terminal's bell
        """, of: word, 0...32, because: "a script can say more")

    private static let word = SettingKind<String>(
        "a text that is not empty and has no characters that are not seen", spell: { "\"\($0)\"" },
        readOrNil: { node in
            node.text.flatMap { !$0.isEmpty && $0.firstHidden == nil ? $0 : nil }
        })
}

// The breath patterns, and the names that the person gives to them.
extension Configuration {
    private static let patternTakes = """
        the seconds of inhale, hold, exhale and hold, such as "4-0-6-0": one or two digits each, and at most one more \
        after a point
        """

    private static func takePattern(
        _: String, _ node: TOMLNode, _ configuration: inout Configuration
    ) throws(InvalidValue) {
        guard let text = node.text else { throw InvalidValue(node, expected: "must be \(patternTakes).") }
        do { configuration.settings.pattern = try configuration.patterns.pattern(text) } catch {
            switch error {
            case .unknownName(let known):
                throw InvalidValue("must be one of \(known.joined(separator: ", ")), or \(patternTakes).")
            case .unsound(let fault): throw invalidValue(fault)
            }
        }
    }

    private static func takeOwnPattern(
        called name: String, _ node: TOMLNode, _ configuration: inout Configuration
    ) throws(InvalidValue) {
        guard let text = node.text else { throw InvalidValue(node, expected: "must be \(patternTakes).") }
        let pattern: BreathPattern
        do { pattern = try BreathPattern(text) } catch { throw invalidValue(error) }
        do { try configuration.patterns.add(name, pattern) } catch {
            switch error {
            case .unfit:
                throw InvalidValue("must be called by up to 32 letters (a-z), digits and hyphens, a letter first.")
            case .taken: throw InvalidValue("must have another name: this one is known, and a schedule may mean it.")
            case .tooMany: throw InvalidValue("must not be more than \(PatternBook.ownLimit): nobody tells more apart.")
            }
        }
    }

    private static func invalidValue(_ fault: BreathPattern.Fault) -> InvalidValue {
        switch fault {
        case .unreadable: InvalidValue("must be \(patternTakes).")
        case .noBreath: InvalidValue("must have seconds to inhale and seconds to exhale: else it is no breath.")
        case .cycleOutOfBounds:
            InvalidValue("must come to 2 to 60 seconds in all: less is panting, and no breath takes longer.")
        }
    }
}
