import HomeworkRules
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct ConfigurationTests {
    private func refusal(of text: String) -> ConfigurationError? {
        #expect(throws: ConfigurationError.self) { try Configuration.read(text, file: "daybreak.toml") }
    }

    private func expectRefusal(of text: String, _ expected: String) {
        #expect(refusal(of: text)?.description == "daybreak.toml:\(expected)")
    }

    // MARK: Accepted

    @Test func `an empty text gives the defaults`() throws {
        #expect(try Configuration.read("", file: "daybreak.toml") == Configuration())
    }

    @Test func `the defaults are the documented ones`() {
        let defaults = Configuration()
        #expect(defaults.dayStartsAt == 0)
        #expect(
            defaults.settings
                == Settings(
                    graceDays: 7, reminderMinutes: [540, 1_080], pattern: .calm, reminderDays: Set(Weekday.allCases),
                    quietHours: nil, remindersADay: 24, lateWithin: .seconds(10_800)))
        #expect(defaults.desktop)
        #expect(defaults.provider.name == nil)
        #expect(defaults.provider.link == nil)
        #expect(defaults.provider.holdFor == .seconds(900))
        #expect(!defaults.provider.simulate)
        #expect(defaults.provider.simulateAfter == .seconds(20))
    }

    @Test func `every setting is read`() throws {
        let text = """
            [day]
            starts_at = "04:00"
            grace_days = 3
            [breathing]
            pattern = "evening"
            [reminders]
            at = ["18:30", 09:00:00, "01:30"]
            days = ["sunday", "monday"]
            quiet = "22:00-07:00"
            at_most = 3
            late_within = "1h30m"
            desktop = false
            [provider]
            name = "Dr. Example"
            link = "https://meet.example.org/room?a=1"
            hold_for = "1h30m"
            simulate = true
            simulate_after = "0s"
            [screen]
            countdown = false
            motion = false
            plain = true
            sound = true
            sound_command = ["paplay", "bell.oga"]
            [patterns]
            evening = "4.5-0-5.5-1"
            """
        var expected = Configuration()
        expected.settings = Settings(
            graceDays: 3, reminderMinutes: [540, 1_110, 1_530], pattern: try BreathPattern("4.5-0-5.5-1"),
            dayStartsAt: 240, reminderDays: [.monday, .sunday], quietHours: QuietHours(from: 1_320, to: 420),
            remindersADay: 3, lateWithin: .seconds(5_400))
        expected.desktop = false
        expected.provider.name = "Dr. Example"
        expected.provider.link = "https://meet.example.org/room?a=1"
        expected.provider.holdFor = .seconds(5_400)
        expected.provider.simulate = true
        expected.provider.simulateAfter = .zero
        expected.screen.countdown = false
        expected.screen.motion = false
        expected.screen.plain = true
        expected.screen.sound = true
        expected.screen.soundCommand = ["paplay", "bell.oga"]
        try expected.patterns.add("evening", try BreathPattern("4.5-0-5.5-1"))
        #expect(try Configuration.read(text, file: "daybreak.toml") == expected)
    }

    @Test func `dotted keys, inline tables and quoted keys are the same settings`() throws {
        var expected = Configuration()
        expected.settings.graceDays = 2
        expected.provider.simulate = true
        let text = "day.\"grace\\u005fdays\" = 2\n'provider' = { simulate = true }\n"
        #expect(try Configuration.read(text, file: "daybreak.toml") == expected)
    }

    @Test func `reminder times before the beginning of the day belong to its end`() throws {
        let text = "reminders.at = [\"03:59\", \"04:00\"]\nday.starts_at = \"04:00\""
        #expect(try Configuration.read(text, file: "daybreak.toml").settings.reminderMinutes == [240, 1_679])
    }

    @Test func `times and lengths are read as people write them`() throws {
        let text = """
            day.starts_at = "4:00"
            reminders = { at = ["6pm"], quiet = "10pm-7:00", late_within = "1h 30min" }
            """
        let read = try Configuration.read(text, file: "daybreak.toml").settings
        #expect(read.dayStartsAt == 240)
        #expect(read.reminderMinutes == [1_080])
        #expect(read.quietHours == QuietHours(from: 1_320, to: 420))
        #expect(read.lateWithin == .seconds(5_400))
    }

    @Test func `no reminders, no name and no link are spelled as empty`() throws {
        let text = "reminders.at = []\nprovider = { name = \"\", link = \"\" }"
        var expected = Configuration()
        expected.settings.reminderMinutes = []
        #expect(try Configuration.read(text, file: "daybreak.toml") == expected)
    }

    @Test func `a name of spaces is none`() throws {
        #expect(try Configuration.read("provider.name = \"  \"", file: "daybreak.toml") == Configuration())
    }

    @Test(arguments: [
        "reminders.days = [\"friday\"]", "reminders.quiet = \"00:00-23:59\"", "reminders.at_most = 0",
        "reminders.at_most = 100", "reminders.late_within = \"1m\"", "reminders.late_within = \"24h\"",
        "day.starts_at = \"06:00\"", "day.grace_days = 0", "day.grace_days = 365", "breathing.pattern = \"1-0-1-0\"",
        "breathing.pattern = \"20-10-20-10\"", "provider.hold_for = \"1s\"", "provider.hold_for = \"24h\"",
        "provider.simulate_after = \"1h\"", "provider.simulate_after = \"0s\"", "provider.link = \"HTTP://[::1]:8080\"",
        "provider.name = \"\(String(repeating: "n", count: 200))\"",
        "provider.link = \"http://\(String(repeating: "l", count: 1_993))\"",
        "reminders.at = [\((0..<24).map { "\"\($0 < 10 ? "0" : "")\($0):00\"" }.joined(separator: ","))]",
    ])
    func `values at the bounds are accepted`(text: String) throws {
        #expect(try Configuration.read(text, file: "daybreak.toml") != Configuration())
    }

    @Test func `blanks in the quiet hours and capitals in days mean the same`() throws {
        for (text, same) in [
            ("reminders.quiet = \"22:00 - 07:00\"", "reminders.quiet = \"22:00-07:00\""),
            ("reminders.days = [\"Monday\"]", "reminders.days = [\"monday\"]"),
        ] {
            let read = try Configuration.read(text, file: "daybreak.toml")
            #expect(try read == Configuration.read(same, file: "daybreak.toml"))
        }
    }

    // MARK: Refused

    static let start = "day.starts_at must be a time from \"00:00\" to \"06:00\": at six it is morning for everyone."
    static let grace =
        "day.grace_days must be a whole number from 0 to 365: beyond a year a task is not late but missed."
    static let pattern = """
        breathing.pattern must be the seconds of inhale, hold, exhale and hold, such as "4-0-6-0": one or two digits \
        each, and at most one more after a point.
        """
    static let tables =
        "[day], [breathing], [patterns], [reminders], [provider], [schedule], [link], [screen]"
    static let named = "must be called by up to 32 letters (a-z), digits and hyphens, a letter first."
    static let command = """
        screen.sound_command must be an array of a program and its arguments, such as \
        ["paplay", "/usr/share/sounds/bell.oga"], or [] for the terminal's bell.
        """
    static let word = "must be a text that is not empty and has no characters that are not seen."
    static let breath = "breathing.pattern must have seconds to inhale and seconds to exhale: else it is no breath."
    static let cycle =
        "breathing.pattern must come to 2 to 60 seconds in all: less is panting, and no breath takes longer."
    static let times =
        "reminders.at must be an array of times, such as [\"09:00\", \"18:00\"]; [] for no times, at_most = 0 for none that can wait."
    static func time(_ element: Int) -> String {
        "reminders.at, element \(element), must be a time from \"00:00\" to \"23:59\", in quotes, such as \"09:00\"."
    }
    static let many = "reminders.at must not hold more than 24 elements: that is one an hour."
    static let days =
        "reminders.days must be an array of days, such as [\"monday\", \"friday\"]; for no reminders that can wait, at_most = 0."
    static let day = "reminders.days, element 1, must be a day from \"monday\" to \"sunday\", spelled so."
    static let quiet =
        "reminders.quiet must be two times with a hyphen between, such as \"22:00-07:00\", or \"\" for none."
    static let always =
        "reminders.quiet must begin and end at different times: else it would be quiet always, or never."
    static let most = "reminders.at_most must be a whole number from 0 to 100: nobody reads more in a day."
    static let late =
        "reminders.late_within must be a length from \"1m\" to \"24h\", such as \"3h\": the next day has its own times."
    static let link = """
        provider.link must be a web address as a browser shows it, such as "https://meet.example.org/room": it begins \
        with https:// or http:// and holds no spaces.
        """
    static let hold =
        "provider.hold_for must be a length from \"1s\" to \"24h\", such as \"15m\": nobody knows more than a day ahead."
    static let after =
        "provider.simulate_after must be a length from \"0s\" to \"1h\", such as \"20s\": it is for trying things out."

    @Test(arguments: [
        ("day.starts_at = \"06:01\"", start), ("day.starts_at = \"4\"", start), ("day.starts_at = \"+4:00\"", start),
        ("day.starts_at = \"24:00\"", start), ("day.starts_at = \"00:60\"", start), ("day.starts_at = \"\"", start),
        ("day.starts_at = 04:00:01", "\(start) It is a time."), ("day.starts_at = 4", "\(start) It is a number."),
        ("day.grace_days = 366", grace), ("day.grace_days = -1", grace),
        ("day.grace_days = 7.0", "\(grace) It is a number."), ("day.grace_days = \"7\"", grace),
        ("day.grace_days = true", "\(grace) It is true or false."),
        ("day.grace_days = {}", "\(grace) It is a table."),
        ("breathing.pattern = \"4-0-6\"", pattern), ("breathing.pattern = \"4-0-6-0.55\"", pattern),
        ("breathing.pattern = [4, 0, 6, 0]", "\(pattern) It is an array."),
        ("breathing.pattern = \"0-4-6-0\"", breath), ("breathing.pattern = \"0.9-0-1-0\"", cycle),
        ("breathing.pattern = \"30-0-30-0.1\"", cycle),
        (
            "breathing.pattern = \"bxo\"",
            "breathing.pattern must be one of 4-7-8, box, calm, coherent, or the seconds of inhale, hold, exhale and "
                + "hold, such as \"4-0-6-0\": one or two digits each, and at most one more after a point."
        ),
        ("patterns.Slow = \"4-0-6-0\"", "patterns.Slow \(named)"),
        ("patterns.4-0 = \"4-0-6-0\"", "patterns.4-0 \(named)"),
        (
            "patterns.box = \"4-0-6-0\"",
            "patterns.box must have another name: this one is known, and a schedule may mean it."
        ),
        (
            "patterns.slow = \"30-0-30-0.1\"",
            "patterns.slow must come to 2 to 60 seconds in all: less is panting, and no breath takes longer."
        ),
        ("screen.countdown = \"no\"", "screen.countdown must be true or false, without quotes."),
        ("screen.sound_command = \"paplay\"", command),
        ("screen.sound_command = [1]", "screen.sound_command, element 1, \(Self.word) It is a number."),
        (
            "screen.sound_command = [\"\"]",
            "screen.sound_command, element 1, \(Self.word)"
        ),
        (
            "screen.sound_command = [\((0...32).map { "\"\($0)\"" }.joined(separator: ","))]",
            "screen.sound_command must not hold more than 32 elements: a script can say more."
        ),
        ("reminders.at = \"09:00\"", times), ("reminders.at = 09:00:00", "\(times) It is a time."),
        ("reminders.at = [\"9\"]", time(1)),
        ("reminders.at = [2027-03-05]", "\(time(1)) It is a date."),
        ("reminders.at = [2027-03-05T09:00:00]", "\(time(1)) It is a date with a time."),
        (
            "reminders.at = [\"09:00\", 09:00:00]",
            "reminders.at, element 2, must not be there twice: one reminder tells as much as two."
        ),
        ("reminders.at = [\((0..<25).map { "\"09:\($0 + 10)\"" }.joined(separator: ","))]", many),
        ("reminders.days = []", days), ("reminders.days = \"monday\"", days),
        ("reminders.days = 1", "\(days) It is a number."),
        ("reminders.days = [\"Montag\"]", day),
        ("reminders.days = [1]", "\(day) It is a number."),
        (
            "reminders.days = [\"monday\", \"monday\"]",
            "reminders.days, element 2, must not be there twice."
        ),
        ("reminders.quiet = \"22:00\"", quiet), ("reminders.quiet = \"22:00-7\"", quiet),
        ("reminders.quiet = \"22:00-24:00\"", quiet), ("reminders.quiet = false", "\(quiet) It is true or false."),
        ("reminders.quiet = \"22:00-22:00\"", always),
        ("reminders.at_most = 101", most), ("reminders.at_most = -1", most),
        ("reminders.at_most = \"3\"", most),
        ("reminders.late_within = \"59s\"", late), ("reminders.late_within = \"24h1s\"", late),
        ("reminders.late_within = 3", "\(late) It is a number."),
        ("provider.name = 7", "provider.name must be a text such as \"Dr. Example\". It is a number."),
        (
            "provider.name = \"\(String(repeating: "é", count: 240))n\"",
            "provider.name must have no more than 480 bytes: it stands on one line of the screen."
        ),
        (
            "provider.name = \"a\\nb\"",
            "provider.name must not have U+000A (control character) in it, which is not seen and would garble the screen."
        ),
        (
            "provider.name = \"Dr. \\u202eadA\"",
            "provider.name must not have U+202E (RIGHT-TO-LEFT OVERRIDE) in it, which is not seen and would garble the screen."
        ),
        (
            "provider.link = \"http://\(String(repeating: "l", count: 1_994))\"",
            "provider.link must have no more than 2000 bytes: browsers do not take more."
        ),
        ("provider.link = 1", "\(link) It is a number."), ("provider.link = \"ftp://a\"", link),
        ("provider.link = \"https://\"", link), ("provider.link = \"https:///a\"", link),
        ("provider.link = \"https://a b\"", link), ("provider.link = \"https://a\\u0007\"", link),
        ("provider.link = \"-https://a\"", link),
        ("provider.hold_for = \"0s\"", hold), ("provider.hold_for = \"24h1s\"", hold),
        ("provider.hold_for = \"a while\"", hold), ("provider.hold_for = 900", "\(hold) It is a number."),
        ("provider.simulate = \"true\"", "provider.simulate must be true or false, without quotes."),
        ("provider.simulate = 1", "provider.simulate must be true or false, without quotes. It is a number."),
        ("provider.simulate_after = \"1h1s\"", after),
    ])
    func `a value out of bounds is refused with the expected values`(text: String, expected: String) {
        expectRefusal(of: text, "1: \(expected)")
    }

    @Test(arguments: [
        ("day.grace_dys = 1", "There is no setting day.grace_dys; did you mean day.grace_days?"),
        ("day.grace = 1", "There is no setting day.grace; did you mean day.grace_days?"),
        ("day.pattern = 1", "There is no setting day.pattern; did you mean breathing.pattern?"),
        (
            "provider.simulate_aftr = 1",
            "There is no setting provider.simulate_aftr; did you mean provider.simulate_after?"
        ),
        ("day.weather = 1", "There is no setting day.weather; [day] has starts_at, grace_days."),
        ("grace_days = 1", "There is no setting grace_days; did you mean day.grace_days?"),
        ("colour = 1", "There is no setting colour: every setting stands in a table."),
        ("[remindrs]", "There is no table [remindrs]; did you mean [reminders]?"),
        ("[weather]", "There is no table [weather]; there are \(Self.tables)."),
        ("day = 1", "day must be a table: write [day], and its settings below it."),
        ("[[provider]]", "provider must be a table: write [provider], and its settings below it."),
        ("day.\"a\\u0007 b\" = 1", "There is no setting day.\"a\\u{07} b\"; [day] has starts_at, grace_days."),
        ("day.\"\" = 1", "There is no setting day.\"\"; [day] has starts_at, grace_days."),
        (
            "day.\(String(repeating: "w", count: 61)) = 1",
            "There is no setting day.\(String(repeating: "w", count: 60))…; [day] has starts_at, grace_days."
        ),
    ])
    func `an unknown name is refused with the nearest known one`(text: String, expected: String) {
        expectRefusal(of: text, "1: \(expected)")
    }

    @Test func `a text that is no TOML is refused with its line`() {
        expectRefusal(
            of: "[day]\ngrace_days = 1\ngrace_days = 2\n",
            "3: It is not TOML. grace_days stands in line 2 already.")
    }

    static let noValue =
        "It is not TOML. There is no such value: a text stands in quotes; yes and no are spelled true and false."

    @Test(arguments: [
        "2027-03-05Tnoon:00", "[2027-03-05T[0%1:02:03Z", "{a = 2027-03-05t:", "2027-03-05 1", "2027-03-05 1 # one",
        "2027-03-O0 1", "1x", "+", "0x", "1__0",
        "[}]", "[1, }", "}", "maybe", "yes, or no", "Dr. Example",
    ]) func `an invalid value is refused with its line`(value: String) {
        expectRefusal(of: "[day]\nx = \(value)", "2: \(Self.noValue)")
    }

    @Test(arguments: [
        ("no", "false"), ("No # not yet", "false"), ("off", "false"), ("yes", "true"), ("On", "true"), ("True", "true"),
    ])
    func `yes and no are refused with the value to write`(value: String, truth: String) {
        let reason = "must be true or false, in small letters and without quotes: write simulate = \(truth)."
        expectRefusal(of: "[provider]\r\nsimulate = \(value)", "2: provider.simulate \(reason)")
    }

    @Test(arguments: ["reminders.quiet", "reminders.at", "reminders.days", "breathing.pattern", "provider.name"])
    func `yes and no are refused without advice if the setting is no truth value`(setting: String) {
        let parts = setting.split(separator: ".")
        expectRefusal(of: "[\(parts[0])]\n\(parts[1]) = off", "2: \(Self.noValue)")
    }

    @Test(arguments: [
        "0", "-1_000", "0xdead_BEEF", "0o17", "0b1", "1.5e-3", "+inf", "nan", "2027-03-05", "2027-03-05 # a day",
        "2027-03-05 01:02:03", "2027-03-05T01:02:03.25Z", "2027-03-05t01:02:03-01:30", "01:02:03", "[1, 2.5, 01:02:03]",
    ]) func `a value of any kind of TOML is parsed`(value: String) {
        expectRefusal(of: "[day]\nx = \(value)", "2: There is no setting day.x; [day] has starts_at, grace_days.")
    }

    @Test func `a fault repeats no characters that garble a terminal`() {
        expectRefusal(
            of: "day.\"\u{9B}2J\" = 1",
            "1: There is no setting day.\"\\u{009B}2J\"; [day] has starts_at, grace_days.")
    }

    @Test(arguments: [
        ("[day]\n\0grace_days = 400", "0000"), ("[day]\nx = \"\\u0000\"", "0000"),
        ("[day]\nx = \"\"\"\\U00000000\"\"\"", "0000"), ("[day]\n# \u{7F}", "007F"), ("[day]\nx = 'a\rb'", "000D"),
    ])
    func `a control character is refused in any place`(text: String, code: String) {
        expectRefusal(of: text, "2: The character U+\(code) has no place in a configuration.")
    }

    // MARK: Lines

    @Test(arguments: [
        ("[day]\n\n  grace_days = -1 # no", 3),
        ("day.starts_at = \"04:00\"\nday . grace_days = -1", 2),
        ("day = { starts_at = \"04:00\", \"grace_days\" = -1 }", 1),
        ("[provider]\nname = '''\n[day] grace_days = 1'''\n[ 'day' ]\ngrace_days = -1", 5),
        ("[provider]\nname = \"\"\"\\\n  \"a\\\"\"\"\"\"\n[day]\n\"gr\\u0061ce_days\" = -1", 5),
        ("[provider]\nname = 'a\\'\n[day]\ngrace_days = -1", 4),
        ("[reminders] # [day]\r\nat = [ \"09:00\", # [day]\r\n ]\r\n[day] # grace_days = 1\r\ngrace_days = -1", 5),
        ("\u{FEFF}[day]\ngrace_days = -1", 2),
    ])
    func `a fault is on the line of its key`(text: String, line: Int) {
        expectRefusal(of: text, "\(line): \(Self.grace)")
    }

    @Test func `a key that two tables have is found in its own table`() {
        expectRefusal(
            of: "[day]\nstarts_at = \"00:00\"\n[provider]\nstarts_at = \"00:00\"",
            "4: There is no setting provider.starts_at; did you mean day.starts_at?")
    }

    @Test func `a fault in an array is on the line of its element`() {
        expectRefusal(of: "[reminders]\nat = [\n  \"09:00\",\n  # noon\n  \"12\",\n]", "5: \(Self.time(2))")
    }

    @Test func `of several faults the first is reported`() {
        expectRefusal(
            of: "[reminders]\nat = 1\n[day]\ngrace_days = -1\n[breathing]\nrate = 1", "2: \(Self.times) It is a number."
        )
    }
}
